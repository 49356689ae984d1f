/* Rows of what a report says about the site, money and growth, and of the report itself. */
#include "report/describe.h"

static const char *const check_words[] = {"resources",    "network",     "software",
                                          "powerCooling", "scalability", NULL};
static const char *const check_levels[] = {"ok", "warning", "fail", "notAssessed", NULL};

static const gp_report_field power_fields[] = {
    GP_R_REAL(gp_report_power, "itW", it_w, GP_DIM_POWER,
              "Largest sustained power of machines, switches and storage: what supply and "
              "cooling are made for."),
    GP_R_REAL(gp_report_power, "itMeanW", it_mean_w, GP_DIM_POWER,
              "Their power under the planned load."),
    GP_R_REAL(gp_report_power, "networkW", network_w, GP_DIM_POWER, "The network's part of itW."),
    GP_R_REAL(gp_report_power, "storageW", storage_w, GP_DIM_POWER, "The storage's part of itW."),
    GP_R_REAL(gp_report_power, "systemW", system_w, GP_DIM_POWER, "The system nodes' part of itW."),
    GP_R_REAL(gp_report_power, "facilityW", facility_w, GP_DIM_POWER,
              "Peak with cooling and losses, at the design PUE."),
    GP_R_REAL(gp_report_power, "facilityMeanW", facility_mean_w, GP_DIM_POWER,
              "Mean with cooling and losses, at the annual PUE."),
    GP_R_REAL(gp_report_power, "limitW", limit_w, GP_DIM_POWER, "IT capacity of the site."),
    GP_R_REAL(gp_report_power, "circuitW", circuit_w, GP_DIM_POWER,
              "What the circuit of one rack carries continuously."),
    GP_R_COUNT(gp_report_power, "circuitsPerRack", circuits_per_rack,
               "Circuits that the fullest rack needs, redundancy included."),
    GP_R_COUNT(gp_report_power, "feeds", feeds, "Independent feeds of a rack."),
    GP_R_REAL(gp_report_power, "circuitLoadFraction", circuit_load_fraction, GP_DIM_FRACTION,
              "Load of a circuit of the fullest rack over what it carries, all live."),
    GP_R_REAL(gp_report_power, "circuitFailedFraction", circuit_failed_fraction, GP_DIM_FRACTION,
              "The same when one circuit, or one feed of 2N, is lost."),
    GP_R_REAL(gp_report_power, "trainingW", training_w, GP_DIM_POWER,
              "Mean IT power of the training runs, all of them at work."),
    GP_R_REAL(gp_report_power, "transientW", transient_w, GP_DIM_POWER,
              "Peak of the IT power while training runs exchange gradients in step."),
    GP_R_REAL(gp_report_power, "capFraction", cap_fraction, GP_DIM_FRACTION,
              "Cap of every GPU as a share of its TDP."),
    GP_R_REAL(gp_report_power, "capTimeFactor", cap_time_factor, GP_DIM_NONE,
              "What the cap makes of the time of arithmetic."),
    GP_R_REAL(gp_report_power, "capEnergyFactor", cap_energy_factor, GP_DIM_NONE,
              "What it makes of the energy of arithmetic."),
    GP_R_REAL(gp_report_power, "embodiedKg", embodied_kg, GP_DIM_MASS,
              "Carbon of making and delivering what is bought."),
    GP_R_REAL(gp_report_power, "embodiedKgPerYear", embodied_kg_per_year, GP_DIM_MASS,
              "The same over the amortization."),
    GP_R_REAL(gp_report_power, "designPue", design_pue, GP_DIM_NONE,
              "Facility over IT power on the hottest day: stated, else by where the heat goes."),
    GP_R_REAL(gp_report_power, "annualPue", annual_pue, GP_DIM_NONE, "The same over a year."),
    GP_R_REAL(gp_report_power, "annualPueLow", annual_pue_low, GP_DIM_NONE,
              "Lower edge of its band; the figure itself where it is stated."),
    GP_R_REAL(gp_report_power, "annualPueHigh", annual_pue_high, GP_DIM_NONE, "Upper edge."),
    GP_R_REAL(gp_report_power, "energyJPerYear", energy_j_per_year, GP_DIM_ENERGY,
              "Energy of a year, facility."),
    GP_R_REAL(gp_report_power, "renewableFraction", renewable_fraction, GP_DIM_FRACTION,
              "Renewable share of it."),
    GP_R_REAL(gp_report_power, "carbonKgPerYear", carbon_kg_per_year, GP_DIM_MASS,
              "Carbon dioxide equivalent of a year, location based."),
    GP_R_REAL(gp_report_power, "carbonMarketKgPerYear", carbon_market_kg_per_year, GP_DIM_MASS,
              "The same less the renewable share."),
};
static const gp_report_struct power_type =
    GP_R_TYPE(gp_report_power, power_fields, .name = "power", .help = "Electric power.");

