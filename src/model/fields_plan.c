/* Descriptor tables of growth, costs, the Plan document and the Prices document. */
#include "model/fields.h"

static const gp_field lead_time_fields[] = {
    GP_QUANTITY(gp_lead_time, "gpus", gpus_s, GP_DIM_TIME, GP_RANGE(0, 1e9),
                .help = "From order to running machines."),
    GP_QUANTITY(gp_lead_time, "fabric", fabric_s, GP_DIM_TIME, GP_RANGE(0, 1e9),
                .help = "From order to running switches."),
    GP_QUANTITY(gp_lead_time, "power", power_s, GP_DIM_TIME, GP_RANGE(0, 1e9),
                .help = "From order to more power."),
};

static const gp_struct lead_time_type = GP_TYPE(gp_lead_time, lead_time_fields, .name = "leadTime",
                                                .help = "How long deliveries take.");

#define SCENARIO(name, member, text)                                                               \
    GP_QUANTITY_MAP(gp_scenarios, name, member, GP_DIM_FRACTION_PER_S, GP_RANGE(-1e-6, 1e-5),      \
                    .flags = GP_FIELD_LOCAL_REF, .ref = "workloads", .help = text)

static const gp_field scenario_fields[] = {
    SCENARIO("low", low, "Growth of workloads at the least."),
    SCENARIO("expected", expected, "Growth of workloads as expected."),
    SCENARIO("high", high, "Growth of workloads at the most."),
};

static const gp_struct scenarios_type = GP_TYPE(gp_scenarios, scenario_fields, .name = "scenarios",
                                                .help = "Growth per workload, by scenario.");

static const gp_field add_fields[] = {
    GP_DATE(gp_growth_add, "at", at, .flags = GP_FIELD_REQUIRED, .help = "When it starts."),
    GP_STRUCT(gp_growth_add, "workload", workload, gp_workload, gp_workload_type_,
              .flags = GP_FIELD_REQUIRED, .help = "The workload that is added."),
};

static const gp_struct add_type =
    GP_TYPE(gp_growth_add, add_fields, .name = "growthAdd", .help = "A workload that comes later.");

static const gp_field growth_fields[] = {
    GP_DATE(gp_growth, "start", start, .default_text = "2027-Q1",
            .help = "First quarter of the outlook."),
    GP_QUANTITY(gp_growth, "horizon", horizon_s, GP_DIM_TIME, GP_ABOVE(0, 1e9),
                .default_text = "8 quarters", .help = "How far the outlook reaches."),
    GP_COUNT(gp_growth, "module", module_nodes, GP_RANGE(1, 1e6), .flags = GP_FIELD_AUTO,
             .default_text = "auto",
             .help = "Machines bought at a time; auto: as many as are needed."),
    GP_STRUCT(gp_growth, "leadTime", lead_time, gp_lead_time, lead_time_type,
              .help = "How long deliveries take."),
    GP_STRUCT(gp_growth, "scenarios", scenarios, gp_scenarios, scenarios_type,
              .help = "Growth per workload."),
    GP_STRUCT_LIST(gp_growth, "adds", adds, gp_growth_add, add_type,
                   .help = "Workloads that come later."),
};

const gp_struct gp_growth_type =
    GP_TYPE(gp_growth, growth_fields, .name = "growth", .help = "How demand grows.");

static const gp_field budget_fields[] = {
    GP_QUANTITY(gp_budget, "capital", capital, GP_DIM_MONEY, GP_RANGE(0, 1e15),
                .help = "Money to buy with."),
    GP_QUANTITY(gp_budget, "recurring", per_s, GP_DIM_MONEY_PER_S, GP_RANGE(0, 1e9),
                .help = "Money to run with."),
};

static const gp_struct budget_type =
    GP_TYPE(gp_budget, budget_fields, .name = "budget", .help = "Limits on spending.");

