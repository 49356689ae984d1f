/* The rows: figures of the site, of money and of growth (docs/formulas.md). */
#include "report/site_steps.h"

#define PHYSICS  "definition"
#define SUPERPOD "NVIDIA SuperPOD reference architectures, exact on 25 published rows"
#define JUDGED   "gpuplan's rule"

#define FIGURE(p)                                                                                  \
    { .kind = GP_INPUT_FIGURE, .path = p }
#define FIELD(r, type, member)                                                                     \
    { .kind = GP_INPUT_FIELD, .root = r, .offset = offsetof(type, member) }
#define FIELD_OR(r, type, member, constant)                                                        \
    {                                                                                              \
        .kind = GP_INPUT_FIELD, .root = r, .offset = offsetof(type, member),                       \
        .otherwise = offsetof(gp_constants, constant)                                              \
    }
#define PUE_LAW                                                                                    \
    "as given, else 1 / (UPS x distribution) + air share x air handlers + liquid share x pumps + " \
    "chilled share x chillers + the rest x dry coolers + base"
/* A constant of the law that stands in for what the first input states. */
#define OTHERWISE(member)                                                                          \
    {                                                                                              \
        .kind = GP_INPUT_FIELD, .root = GP_ROOT_CONSTANTS,                                         \
        .offset = offsetof(gp_constants, member), .unless_stated = true                            \
    }
#define PUE_PARTS                                                                                  \
    OTHERWISE(facility_ups_fraction), OTHERWISE(facility_distribution_fraction),                   \
        OTHERWISE(facility_air_handler_fraction), OTHERWISE(facility_chiller_fraction),            \
        OTHERWISE(facility_pump_fraction), OTHERWISE(facility_dry_cooler_fraction),                \
        OTHERWISE(facility_base_fraction)