static const gp_report_field cooling_fields[] = {
    GP_R_REAL(gp_report_cooling, "heatW", heat_w, GP_DIM_POWER, "Heat to remove."),
    GP_R_REAL(gp_report_cooling, "heatBtuPerH", heat_btu_per_h, GP_DIM_NONE, "The same in BTU/h."),
    GP_R_REAL(gp_report_cooling, "airHeatW", air_heat_w, GP_DIM_POWER,
              "The part that goes to air."),
    GP_R_REAL(gp_report_cooling, "liquidHeatW", liquid_heat_w, GP_DIM_POWER,
              "The part that goes to coolant."),
    GP_R_REAL(gp_report_cooling, "airLimitW", air_limit_w, GP_DIM_POWER, "Air capacity."),
    GP_R_REAL(gp_report_cooling, "liquidLimitW", liquid_limit_w, GP_DIM_POWER, "Coolant capacity."),
    GP_R_REAL(gp_report_cooling, "airflowM3PerS", airflow_m3_per_s, GP_DIM_FLOW, "Air flow."),
    GP_R_REAL(gp_report_cooling, "liquidFlowM3PerS", liquid_flow_m3_per_s, GP_DIM_FLOW,
              "Coolant flow."),
    GP_R_REAL(gp_report_cooling, "waterLPerYear", water_l_per_year, GP_DIM_NONE,
              "Water of a year in litres: by the stated WUE, else of towers behind chillers."),
    GP_R_REAL(gp_report_cooling, "waterMostLPerYear", water_most_l_per_year, GP_DIM_NONE,
              "Upper edge of it; with dry coolers it is none."),
    GP_R_STRING(gp_report_cooling, "airClass", air_class, "ASHRAE class of the room air."),
    GP_R_REAL(gp_report_cooling, "airSupplyC", air_supply_c, GP_DIM_TEMPERATURE, "Air supply."),
    GP_R_STRING(gp_report_cooling, "airState", air_state,
                "Whether the class recommends it, allows it, or neither: recommended, allowed, "
                "outside."),
    GP_R_STRING(gp_report_cooling, "liquidClass", liquid_class,
                "ASHRAE class of the facility water."),
    GP_R_REAL(gp_report_cooling, "waterSupplyC", water_supply_c, GP_DIM_TEMPERATURE,
              "Facility water; the warmest of its class where it is not stated."),
    GP_R_STRING(gp_report_cooling, "airLevel", air_level,
                "What the air of the fullest rack asks for: open, containment, warning, beyond."),
    GP_R_REAL(gp_report_cooling, "rackAirflowM3PerS", rack_airflow_m3_per_s, GP_DIM_FLOW,
              "Air flow of the fullest rack."),
    GP_R_REAL(gp_report_cooling, "rackCoolantM3PerS", rack_coolant_m3_per_s, GP_DIM_FLOW,
              "Coolant flow of the fullest rack."),
    GP_R_REAL(gp_report_cooling, "airMaxC", air_max_c, GP_DIM_TEMPERATURE,
              "Warmest inlet that the air class allows at this altitude."),
    GP_R_REAL(gp_report_cooling, "coolantSupplyC", coolant_supply_c, GP_DIM_TEMPERATURE,
              "Coolant into a rack."),
    GP_R_REAL(gp_report_cooling, "coolantReturnC", coolant_return_c, GP_DIM_TEMPERATURE,
              "Coolant out of a rack."),
    GP_R_STRING(gp_report_cooling, "unit", unit_id, "Catalogue id of the distribution units."),
    GP_R_COUNT(gp_report_cooling, "units", units, "How many of them, one in reserve."),
    GP_R_BOOL(gp_report_cooling, "freeCooling", free_cooling, "The water needs no chiller."),
};
static const gp_report_struct cooling_type = GP_R_TYPE(
    gp_report_cooling, cooling_fields, .name = "cooling", .help = "Heat and its removal.");

static const gp_report_field slot_fields[] = {
    GP_R_COUNT(gp_report_slot, "fromU", from_u, "Lowest unit, counted from the floor."),
    GP_R_COUNT(gp_report_slot, "toU", to_u, "Highest unit."),
    GP_R_STRING(gp_report_slot, "what", what, "What stands there."),
    GP_R_STRING(gp_report_slot, "id", id, "Catalogue id, where it has one."),
    GP_R_REAL(gp_report_slot, "powerW", power_w, GP_DIM_POWER, "Its nameplate power."),
};
static const gp_report_struct slot_type =
    GP_R_TYPE(gp_report_slot, slot_fields, .name = "slot", .help = "A place in a rack.");

