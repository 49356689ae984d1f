/* Rows of what a site holds. */
#include "report/describe.h"

#include "report/capacity.h"

static const char *const measure_words[] = {"factor",      "rate", "requests",
                                            "runsPerWeek", "runs", NULL};
static const char *const where_words[] = {"declared", "added", "rented", NULL};

static const gp_report_field holder_fields[] = {
    GP_R_STRING(gp_report_holder, "boundBy", bound_by, "The resource, as in a verdict."),
    GP_R_STRING(gp_report_holder, "path", path, "The limit in the spec; none of --gpus."),
    GP_R_STRING(gp_report_holder, "workload", workload,
                "The workload that no number of machines would help."),
    GP_R_REAL(gp_report_holder, "limit", limit, GP_DIM_NONE, "The limit, in its unit."),
    GP_R_STRING(gp_report_holder, "unit", unit, "Base unit of the limit."),
};
static const gp_report_struct holder_type =
    GP_R_TYPE(gp_report_holder, holder_fields, .name = "holder",
              .help = "What keeps a number from being larger.");

static const gp_report_field limit_fields[] = {
    GP_R_STRING(gp_report_capacity_limit, "boundBy", bound_by, "The resource."),
    GP_R_STRING(gp_report_capacity_limit, "path", path, "Where the spec states it."),
    GP_R_REAL(gp_report_capacity_limit, "used", used, GP_DIM_NONE, "By what stands."),
    GP_R_REAL(gp_report_capacity_limit, "limit", limit, GP_DIM_NONE, "All there is of it."),
    GP_R_STRING(gp_report_capacity_limit, "unit", unit, "Base unit of both."),
};
static const gp_report_struct limit_type =
    GP_R_TYPE(gp_report_capacity_limit, limit_fields, .name = "capacityLimit",
              .help = "A limit of the site or of the budget.");

static const gp_report_field demand_fields[] = {
    GP_R_STRING(gp_report_capacity_demand, "workload", workload,
                "The workload, all others as they are; null: all of them together."),
    GP_R_WORD(gp_report_capacity_demand, "measure", measure, measure_words,
              "What of it: a multiple of the demand, requests per second on average, requests of a "
              "batch, runs per week, runs side by side."),
    GP_R_REAL(gp_report_capacity_demand, "today", today, GP_DIM_NONE, "As the spec states it."),
    GP_R_REAL(gp_report_capacity_demand, "most", most, GP_DIM_NONE,
              "The most that holds; null: nothing binds."),
    GP_R_REAL(gp_report_capacity_demand, "factor", factor, GP_DIM_NONE, "The same over today's."),
    GP_R_REAL(gp_report_capacity_demand, "peakPerS", peak_per_s, GP_DIM_NONE,
              "Of a rate: the peak that it is planned for."),
    GP_R_COUNT(gp_report_capacity_demand, "machines", machines,
               "That all workloads hold together then."),
    GP_R_COUNT(gp_report_capacity_demand, "gpus", gpus, "GPUs that they hold."),
    GP_R_OPTIONAL(gp_report_capacity_demand, "binds", binds, gp_report_holder, holder_type,
                  "What binds just above."),
    GP_R_OPTIONAL(gp_report_capacity_demand, "next", next, gp_report_holder, holder_type,
                  "What binds without that limit."),
    GP_R_REAL(gp_report_capacity_demand, "nextMost", next_most, GP_DIM_NONE,
              "The most without that limit."),
    GP_R_BOOL(gp_report_capacity_demand, "simulated", simulated,
              "Percentiles were simulated at the most, and held."),
};
static const gp_report_struct demand_type =
    GP_R_TYPE(gp_report_capacity_demand, demand_fields, .name = "capacityDemand",
              .help = "How far a demand may go.");