#define CONSTANT(member) FIELD(GP_ROOT_CONSTANTS, gp_constants, member)
#define STEP(figure, also, term, law, from, ...)                                                   \
    {                                                                                              \
        .path = figure, .alias = also, .name = term, .formula = law, .source = from, .inputs = {   \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define LIST(k)                                                                                    \
    { .kind = k }
#define LINES(ending)                                                                              \
    { .kind = GP_INPUT_POWER_LINES, .path = ending }

const gp_site_step gp_site_steps[] = {
    STEP("site.power.itW", "summary.itPowerW", "itPower",
         "sum over the bill of count x largest sustained power of one", PHYSICS, LINES("")),
    STEP("site.power.itMeanW", "summary.itMeanPowerW", "itMeanPower",
         "machines at the load of their workloads + switches, storage and system nodes at their "
         "largest",
         PHYSICS, LIST(GP_INPUT_WORKLOAD_POWER), FIGURE("site.power.systemW"),
         FIGURE("site.power.networkW"), FIGURE("site.power.storageW")),
    STEP("site.power.networkW", NULL, "networkPower", "sum over the switches of the bill", PHYSICS,
         LINES("switch")),
    STEP("site.power.storageW", NULL, "storagePower", "sum over the storage of the bill", PHYSICS,
         LINES("storage system")),
    STEP("site.power.systemW", NULL, "systemNodePower", "sum over the system nodes of the bill",
         PHYSICS, LINES("system node")),
    STEP("site.power.facilityW", "summary.facilityPowerW", "facilityPeakPower",
         "IT power x design PUE", PHYSICS, FIGURE("site.power.itW"),
         FIGURE("site.power.designPue")),
    STEP("site.power.facilityMeanW", "summary.facilityMeanPowerW", "facilityMeanPower",
         "IT power under load x annual PUE", PHYSICS, FIGURE("site.power.itMeanW"),
         FIGURE("site.power.annualPue")),
    STEP("site.power.energyJPerYear", NULL, "energyPerYear",
         "IT power x annual PUE x 8,760 h, each machine under load for the share of the year that "
         "it runs, and as cluster.idle says for the rest",
         PHYSICS, FIGURE("site.power.itMeanW"), LIST(GP_INPUT_BUSY),
         FIGURE("site.power.annualPue")),
    STEP("site.power.carbonKgPerYear", NULL, "carbonPerYear", "facility energy x grid intensity",
         PHYSICS, FIGURE("site.power.energyJPerYear"),
         FIELD(GP_ROOT_ENERGY, gp_site_energy, carbon_kg_per_j),
         FIELD(GP_ROOT_ENERGY, gp_site_energy, grid)),
    STEP("site.power.carbonMarketKgPerYear", NULL, "carbonMarketPerYear",
         "location-based x (1 - renewable share)", PHYSICS, FIGURE("site.power.carbonKgPerYear"),
         FIELD(GP_ROOT_ENERGY, gp_site_energy, renewable_fraction)),
    STEP("site.power.designPue", NULL, "designPue", PUE_LAW, JUDGED,
         FIELD(GP_ROOT_DESIGN_PUE, gp_pue_spec, pue), FIGURE("site.cooling.liquidHeatW"),
         PUE_PARTS),
    STEP("site.power.annualPue", NULL, "annualPue",
         PUE_LAW "; averaged over what draws power, machines at the planned load; at part load the "
                 "overhead is x (1 - fixed + fixed / load)",
         JUDGED, FIELD(GP_ROOT_ANNUAL_PUE, gp_pue_spec, pue),
         FIELD(GP_ROOT_COOLING, gp_site_cooling, climate),
         FIELD(GP_ROOT_POWER, gp_site_power, load_fraction), PUE_PARTS,
         OTHERWISE(facility_fixed_fraction)),
    STEP("site.power.transientW", NULL, "transientPower",
         "IT power under load + power of the training runs x (swing of gradient exchange - 1)",
         "ai-infrastructure.net", FIGURE("site.power.itMeanW"), FIGURE("site.power.trainingW"),
         CONSTANT(facility_transient_factor)),
    STEP("site.power.trainingW", NULL, "trainingPower",
         "power of all training runs on their machines, at most that of the site", JUDGED,
         FIGURE("site.power.itMeanW")),
    STEP("site.power.circuitW", NULL, "circuitPower",
         "sqrt(3) (three phases) x voltage x current x power factor x derating", PHYSICS,
         FIELD(GP_ROOT_CIRCUITS, gp_circuits, phases),
         FIELD(GP_ROOT_CIRCUITS, gp_circuits, voltage_v),
         FIELD(GP_ROOT_CIRCUITS, gp_circuits, current_a),
         FIELD(GP_ROOT_CIRCUITS, gp_circuits, power_factor),
         FIELD(GP_ROOT_CIRCUITS, gp_circuits, derate_fraction)),
    STEP("site.cooling.heatW", NULL, "heat", "IT power: all of it becomes heat", PHYSICS,
         FIGURE("site.power.itW")),
    STEP("site.cooling.airHeatW", NULL, "airHeat",
         "machines x (1 - share to liquid), switches, storage and system nodes", PHYSICS,
         LIST(GP_INPUT_HEAT), FIGURE("site.power.networkW"), FIGURE("site.power.storageW"),
         FIGURE("site.power.systemW")),
    STEP("site.cooling.liquidHeatW", NULL, "liquidHeat", "machines x share to liquid", PHYSICS,
         LIST(GP_INPUT_HEAT)),
    STEP("site.cooling.airflowM3PerS", NULL, "airflow",
         "air heat / (density at altitude x heat capacity x rise)",
         "INRES and Dell tables, within 2 to 5 %", FIGURE("site.cooling.airHeatW"),
         FIELD(GP_ROOT_SITE, gp_site, altitude_m),
         FIELD_OR(GP_ROOT_AIR, gp_site_air, delta_t_k, site_air_rise_k), CONSTANT(site_air_density),
         CONSTANT(site_air_heat_capacity), CONSTANT(site_air_exponent)),
    STEP("site.cooling.liquidFlowM3PerS", NULL, "liquidFlow",
         "liquid heat / (density x heat capacity x rise)", "OCP rule of 1.5 L/min per kW: 0.6 %",
         FIGURE("site.cooling.liquidHeatW"),
         FIELD_OR(GP_ROOT_LIQUID, gp_site_liquid, delta_t_k, site_liquid_rise_k),
         CONSTANT(site_liquid_density), CONSTANT(site_liquid_heat_capacity)),
    STEP("site.cooling.waterLPerYear", NULL, "waterPerYear",
         "IT energy of a year x WUE, as given, else tower water x chilled share", PHYSICS,
         FIGURE("site.power.itMeanW"), FIELD(GP_ROOT_COOLING, gp_site_cooling, wue_l_per_j),
         FIELD(GP_ROOT_COOLING, gp_site_cooling, climate), CONSTANT(facility_water_l_per_j)),
    STEP("site.cooling.units", NULL, "coolantUnits",
         "ceil(liquid heat / (capacity x planned load share)) + 1", JUDGED,
         FIGURE("site.cooling.liquidHeatW"), FIELD(GP_ROOT_CDU, gp_cooling_class, capacity_w),
         CONSTANT(facility_unit_derate_fraction)),
    STEP(
        "site.racks.*.nodesPerRack", NULL, "nodesPerRack",
        "smallest of rack power, air cooling, height and weight, each divided by that of a machine",
        PHYSICS, FIELD_OR(GP_ROOT_RACKS, gp_site_racks, max_power_w, site_rack_air_warning_w),
        FIELD(GP_ROOT_AIR, gp_site_air, per_rack_w),
        FIELD_OR(GP_ROOT_RACKS, gp_site_racks, height_u, site_rack_height_u),
        FIELD(GP_ROOT_RACKS, gp_site_racks, used_u),
        FIELD(GP_ROOT_RACKS, gp_site_racks, max_weight_kg),
        FIELD(GP_ROOT_SYSTEM, gp_system, max_power_w), FIELD(GP_ROOT_SYSTEM, gp_system, height_u),
        FIELD(GP_ROOT_SYSTEM, gp_system, weight_kg),
        FIELD(GP_ROOT_SYSTEM, gp_system, liquid_fraction)),
    STEP("site.racks.*.count", NULL, "racks", "ceil(machines / machines per rack)", PHYSICS,
         LIST(GP_INPUT_MACHINES), FIGURE("site.racks.*.nodesPerRack")),
    STEP("site.racks.*.powerW", NULL, "rackPower", "machines per rack x nameplate power of one",
         PHYSICS, FIGURE("site.racks.*.nodesPerRack"),
         FIELD(GP_ROOT_SYSTEM, gp_system, max_power_w)),
    STEP("site.racks.*.circuits", NULL, "rackCircuits",
         "ceil(rack power / circuit power), one more for N+1, twice as many for 2N", PHYSICS,
         FIGURE("site.racks.*.powerW"), FIGURE("site.power.circuitW"),
         FIELD(GP_ROOT_POWER, gp_site_power, redundancy)),
    STEP("site.fabrics.*.leaf", NULL, "leafSwitches",
         "units x rails x planes x ceil(unit nodes / leaf ports down)", SUPERPOD,
         FIGURE("site.fabrics.*.units"), FIGURE("site.fabrics.*.unitNodes"),
         FIGURE("site.fabrics.*.switchPorts"), FIGURE("site.fabrics.*.rateBitsPerS"),
         FIGURE("site.fabrics.*.oversubscription")),
    STEP("site.fabrics.*.spine", NULL, "spineSwitches",
         "smallest divisor of a leaf's uplinks >= leaves x uplinks / radix; 3 tiers: / (radix / 2)",
         SUPERPOD, FIGURE("site.fabrics.*.leaf"), FIGURE("site.fabrics.*.tiers"),
         FIGURE("site.fabrics.*.switchPorts"), FIGURE("site.fabrics.*.oversubscription")),
    STEP("site.fabrics.*.core", NULL, "coreSwitches", "spines x (radix / 2) / radix", SUPERPOD,
         FIGURE("site.fabrics.*.spine"), FIGURE("site.fabrics.*.tiers")),
    STEP("site.fabrics.*.cables.nodeLeaf", NULL, "hostCables", "hosts x ports of one", SUPERPOD,
         FIGURE("site.fabrics.*.hosts"), FIGURE("site.fabrics.*.rateBitsPerS")),
    STEP("site.fabrics.*.cables.leafSpine", NULL, "uplinkCables",
         "leaves x uplinks, installed for whole scalable units", SUPERPOD,
         FIGURE("site.fabrics.*.leaf"), FIGURE("site.fabrics.*.unitNodes"),
         FIGURE("site.fabrics.*.oversubscription")),
    STEP("site.fabrics.*.transceivers", NULL, "transceivers",
         "one at the host end; one per port at the switches", JUDGED,
         FIGURE("site.fabrics.*.cables.nodeLeaf"), FIGURE("site.fabrics.*.cables.leafSpine"),
         FIGURE("site.fabrics.*.cables.spineCore")),
    STEP("site.storage.writeBytesPerS", NULL, "storageWrite",
         "largest of checkpoint / (interval x share of the time) and the rate assumed in run times",
         "arXiv 2410.21680", LIST(GP_INPUT_CHECKPOINTS), CONSTANT(storage_stall_fraction),
         CONSTANT(run_storage_write_bytes_per_s)),
    STEP("site.storage.readBytesPerS", NULL, "storageRead",
         "largest of checkpoint / restart time, weights x replicas / start time, and training data",
         "arXiv 2410.21680", LIST(GP_INPUT_CHECKPOINTS), CONSTANT(storage_restart_s),
         CONSTANT(storage_start_s)),
    STEP("site.storage.capacityBytes", NULL, "storageCapacity",
         "checkpoints kept + training data + weights", JUDGED, LIST(GP_INPUT_CHECKPOINTS),
         CONSTANT(storage_kept_count), CONSTANT(run_token_bytes)),
    STEP("site.storage.products", NULL, "storageProducts",
         "largest number that write rate, read rate and capacity need", JUDGED,
         FIGURE("site.storage.writeBytesPerS"), FIGURE("site.storage.readBytesPerS"),
         FIGURE("site.storage.capacityBytes"),
         FIELD(GP_ROOT_STORAGE, gp_storage_product, read_bytes_per_s),
         FIELD(GP_ROOT_STORAGE, gp_storage_product, write_bytes_per_s),
         FIELD(GP_ROOT_STORAGE, gp_storage_product, usable_bytes),
         CONSTANT(storage_write_of_read_fraction)),
    STEP("site.reliability.interruptionsPerMonth", NULL, "interruptionsPerMonth",
         "GPUs on site x month / mean time to failure of one", "arXiv 2410.21680",
         LIST(GP_INPUT_STANDING), CONSTANT(run_gpu_mttf_s)),
    STEP(
        "site.reliability.spareNodes", NULL, "spareMachines",
        "per machine type: largest number of failures at a time, at the confidence level (Poisson)",
        "arXiv 2509.16293", LIST(GP_INPUT_STANDING), CONSTANT(run_gpu_mttf_s),
        CONSTANT(run_repair_s), CONSTANT(run_spare_confidence)),
    STEP("cost.capital", "summary.capital", "capital", "sum over the bill of number to buy x price",
         PHYSICS, LIST(GP_INPUT_PRICE_LINES)),
    STEP("cost.capitalPerYear", NULL, "capitalPerYear",
         "(capital - residual / (1+i)^n) x i (1+i)^n / ((1+i)^n - 1)", PHYSICS,
         FIGURE("cost.capital"), FIELD(GP_ROOT_COSTS, gp_costs, amortization_s),
         FIELD(GP_ROOT_COSTS, gp_costs, discount_per_s),
         FIELD(GP_ROOT_COSTS, gp_costs, residual_fraction)),
    STEP("cost.energyPerYear", NULL, "energyCostPerYear", "energy of a year x price", PHYSICS,
         FIGURE("site.power.energyJPerYear"), FIELD(GP_ROOT_ENERGY, gp_site_energy, price_per_j)),
    STEP("cost.colocationPerYear", NULL, "colocationPerYear", "largest sustained IT power x price",
         PHYSICS, FIGURE("site.power.itW"), FIELD(GP_ROOT_COSTS, gp_costs, colocation_per_w_s)),
    STEP("cost.supportPerYear", NULL, "supportPerYear", "capital x share a year", PHYSICS,
         FIGURE("cost.capital"), FIELD(GP_ROOT_COSTS, gp_costs, support_per_s)),
    STEP("cost.staffPerYear", NULL, "staffPerYear", "as given", PHYSICS,
         FIELD(GP_ROOT_COSTS, gp_costs, staff_per_s)),
    STEP("cost.licensesPerYear", NULL, "licencesPerYear", "GPUs x price", PHYSICS,
         FIGURE("summary.gpus"), FIELD(GP_ROOT_COSTS, gp_costs, licenses_per_gpu_s)),
    STEP("cost.rentPerYear", NULL, "rentPerYear",
         "machines in a cloud x price x hours that are paid for: all of them where it is reserved",
         PHYSICS, LIST(GP_INPUT_RENTS)),
    STEP("cost.linksPerYear", NULL, "linksPerYear", "sum of link rents", PHYSICS,
         LIST(GP_INPUT_LINKS)),
    STEP("cost.totalPerYear", "summary.costPerYear", "costPerYear",
         "capital + energy + colocation + support + staff + licences + rent + links", PHYSICS,
         FIGURE("cost.capitalPerYear"), FIGURE("cost.energyPerYear"),
         FIGURE("cost.colocationPerYear"), FIGURE("cost.supportPerYear"),
         FIGURE("cost.staffPerYear"), FIGURE("cost.licensesPerYear"), FIGURE("cost.rentPerYear"),
         FIGURE("cost.linksPerYear")),
    STEP("cost.ownPerGpuHour", NULL, "ownPerGpuHour",
         "(cost per year - rent) / (GPUs bought x 8,760 h)", PHYSICS, FIGURE("cost.totalPerYear"),
         FIGURE("cost.rentPerYear"), FIGURE("summary.gpus")),
    STEP("cost.cloudPerGpuHour", NULL, "cloudPerGpuHour", "price of the instance / its GPUs",
         PHYSICS, FIELD(GP_ROOT_RENT, gp_cloud, on_demand_usd_per_s),
         FIELD(GP_ROOT_QUOTE, gp_price, price_per_s), FIELD(GP_ROOT_CLOUD, gp_cloud, gpus)),
    STEP("cost.breakEvenFraction", NULL, "breakEvenUse",
         "own GPU-hour at full use / rented GPU-hour", PHYSICS, FIGURE("cost.ownPerGpuHour"),
         FIGURE("cost.cloudPerGpuHour")),
    STEP("cost.breakEvenS", NULL, "breakEvenTime", "capital / (rent saved - running cost)", PHYSICS,
         FIGURE("cost.capital"), FIGURE("cost.cloudPerGpuHour"), FIGURE("cost.energyPerYear"),
         FIGURE("cost.colocationPerYear"), FIGURE("cost.supportPerYear"),
         FIGURE("cost.staffPerYear"), FIGURE("cost.licensesPerYear"), FIGURE("summary.gpus")),
    STEP("cost.deliveredFraction", NULL, "deliveredShare",
         "(sum of GPUs x share of the time that computes x goodput) / GPUs installed", PHYSICS,
         LIST(GP_INPUT_BUSY)),
    STEP("cost.deliveredPerGpuHour", NULL, "deliveredPerGpuHour",
         "cost per year / (GPUs installed x 8,760 h x share delivered)", PHYSICS,
         FIGURE("cost.totalPerYear"), FIGURE("summary.standGpus"),
         FIGURE("cost.deliveredFraction")),
    STEP("cost.burst.ownedGpus", NULL, "gpusWorthOwning",
         "GPUs needed for a larger share of the time than own / rented GPU-hour (newsvendor)",
         PHYSICS, FIGURE("cost.burst.peakGpus"), FIGURE("cost.ownPerGpuHour"),
         FIGURE("cost.cloudPerGpuHour")),
    STEP("growth.*.nodes", NULL, "machinesInQuarter",
         "machines that stand with all that was bought by then + machines rented", PHYSICS,
         FIGURE("growth.*.standNodes"), FIGURE("growth.*.buyNodes"), FIGURE("growth.*.rentNodes")),
    STEP("growth.*.buyNodes", NULL, "purchaseInQuarter",
         "sum over workloads of machines for demand x (1 + rate)^periods, beyond those that stand, "
         "in whole modules",
         JUDGED, LIST(GP_INPUT_DEMAND), FIELD(GP_ROOT_GROWTH, gp_growth, start),
         FIELD(GP_ROOT_GROWTH, gp_growth, module_nodes),
         FIELD(GP_ROOT_LEAD_TIME, gp_lead_time, gpus_s)),
    STEP("growth.*.facilityW", NULL, "facilityPowerInQuarter",
         "largest power of the machines and their switches x design PUE", PHYSICS,
         LIST(GP_INPUT_DEMAND), FIGURE("site.power.designPue")),
};
const size_t gp_site_step_count = sizeof gp_site_steps / sizeof gp_site_steps[0];