static const gp_report_field rack_fields[] = {
    GP_R_STRING(gp_report_rack, "holds", holds,
                "The machines in them; \"switches and storage\" for what stands apart."),
    GP_R_COUNT(gp_report_rack, "count", count, "Racks of this kind."),
    GP_R_COUNT(gp_report_rack, "nodesPerRack", nodes_per_rack, "Machines in one rack."),
    GP_R_REAL(gp_report_rack, "powerW", power_w, GP_DIM_POWER,
              "Nameplate power of one rack: what its circuits have to carry."),
    GP_R_STRING(gp_report_rack, "boundBy", bound_by, "What limits the machines in one rack."),
    GP_R_COUNT(gp_report_rack, "limit", limit, "Racks the site has, for all kinds together."),
    GP_R_COUNT(gp_report_rack, "circuits", circuits, "Circuits of one rack, redundancy included."),
    GP_R_REAL(gp_report_rack, "weightKg", weight_kg, GP_DIM_MASS,
              "Weight of the machines in a full rack."),
    GP_R_LIST(gp_report_rack, "slots", slots, gp_report_slot, slot_type,
              "Elevation of a full rack, from the top."),
};
static const gp_report_struct rack_type =
    GP_R_TYPE(gp_report_rack, rack_fields, .name = "rack", .help = "Racks of one kind.");

static const gp_report_field cables_fields[] = {
    GP_R_COUNT(gp_report_cables, "nodeLeaf", node_leaf, "Machine to leaf."),
    GP_R_COUNT(gp_report_cables, "leafSpine", leaf_spine, "Leaf to spine."),
    GP_R_COUNT(gp_report_cables, "spineCore", spine_core, "Spine to core."),
};
static const gp_report_struct cables_type =
    GP_R_TYPE(gp_report_cables, cables_fields, .name = "cables", .help = "Cables by level.");

static const gp_report_field fabric_fields[] = {
    GP_R_STRING(gp_report_fabric, "name", name, "The fabric."),
    GP_R_STRING(gp_report_fabric, "kind", kind, "infiniband or ethernet."),
    GP_R_STRING(gp_report_fabric, "switch", switch_id, "Catalogue id of the switch."),
    GP_R_COUNT(gp_report_fabric, "switchPorts", switch_ports, "Ports of one switch."),
    GP_R_REAL(
        gp_report_fabric, "switchPortBitsPerS", switch_port_bits_per_s, GP_DIM_BITS_PER_S,
        "Rate of one of them; where it is a multiple of the host ports' rate, ports are split."),
    GP_R_REAL(gp_report_fabric, "rateBitsPerS", rate_bits_per_s, GP_DIM_BITS_PER_S,
              "Rate of one host port."),
    GP_R_REAL(gp_report_fabric, "oversubscription", oversubscription, GP_DIM_NONE,
              "Down over up at the leaf; 1 is non-blocking."),
    GP_R_COUNT(gp_report_fabric, "tiers", tiers, "Layers of switches; 0: none needed."),
    GP_R_COUNT(gp_report_fabric, "units", units, "Scalable units."),
    GP_R_COUNT(gp_report_fabric, "unitNodes", unit_nodes, "Machines in one of them."),
    GP_R_STRING(gp_report_fabric, "system", system, "Machines on a compute fabric."),
    GP_R_COUNT(gp_report_fabric, "hosts", hosts,
               "What hangs on it: machines, each tray of rack-scale ones; storage and in-band: "
               "ports."),
    GP_R_COUNT(gp_report_fabric, "leaf", leaf, "Leaf switches."),
    GP_R_COUNT(gp_report_fabric, "spine", spine, "Spine switches."),
    GP_R_COUNT(gp_report_fabric, "core", core, "Core switches."),
    GP_R_STRUCT(gp_report_fabric, "cables", cables, gp_report_cables, cables_type, "Cables."),
    GP_R_BOOL(gp_report_fabric, "feasible", feasible, "The switches can build it."),
    GP_R_COUNT(gp_report_fabric, "transceivers", transceivers, "Modules at both ends."),
    GP_R_COUNT(gp_report_fabric, "roomUnitNodes", room_unit_nodes,
               "Machines, all told, that the units begun hold."),
    GP_R_COUNT(gp_report_fabric, "roomSpineNodes", room_spine_nodes,
               "Machines before the number of spines changes."),
    GP_R_COUNT(gp_report_fabric, "roomTierNodes", room_tier_nodes,
               "Machines before a third layer of switches."),
};
static const gp_report_struct fabric_type = GP_R_TYPE(
    gp_report_fabric, fabric_fields, .name = "fabric", .name_key = "name", .help = "A network.");