static const gp_field cost_fields[] = {
    GP_STRING(gp_costs, "currency", currency, .default_text = "USD",
              .help = "Currency of every price."),
    GP_QUANTITY(gp_costs, "amortization", amortization_s, GP_DIM_TIME, GP_ABOVE(0, 1e10),
                .default_text = "48 mo", .help = "Time over which capital is written off."),
    GP_QUANTITY(gp_costs, "discountRate", discount_per_s, GP_DIM_FRACTION_PER_S, GP_RANGE(0, 1e-6),
                .help = "Rate at which later money counts less."),
    GP_QUANTITY(gp_costs, "support", support_per_s, GP_DIM_FRACTION_PER_S, GP_RANGE(0, 1e-6),
                .help = "Support as a share of capital cost."),
    GP_QUANTITY(gp_costs, "staff", staff_per_s, GP_DIM_MONEY_PER_S, GP_RANGE(0, 1e6),
                .help = "Staff cost."),
    GP_QUANTITY(gp_costs, "colocation", colocation_per_w_s, GP_DIM_MONEY_PER_W_S, GP_RANGE(0, 1),
                .help = "Price of colocation by power."),
    GP_QUANTITY(gp_costs, "softwareLicenses", licenses_per_gpu_s, GP_DIM_MONEY_PER_GPU_S,
                GP_RANGE(0, 1e3), .help = "Software licences by GPU."),
    GP_QUANTITY(gp_costs, "residual", residual_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "What is left of the purchase price after the amortization."),
    GP_STRUCT(gp_costs, "budget", budget, gp_budget, budget_type, .help = "Limits on spending."),
    GP_STRING_LIST(gp_costs, "prices", prices,
                   .help = "Price lists, file:PATH or lock:NAME; later ones win."),
};

const gp_struct gp_costs_type =
    GP_TYPE(gp_costs, cost_fields, .name = "costs", .help = "Prices, rates and budget.");

