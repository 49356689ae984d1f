/* Descriptor tables of cloud instances, grid carbon and facility overheads. */
#include "catalog/fields.h"
#include "catalog/words.h"

static const gp_field cloud_fields[] = {
    GP_ROW_FIELDS(gp_cloud, "clouds"),
    GP_STRING(gp_cloud, "provider", provider, .help = "Cloud provider."),
    GP_STRING(gp_cloud, "instance", instance, .help = "Instance type as the provider names it."),
    GP_STRING(gp_cloud, "gpu", gpu, .flags = GP_FIELD_CATALOG_REF, .ref = "gpus",
              .help = "The GPU in it."),
    GP_STRING(gp_cloud, "gpuName", gpu_name,
              .help = "The GPU as the provider prints it, where no row matches."),
    GP_COUNT(gp_cloud, "gpus", gpus, GP_RANGE(1, 1e6), .help = "GPUs of one instance."),
    GP_COUNT(gp_cloud, "cpuCores", cpu_cores, GP_RANGE(1, 1e6), .help = "Virtual CPUs."),
    GP_QUANTITY(gp_cloud, "memory", memory_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e16),
                .help = "Host memory."),
    GP_QUANTITY(gp_cloud, "network", network_bits_per_s, GP_DIM_BITS_PER_S, GP_ABOVE(0, 1e15),
                .help = "Network rate of the whole instance."),
    GP_QUANTITY(gp_cloud, "onDemand", on_demand_usd_per_s, GP_DIM_MONEY_PER_S, GP_ABOVE(0, 1e6),
                .help = "On-demand price of the instance."),
    GP_QUANTITY(gp_cloud, "spot", spot_usd_per_s, GP_DIM_MONEY_PER_S, GP_ABOVE(0, 1e6),
                .help = "Spot price of the instance."),
    GP_STRING(gp_cloud, "region", region, .help = "Region the prices hold in."),
    GP_STRING(gp_cloud, "term", term, .help = "Contract the prices belong to."),
};

const gp_struct gp_cloud_type =
    GP_TYPE(gp_cloud, cloud_fields, .name = "cloud", .help = "A cloud instance type with GPUs.");

static const gp_field grid_fields[] = {
    GP_ROW_FIELDS(gp_grid, "grids"),
    GP_STRING(gp_grid, "zone", zone, .help = "Zone of the electricity grid."),
    GP_STRING(gp_grid, "region", region, .help = "Code of the zone."),
    GP_QUANTITY(gp_grid, "value", carbon_kg_per_j, GP_DIM_CARBON_PER_J, GP_RANGE(0, 1e-5),
                .help = "Location-based annual average carbon intensity."),
    GP_COUNT(gp_grid, "year", year, GP_RANGE(1990, 2100), .help = "Year the figure is for."),
};

const gp_struct gp_grid_type = GP_TYPE(gp_grid, grid_fields, .name = "grid",
                                       .help = "Carbon intensity of an electricity grid.");

static const gp_field pue_fields[] = {
    GP_ROW_FIELDS(gp_pue, "pues"),
    GP_STRING(gp_pue, "operator", operator_name, .help = "Operator of the facilities."),
    GP_STRING(gp_pue, "region", region, .help = "Region the figure is for."),
    GP_QUANTITY(gp_pue, "value", pue, GP_DIM_NONE, GP_RANGE(1, 10),
                .help = "Power usage effectiveness."),
    GP_QUANTITY(gp_pue, "wue", wue_l_per_j, GP_DIM_WATER_PER_J, GP_RANGE(0, 1e-3),
                .help = "Water usage effectiveness."),
    GP_COUNT(gp_pue, "year", year, GP_RANGE(1990, 2100), .help = "Year the figure is for."),
};

const gp_struct gp_pue_type =
    GP_TYPE(gp_pue, pue_fields, .name = "pue", .help = "Published facility overhead.");