static const gp_report_field storage_fields[] = {
    GP_R_REAL(gp_report_storage, "writeBytesPerS", write_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Write rate at which checkpoints take their share of the time."),
    GP_R_REAL(gp_report_storage, "readBytesPerS", read_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Read rate for restarts and for replicas that start."),
    GP_R_REAL(gp_report_storage, "capacityBytes", capacity_bytes, GP_DIM_BYTES,
              "Checkpoints kept, weights and training data."),
    GP_R_REAL(gp_report_storage, "thereWriteBytesPerS", there_write_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Write rate that the cluster declares."),
    GP_R_REAL(gp_report_storage, "thereReadBytesPerS", there_read_bytes_per_s, GP_DIM_BYTES_PER_S,
              "Read rate that it declares."),
    GP_R_REAL(gp_report_storage, "thereCapacityBytes", there_capacity_bytes, GP_DIM_BYTES,
              "Capacity that it declares."),
    GP_R_STRING(gp_report_storage, "product", product,
                "Catalogue id of what to buy, where the cluster declares none."),
    GP_R_COUNT(gp_report_storage, "products", products, "How many of it."),
};
static const gp_report_struct storage_type = GP_R_TYPE(
    gp_report_storage, storage_fields, .name = "storageNeed", .help = "What runs ask of storage.");

static const gp_report_field bill_fields[] = {
    GP_R_STRING(gp_report_bill, "role", role, "What it is for."),
    GP_R_STRING(gp_report_bill, "id", id, "Catalogue id or name, where a product was chosen."),
    GP_R_STRING(gp_report_bill, "product", product, "A machine by its maker's name."),
    GP_R_COUNT(gp_report_bill, "count", count, "How many, spares left out."),
    GP_R_COUNT(gp_report_bill, "spare", spare, "Spares recommended on top."),
    GP_R_REAL(gp_report_bill, "powerW", power_w, GP_DIM_POWER,
              "Largest sustained power of all of them."),
    GP_R_COUNT(gp_report_bill, "bought", bought, "Of these, those to buy."),
    GP_R_EXACT(gp_report_bill, "price", price, GP_DIM_MONEY, "Purchase price of those to buy."),
    GP_R_STRING(gp_report_bill, "rule", rule, "How they were counted."),
};
static const gp_report_struct bill_type =
    GP_R_TYPE(gp_report_bill, bill_fields, .name = "bill", .help = "A line of the bill.");

static const gp_report_field reliability_fields[] = {
    GP_R_REAL(gp_report_reliability, "interruptionsPerMonth", interruptions_per_month, GP_DIM_NONE,
              "Failures a month that stop a job on all machines."),
    GP_R_REAL(gp_report_reliability, "interruptionsPerMonthLow", interruptions_per_month_low,
              GP_DIM_NONE, "The same at the lowest published rate."),
    GP_R_REAL(gp_report_reliability, "interruptionsPerMonthHigh", interruptions_per_month_high,
              GP_DIM_NONE, "The same at the highest."),
    GP_R_REAL(gp_report_reliability, "mtbfS", mtbf_s, GP_DIM_TIME, "Mean time between them."),
    GP_R_COUNT(gp_report_reliability, "spareNodes", spare_nodes,
               "Machines that cover those under repair."),
    GP_R_COUNT(gp_report_reliability, "earlyNodes", early_nodes,
               "Machines that fail in their first weeks."),
};
static const gp_report_struct reliability_type =
    GP_R_TYPE(gp_report_reliability, reliability_fields, .name = "reliability",
              .help = "Failures to expect of the machines on site.");

static const gp_report_field limit_fields[] = {
    GP_R_STRING(gp_report_limit, "bound", bound, "The resource."),
    GP_R_REAL(gp_report_limit, "used", used, GP_DIM_NONE, "How much of it the plan uses."),
    GP_R_REAL(gp_report_limit, "limit", limit, GP_DIM_NONE, "How much of it there is."),
    GP_R_STRING(gp_report_limit, "unit", unit, "Unit of both."),
};
static const gp_report_struct limit_type = GP_R_TYPE(
    gp_report_limit, limit_fields, .name = "limit", .dim_offset = offsetof(gp_report_limit, dim),
    .name_key = "bound", .help = "A limit that all workloads share.");

static const gp_report_field horizon_limit_fields[] = {
    GP_R_STRING(gp_report_horizon_limit, "resource", resource, "The resource."),
    GP_R_STRING(gp_report_horizon_limit, "of", of, "Whose, where there are several."),
    GP_R_REAL(gp_report_horizon_limit, "today", today, GP_DIM_NONE, "Used in the first quarter."),
    GP_R_REAL(gp_report_horizon_limit, "atHorizon", at_horizon, GP_DIM_NONE,
              "Used in the last quarter."),
    GP_R_REAL(gp_report_horizon_limit, "limit", limit, GP_DIM_NONE, "How much there is."),
    GP_R_STRING(gp_report_horizon_limit, "unit", unit, "Unit of the three."),
    GP_R_STRING(gp_report_horizon_limit, "passedOn", passed_on,
                "First day of the month in which the expected demand passes it."),
    GP_R_STRING(gp_report_horizon_limit, "passedOnHigh", passed_on_high,
                "First day of the quarter in which the high scenario passes it."),
};
static const gp_report_struct horizon_limit_type =
    GP_R_TYPE(gp_report_horizon_limit, horizon_limit_fields, .name = "horizonLimit",
              .dim_offset = offsetof(gp_report_horizon_limit, dim), .help = "A limit over time.");

static const gp_report_field horizon_fields[] = {
    GP_R_COUNT(gp_report_horizon, "nodes", nodes, "Machines that stand there at the end."),
    GP_R_COUNT(gp_report_horizon, "gpus", gpus, "Their GPUs."),
    GP_R_COUNT(gp_report_horizon, "racks", racks, "Rack positions."),
    GP_R_COUNT(gp_report_horizon, "leaf", leaf, "Leaf switches of all compute fabrics."),
    GP_R_COUNT(gp_report_horizon, "spine", spine, "Spine switches, built with the first phase."),
    GP_R_COUNT(gp_report_horizon, "core", core, "Core switches, built with the first phase."),
    GP_R_COUNT(gp_report_horizon, "earlySpine", early_spine,
               "Spines and cores of the first phase that only later phases need."),
    GP_R_REAL(gp_report_horizon, "itW", it_w, GP_DIM_POWER, "IT power that the shell carries."),
    GP_R_REAL(gp_report_horizon, "facilityW", facility_w, GP_DIM_POWER,
              "Facility power, at the design PUE."),
    GP_R_REAL(gp_report_horizon, "airW", air_w, GP_DIM_POWER, "Heat to air."),
    GP_R_REAL(gp_report_horizon, "liquidW", liquid_w, GP_DIM_POWER, "Heat to coolant."),
    GP_R_LIST(gp_report_horizon, "limits", limits, gp_report_horizon_limit, horizon_limit_type,
              "Limits over the horizon."),
};
static const gp_report_struct horizon_type =
    GP_R_TYPE(gp_report_horizon, horizon_fields, .name = "horizon",
              .help = "What is built once, for the whole horizon of growth.");

static const gp_report_field site_fields[] = {
    GP_R_BOOL(gp_report_site, "declared", declared, "The spec describes the site."),
    GP_R_STRUCT(gp_report_site, "power", power, gp_report_power, power_type, "Electric power."),
    GP_R_STRUCT(gp_report_site, "cooling", cooling, gp_report_cooling, cooling_type, "Heat."),
    GP_R_LIST(gp_report_site, "racks", racks, gp_report_rack, rack_type, "Racks."),
    GP_R_LIST(gp_report_site, "fabrics", fabrics, gp_report_fabric, fabric_type, "Networks."),
    GP_R_LIST(gp_report_site, "limits", limits, gp_report_limit, limit_type, "Shared limits."),
    GP_R_LIST(gp_report_site, "bill", bill, gp_report_bill, bill_type, "Bill of quantities."),
    GP_R_STRUCT(gp_report_site, "reliability", reliability, gp_report_reliability, reliability_type,
                "Failures."),
    GP_R_STRUCT(gp_report_site, "storage", storage, gp_report_storage, storage_type, "Storage."),
    GP_R_STRUCT(gp_report_site, "schedule", schedule, gp_report_schedule, gp_report_schedule_type,
                "Machines over time."),
    GP_R_REAL(gp_report_site, "deliveryKg", delivery_kg, GP_DIM_MASS,
              "Machines and switches to buy, as far as their weight is known."),
    {.key = "maintenanceEveryS",
     .kind = GP_REPORT_REAL,
     .offset = GP_OFFSET(gp_report_site, maintenance_every_s, double),
     .dim = GP_DIM_TIME,
     .omit_absent = true,
     .help = "From one maintenance window to the next."},
    {.key = "maintenanceS",
     .kind = GP_REPORT_REAL,
     .offset = GP_OFFSET(gp_report_site, maintenance_s, double),
     .dim = GP_DIM_TIME,
     .omit_absent = true,
     .help = "Length of a window in which everything stands still."},
    GP_R_OPTIONAL(gp_report_site, "horizon", horizon, gp_report_horizon, horizon_type,
                  "What is built once, for the whole horizon of growth."),
};
const gp_report_struct gp_report_site_type =
    GP_R_TYPE(gp_report_site, site_fields, .name = "site", .help = "The whole of the plan.");

static const gp_report_field burst_fields[] = {
    GP_R_COUNT(gp_report_burst, "ownedGpus", owned_gpus, "GPUs worth owning."),
    GP_R_COUNT(gp_report_burst, "peakGpus", peak_gpus, "GPUs at the busiest hour."),
    GP_R_REAL(gp_report_burst, "burstFraction", burst_fraction, GP_DIM_FRACTION,
              "Share of the GPU-hours that is cheaper in the cloud."),
    GP_R_EXACT(gp_report_burst, "costPerYear", cost_per_year, GP_DIM_MONEY, "Both together."),
    GP_R_EXACT(gp_report_burst, "allOwnedPerYear", all_owned_per_year, GP_DIM_MONEY,
               "Owning the peak."),
    GP_R_EXACT(gp_report_burst, "allRentedPerYear", all_rented_per_year, GP_DIM_MONEY,
               "Renting every hour."),
};
static const gp_report_struct burst_type =
    GP_R_TYPE(gp_report_burst, burst_fields, .name = "burst",
              .help = "How much of a demand that varies by the hour to own.");

static const gp_report_field cost_fields[] = {
    GP_R_STRING(gp_report_cost, "currency", currency, "Currency of all figures."),
    GP_R_BOOL(gp_report_cost, "complete", complete, "Every item has a price."),
    GP_R_STRINGS(gp_report_cost, "missing", missing, "What has no price."),
    GP_R_EXACT(gp_report_cost, "capital", capital, GP_DIM_MONEY, "Purchase price."),
    GP_R_EXACT(gp_report_cost, "budgetCapital", budget_capital, GP_DIM_MONEY, "Budget for it."),
    GP_R_EXACT(gp_report_cost, "capitalPerYear", capital_per_year, GP_DIM_MONEY,
               "Purchase price spread over its life."),
    GP_R_EXACT(gp_report_cost, "energyPerYear", energy_per_year, GP_DIM_MONEY, "Energy."),
    GP_R_EXACT(gp_report_cost, "colocationPerYear", colocation_per_year, GP_DIM_MONEY,
               "Colocation."),
    GP_R_EXACT(gp_report_cost, "supportPerYear", support_per_year, GP_DIM_MONEY, "Support."),
    GP_R_EXACT(gp_report_cost, "staffPerYear", staff_per_year, GP_DIM_MONEY, "Staff."),
    GP_R_EXACT(gp_report_cost, "licensesPerYear", licenses_per_year, GP_DIM_MONEY, "Licences."),
    GP_R_EXACT(gp_report_cost, "rentPerYear", rent_per_year, GP_DIM_MONEY, "Rented machines."),
    GP_R_EXACT(gp_report_cost, "linksPerYear", links_per_year, GP_DIM_MONEY,
               "Links between sites."),
    GP_R_EXACT(gp_report_cost, "totalPerYear", total_per_year, GP_DIM_MONEY, "All of it."),
    GP_R_EXACT(gp_report_cost, "budgetPerYear", budget_per_year, GP_DIM_MONEY, "Budget for it."),
    GP_R_STRING(gp_report_cost, "cloud", cloud_id,
                "Cheapest on-demand instance with the same GPUs, by the catalogue."),
    GP_R_STRING(gp_report_cost, "cloudDate", cloud_date, "When its price held."),
    GP_R_EXACT(gp_report_cost, "cloudPerGpuHour", cloud_per_gpu_hour, GP_DIM_MONEY,
               "Its price of a GPU-hour."),
    GP_R_EXACT(gp_report_cost, "ownPerGpuHour", own_per_gpu_hour, GP_DIM_MONEY,
               "Cost of a GPU-hour of what is bought, at full use."),
    GP_R_REAL(gp_report_cost, "breakEvenFraction", break_even_fraction, GP_DIM_FRACTION,
              "Use from which owning is cheaper."),
    GP_R_REAL(gp_report_cost, "breakEvenS", break_even_s, GP_DIM_TIME,
              "Time after which rent would have cost more, at full use."),
    GP_R_REAL(gp_report_cost, "deliveredFraction", delivered_fraction, GP_DIM_FRACTION,
              "Share of the GPU-hours that computes, by the schedule and the goodput."),
    GP_R_EXACT(gp_report_cost, "deliveredPerGpuHour", delivered_per_gpu_hour, GP_DIM_MONEY,
               "Cost of a GPU-hour that computes."),
    GP_R_STRINGS(gp_report_cost, "excluded", excluded, "What the total leaves out."),
    GP_R_STRING(gp_report_cost, "quoteValidUntil", quote_valid_until,
                "The first day on which a price list ends."),
    GP_R_OPTIONAL(gp_report_cost, "burst", burst, gp_report_burst, burst_type,
                  "Owned base and rented bursts."),
};
const gp_report_struct gp_report_cost_type =
    GP_R_TYPE(gp_report_cost, cost_fields, .name = "cost", .help = "What it costs.");

static const gp_report_field growth_fields[] = {
    GP_R_STRING(gp_report_growth, "quarter", quarter, "The quarter."),
    GP_R_COUNT(gp_report_growth, "gpus", gpus, "GPUs needed."),
    GP_R_COUNT(gp_report_growth, "nodes", nodes, "Machines needed."),
    GP_R_COUNT(gp_report_growth, "nodesLow", nodes_low, "Machines by the low scenario."),
    GP_R_COUNT(gp_report_growth, "nodesHigh", nodes_high, "Machines by the high scenario."),
    GP_R_COUNT(
        gp_report_growth, "buyNodes", buy_nodes,
        "Machines bought for the quarter, beyond all that is there or was bought before; in the "
        "first, with those that the plan buys."),
    GP_R_STRING(gp_report_growth, "orderBy", order_by,
                "When to order them: growth.leadTime.gpus before the quarter."),
    GP_R_STRING(gp_report_growth, "orderFabricBy", order_fabric_by,
                "When to order the switches that are added: growth.leadTime.fabric before."),
    GP_R_STRING(gp_report_growth, "orderPowerBy", order_power_by,
                "When to order power that the site does not have: growth.leadTime.power before."),
    GP_R_REAL(gp_report_growth, "facilityW", facility_w, GP_DIM_POWER, "Peak facility power."),
    GP_R_STRING(gp_report_growth, "limitHit", limit_hit, "The first limit passed, if any."),
    GP_R_COUNT(gp_report_growth, "standNodes", stand_nodes,
               "Machines there: what is bought stays, whatever the need."),
    GP_R_COUNT(gp_report_growth, "racks", racks, "Racks they take."),
    GP_R_COUNT(gp_report_growth, "switches", switches, "Switches of all compute fabrics."),
    GP_R_REAL(gp_report_growth, "itW", it_w, GP_DIM_POWER,
              "Largest sustained IT power of all of it."),
    GP_R_COUNT(gp_report_growth, "rentNodes", rent_nodes,
               "Machines rented for what no limit of the site leaves room."),
    GP_R_STRING(gp_report_growth, "rentFrom", rent_from, "Where: cloud:ID."),
    GP_R_EXACT(gp_report_growth, "rentPerYear", rent_per_year, GP_DIM_MONEY,
               "Rent of a year at this quarter's rate."),
    GP_R_EXACT(gp_report_growth, "capital", capital, GP_DIM_MONEY,
               "Spent so far: the first phase, then machines and compute switches."),
};
const gp_report_struct gp_report_growth_type =
    GP_R_TYPE(gp_report_growth, growth_fields, .name = "growth", .name_key = "quarter",
              .help = "Need in one quarter.");

static const gp_report_field tool_fields[] = {
    GP_R_STRING(gp_report_tool, "name", name, "gpuplan."),
    GP_R_STRING(gp_report_tool, "version", version, "Its version."),
};
const gp_report_struct gp_report_tool_type =
    GP_R_TYPE(gp_report_tool, tool_fields, .name = "tool", .help = "What wrote the report.");

static const gp_report_field place_fields[] = {
    GP_R_STRING(gp_report_place, "name", name, "Name of the site."),
    GP_R_COUNT(gp_report_place, "gpus", gpus, "GPUs that workloads hold there."),
    GP_R_COUNT(gp_report_place, "nodes", nodes, "Machines that workloads hold there."),
    GP_R_COUNT(gp_report_place, "standNodes", stand_nodes,
               "Machines there, those that no workload holds too."),
    GP_R_COUNT(gp_report_place, "boughtNodes", bought_nodes, "Machines to buy of those."),
    GP_R_COUNT(gp_report_place, "racks", racks, "Racks they take."),
    GP_R_EXACT(gp_report_place, "capital", capital, GP_DIM_MONEY, "Purchase price."),
    GP_R_EXACT(gp_report_place, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "Cost of a year, staff apart; null where a price is missing."),
    GP_R_STRUCT(gp_report_place, "site", site, gp_report_site, gp_report_site_type,
                "Power, cooling, racks, networks."),
};
const gp_report_struct gp_report_place_type =
    GP_R_TYPE(gp_report_place, place_fields, .name = "place", .name_key = "name",
              .help = "One of several sites.");

static const gp_report_field whole_fields[] = {
    GP_R_STRING(gp_report_whole, "system", system,
                "Catalogue id of the machine that everything runs on; null: on any."),
    GP_R_STRING(gp_report_whole, "product", product, "The same by its maker's name."),
    GP_R_STRING(gp_report_whole, "where", where, "owned, or cloud:ID."),
    GP_R_COUNT(gp_report_whole, "held", held, "Workloads that it holds, of all."),
    GP_R_COUNT(gp_report_whole, "gpus", gpus, "GPUs it takes."),
    GP_R_COUNT(gp_report_whole, "nodes", nodes, "Machines it takes."),
    GP_R_COUNT(gp_report_whole, "boughtNodes", bought_nodes, "Machines to buy of those."),
    GP_R_COUNT(gp_report_whole, "rentedNodes", rented_nodes, "Machines to rent of those."),
    GP_R_REAL(gp_report_whole, "itPowerW", it_power_w, GP_DIM_POWER, "Largest sustained IT power."),
    GP_R_REAL(gp_report_whole, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "Peak facility power."),
    GP_R_EXACT(gp_report_whole, "costPerYear", cost_per_year, GP_DIM_MONEY,
               "Cost of a year; null where a price is missing."),
    GP_R_STRING(gp_report_whole, "passed", passed,
                "The first limit of the site that it passes; null: none."),
};
static const gp_report_struct whole_type =
    GP_R_TYPE(gp_report_whole, whole_fields, .name = "whole",
              .help = "The whole plan on other terms, placed anew.");

static const gp_report_field summary_fields[] = {
    GP_R_BOOL(gp_report_summary, "feasible", feasible, "Every workload has a layout that holds."),
    GP_R_STRING(gp_report_summary, "objective", objective, "What was minimized."),
    GP_R_STRING(gp_report_summary, "confidence", confidence,
                "Edge of the error band that goals are judged by."),
    GP_R_COUNT(gp_report_summary, "gpus", gpus, "GPUs recommended."),
    GP_R_COUNT(gp_report_summary, "nodes", nodes, "Machines recommended."),
    GP_R_COUNT(gp_report_summary, "racks", racks, "Racks they take."),
    GP_R_REAL(gp_report_summary, "itPowerW", it_power_w, GP_DIM_POWER,
              "Largest sustained IT power."),
    GP_R_REAL(gp_report_summary, "facilityPowerW", facility_power_w, GP_DIM_POWER,
              "Peak facility power."),
    GP_R_REAL(gp_report_summary, "itMeanPowerW", it_mean_power_w, GP_DIM_POWER,
              "IT power under the planned load."),
    GP_R_REAL(gp_report_summary, "facilityMeanPowerW", facility_mean_power_w, GP_DIM_POWER,
              "Facility power under the planned load."),
    GP_R_COUNT(gp_report_summary, "ownedNodes", owned_nodes, "Machines that are there."),
    GP_R_COUNT(gp_report_summary, "standNodes", stand_nodes,
               "Machines on the site, those that no workload holds too."),
    GP_R_COUNT(gp_report_summary, "boughtNodes", bought_nodes, "Machines to buy."),
    GP_R_COUNT(gp_report_summary, "rentedNodes", rented_nodes, "Machines to rent."),
    GP_R_EXACT(gp_report_summary, "capital", capital, GP_DIM_MONEY, "Purchase price."),
    GP_R_EXACT(gp_report_summary, "costPerYear", cost_per_year, GP_DIM_MONEY, "Cost of a year."),
    GP_R_BOOL(gp_report_summary, "objectiveWasAuto", objective_was_auto,
              "The objective was chosen by what has a price."),
    GP_R_STRING(gp_report_summary, "otherObjective", other_objective,
                "An objective that would change a verdict."),
    GP_R_STRING(gp_report_summary, "plan", plan, "Name of the plan."),
    GP_R_OPTIONAL(gp_report_summary, "atExpected", at_expected, gp_report_whole, whole_type,
                  "What would do if all goes as expected; null where that was not worked out."),
};
static const gp_report_struct summary_type =
    GP_R_TYPE(gp_report_summary, summary_fields, .name = "summary", .help = "The answer in short.");

static const gp_report_field check_fields[] = {
    GP_R_WORD(gp_report_check, "id", id, check_words, "The check."),
    GP_R_WORD(gp_report_check, "level", level, check_levels, "Worst level of its rules."),
    GP_R_STRING(gp_report_check, "reason", reason, "Why."),
    GP_R_STRINGS(gp_report_check, "findings", findings, "Ids of the findings that count."),
    GP_R_STRINGS(gp_report_check, "missing", missing, "Spec keys to add for an assessment."),
};
static const gp_report_struct check_type =
    GP_R_TYPE(gp_report_check, check_fields, .name = "check", .name_key = "id",
              .help = "One of the five checks.");

static const gp_report_field report_fields[] = {
    GP_R_STRING(gp_report, "schemaVersion", schema_version, "Version of this form."),
    GP_R_STRUCT(gp_report, "tool", tool, gp_report_tool, gp_report_tool_type,
                "What wrote the report."),
    GP_R_STRUCT(gp_report, "inputs", inputs, gp_report_inputs, gp_report_inputs_type,
                "All that the report rests on."),
    GP_R_STRUCT(gp_report, "summary", summary, gp_report_summary, summary_type,
                "The answer in short."),
    GP_R_LIST(gp_report, "checks", checks, gp_report_check, check_type, "The five checks."),
    GP_R_LIST(gp_report, "platforms", platforms, gp_report_whole, whole_type,
              "The plan on one kind of machine each, where there are several; limits of the site "
              "are told, not kept to."),
    GP_R_LIST(gp_report, "workloads", workloads, gp_report_workload, gp_report_workload_type,
              "One entry per workload, in spec order."),
    GP_R_STRUCT(gp_report, "site", site, gp_report_site, gp_report_site_type,
                "Power, cooling, racks, networks."),
    {.key = "sites",
     .kind = GP_REPORT_LIST,
     .offset = GP_LIST_OFFSET(gp_report, sites, gp_report_place),
     .nested = &gp_report_place_type,
     .omit_absent = true,
     .help = "Each of several sites by itself; `site` is their sum."},
    {.key = "teams",
     .kind = GP_REPORT_LIST,
     .offset = GP_LIST_OFFSET(gp_report, teams, gp_report_team),
     .nested = &gp_report_team_type,
     .omit_absent = true,
     .help = "Teams that share the machines."},
    GP_R_STRUCT(gp_report, "cost", cost, gp_report_cost, gp_report_cost_type, "What it costs."),
    GP_R_LIST(gp_report, "growth", growth, gp_report_growth, gp_report_growth_type,
              "Need by quarter."),
    GP_R_LIST(gp_report, "findings", findings, gp_report_finding, gp_report_finding_type,
              "Remarks, gravest first."),
    GP_R_LIST(gp_report, "assumptions", assumptions, gp_report_assumption,
              gp_report_assumption_type, "Values that nobody stated, most important first."),
    GP_R_STRUCT(gp_report, "data", data, gp_report_data, gp_report_data_type,
                "Quality of the data."),
    GP_R_MAP(gp_report, "provenance", provenance, gp_report_provenance, gp_report_provenance_type,
             "Where figures come from, by JSON pointer."),
};
const gp_report_struct gp_report_type =
    GP_R_TYPE(gp_report, report_fields, .name = "report", .help = "A sizing report.");