static const gp_field named_site_fields[] = {
    GP_STRING(gp_named_site, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name of the site."),
    GP_STRUCT(gp_named_site, "site", site, gp_site, gp_site_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The building."),
    GP_STRUCT(gp_named_site, "cluster", cluster, gp_cluster, gp_cluster_type,
              .help = "What stands there today; nothing is a greenfield."),
    GP_STRUCT(gp_named_site, "budget", budget, gp_budget, budget_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Limits on spending there; costs.budget is of all sites together."),
};

static const gp_struct named_site_type =
    GP_TYPE(gp_named_site, named_site_fields, .name = "namedSite", .help = "One of several sites.");

static const gp_field link_fields[] = {
    GP_STRING_LIST(gp_site_link, "between", between,
                   .flags = GP_FIELD_LOCAL_REF | GP_FIELD_REQUIRED, .ref = "sites",
                   .help = "The two sites."),
    GP_QUANTITY(gp_site_link, "bandwidth", bits_per_s, GP_DIM_BITS_PER_S, GP_ABOVE(0, 1e15),
                .flags = GP_FIELD_REQUIRED, .help = "What is free for these workloads, each way."),
    GP_QUANTITY(gp_site_link, "roundTrip", round_trip_s, GP_DIM_TIME, GP_RANGE(0, 10),
                .flags = GP_FIELD_REQUIRED, .help = "Time there and back."),
    GP_QUANTITY(gp_site_link, "price", price_per_s, GP_DIM_MONEY_PER_S, GP_RANGE(0, 1e6),
                .help = "Rent of the line."),
};

static const gp_struct link_type =
    GP_TYPE(gp_site_link, link_fields, .name = "siteLink", .help = "A line between two sites.");

static const gp_field plan_fields[] = {
    GP_STRUCT(gp_plan_spec, "defaults", defaults, gp_defaults, gp_defaults_type,
              .help = "What holds where a workload is silent."),
    GP_STRUCT(gp_plan_spec, "site", site, gp_site, gp_site_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "The building."),
    GP_STRUCT(gp_plan_spec, "cluster", cluster, gp_cluster, gp_cluster_type,
              .help = "What exists today; nothing is a greenfield."),
    GP_STRUCT_LIST(gp_plan_spec, "sites", sites, gp_named_site, named_site_type,
                   .help = "Several sites in place of site and cluster, each with its own: every "
                           "workload runs where the objective is best."),
    GP_STRUCT_LIST(gp_plan_spec, "links", links, gp_site_link, link_type,
                   .help = "Lines between the sites: what a workload with a home goes over."),
    GP_STRUCT(gp_plan_spec, "candidates", candidates, gp_candidates, gp_candidates_type,
              .help = "What may be bought or rented."),
    GP_STRUCT_LIST(gp_plan_spec, "teams", teams, gp_team, gp_team_type,
                   .help = "Teams that share the machines: what is each one's own, and what it may "
                           "borrow."),
    GP_STRUCT_LIST(gp_plan_spec, "workloads", workloads, gp_workload, gp_workload_type_,
                   .help = "What is to run; a site or a cluster without any is for "
                           "`gpuplan capacity`."),
    GP_STRUCT(gp_plan_spec, "growth", growth, gp_growth, gp_growth_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "How demand grows."),
    GP_STRUCT(gp_plan_spec, "costs", costs, gp_costs, gp_costs_type,
              .help = "Prices, rates and budget."),
    GP_STRING_LIST(gp_plan_spec, "calibration", calibration,
                   .help = "Calibration files, file:PATH, PATH from the spec's folder."),
};

const gp_struct gp_plan_spec_type =
    GP_TYPE(gp_plan_spec, plan_fields, .name = "spec", .help = "What a plan says.");

static const gp_field plan_document_fields[] = {
    GP_ENVELOPE_FIELDS(gp_plan_document),
    GP_STRUCT(gp_plan_document, "spec", spec, gp_plan_spec, gp_plan_spec_type,
              .flags = GP_FIELD_REQUIRED, .help = "What the plan says."),
};

const gp_struct gp_plan_document_type =
    GP_TYPE(gp_plan_document, plan_document_fields, .name = "Plan",
            .help = "A site, a cluster and the workloads it is to run.");

static const gp_field price_fields[] = {
    GP_STRING(gp_price, "item", item, .flags = GP_FIELD_REQUIRED,
              .help =
                  "What is priced: system/ID, spare/ID (a machine kept for repairs), switch/ID, "
                  "gpu/ID, storage/ID, cloud:ID, cdu/ID, or a part: part/rack, part/cable, "
                  "part/transceiver, part/managementCable, part/powerStrip, part/circuit (a rack's "
                  "feed, with its share of the distribution), part/installation (of a rack and "
                  "what is in it), part/storage, part/systemNode."),
    GP_QUANTITY(gp_price, "price", price, GP_DIM_MONEY, GP_RANGE(0, 1e12),
                .or_dim = GP_DIM_MONEY_PER_S, .or_offset = GP_OFFSET(gp_price, price_per_s, double),
                .flags = GP_FIELD_REQUIRED, .help = "Its price: money, or money per time."),
    GP_STRING(gp_price, "term", term, .help = "Contract the price belongs to."),
    GP_STRING(gp_price, "region", region, .help = "Region the price holds in."),
    GP_QUANTITY(gp_price, "leadTime", lead_time_s, GP_DIM_TIME, GP_RANGE(0, 1e9),
                .help = "From order to delivery."),
};

static const gp_struct price_type =
    GP_TYPE(gp_price, price_fields, .name = "price", .help = "One price.");

static const gp_field prices_fields[] = {
    GP_STRING(gp_prices, "currency", currency, .default_text = "USD",
              .help = "Currency of every price."),
    GP_DATE(gp_prices, "validUntil", valid_until, .help = "Last day the prices hold."),
    GP_STRING(gp_prices, "source", source, .help = "Where the prices come from."),
    GP_STRUCT_LIST(gp_prices, "items", items, gp_price, price_type, .flags = GP_FIELD_REQUIRED,
                   .help = "The prices."),
};

const gp_struct gp_prices_type =
    GP_TYPE(gp_prices, prices_fields, .name = "prices", .help = "A price list.");

static const gp_field prices_document_fields[] = {
    GP_ENVELOPE_FIELDS(gp_prices_document),
    GP_STRUCT(gp_prices_document, "spec", spec, gp_prices, gp_prices_type,
              .flags = GP_FIELD_REQUIRED, .help = "The price list."),
};

const gp_struct gp_prices_document_type =
    GP_TYPE(gp_prices_document, prices_document_fields, .name = "Prices",
            .help = "Prices of systems, switches and cloud instances.");