static const gp_report_field row_fields[] = {
    GP_R_WORD(gp_report_capacity_row, "where", where, where_words,
              "The cluster as declared, machines added to it, or rented ones."),
    GP_R_STRING(gp_report_capacity_row, "system", system, "Catalogue id of what is added."),
    GP_R_STRING(gp_report_capacity_row, "gpu", gpu, "Its GPU."),
    GP_R_BOOL(gp_report_capacity_row, "over", over, "What stands passes a limit already."),
    GP_R_BOOL(gp_report_capacity_row, "unpriced", unpriced,
              "A budget is stated, and not all that is added has a price: what has none is not "
              "held against it."),
    GP_R_COUNT(gp_report_capacity_row, "added", added,
               "Machines that fit beside what stands; null: no limit says how many."),
    GP_R_COUNT(gp_report_capacity_row, "machines", machines, "All that stand then."),
    GP_R_COUNT(gp_report_capacity_row, "gpus", gpus, "Their GPUs."),
    GP_R_COUNT(gp_report_capacity_row, "racks", racks, "Racks, those of switches included."),
    GP_R_COUNT(gp_report_capacity_row, "switches", switches,
               "Of a compute fabric over all of them."),
    GP_R_REAL(gp_report_capacity_row, "itPowerW", it_power_w, GP_DIM_POWER,
              "Largest sustained power of all that stands."),
    GP_R_REAL(gp_report_capacity_row, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "The same with cooling and losses."),
    GP_R_REAL(gp_report_capacity_row, "airW", air_w, GP_DIM_POWER, "Heat to air."),
    GP_R_REAL(gp_report_capacity_row, "liquidW", liquid_w, GP_DIM_POWER, "Heat to coolant."),
    GP_R_EXACT(gp_report_capacity_row, "memoryBytes", memory_bytes, GP_DIM_BYTES,
               "Memory of all GPUs."),
    GP_R_REAL(gp_report_capacity_row, "flopsPerS", flops_per_s, GP_DIM_FLOP_PER_S,
              "Peak of all GPUs in 16 bit, dense."),
    GP_R_EXACT(gp_report_capacity_row, "capital", capital, GP_DIM_MONEY,
               "Of what is added; null: not all has a price."),
    GP_R_OPTIONAL(gp_report_capacity_row, "binds", binds, gp_report_holder, holder_type,
                  "What keeps one more machine out."),
    GP_R_OPTIONAL(gp_report_capacity_row, "next", next, gp_report_holder, holder_type,
                  "What binds without that limit."),
    GP_R_COUNT(gp_report_capacity_row, "nextAdded", next_added,
               "Machines that fit without that limit."),
    GP_R_LIST(gp_report_capacity_row, "demands", demands, gp_report_capacity_demand, demand_type,
              "All workloads together first, where there are several."),
};
static const gp_report_struct row_type =
    GP_R_TYPE(gp_report_capacity_row, row_fields, .name = "capacityRow",
              .help = "The declared cluster, or one kind of machine added to it.");

static const gp_report_field capacity_fields[] = {
    GP_R_STRING(gp_report_capacity, "schemaVersion", schema_version, "Version of this form."),
    GP_R_STRUCT(gp_report_capacity, "tool", tool, gp_report_tool, gp_report_tool_type,
                "What made it."),
    GP_R_STRUCT(gp_report_capacity, "inputs", inputs, gp_report_inputs, gp_report_inputs_type,
                "What it was made from."),
    GP_R_STRING(gp_report_capacity, "plan", plan, "Name of the plan."),
    GP_R_STRING(gp_report_capacity, "confidence", confidence,
                "Edge of the error band by which demands are judged."),
    GP_R_STRING(gp_report_capacity, "currency", currency, "Currency of money."),
    GP_R_COUNT(gp_report_capacity, "mostGpus", most_gpus, "Limit of --gpus."),
    GP_R_LIST(gp_report_capacity, "limits", limits, gp_report_capacity_limit, limit_type,
              "Limits that the spec states."),
    GP_R_LIST(gp_report_capacity, "rows", rows, gp_report_capacity_row, row_type,
              "The declared cluster first, then what holds most."),
};
const gp_report_struct gp_report_capacity_type =
    GP_R_TYPE(gp_report_capacity, capacity_fields, .name = "capacity",
              .help = "What a site and its cluster hold.");
