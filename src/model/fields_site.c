/* Descriptor tables of a site: power, cooling, racks and energy. */
#include "model/fields.h"

static const gp_field pue_fields[] = {
    GP_QUANTITY(gp_pue_spec, "pue", pue, GP_DIM_NONE, GP_RANGE(1, 5), .flags = GP_FIELD_REQUIRED,
                .help = "Power usage effectiveness."),
};

static const gp_struct pue_type = GP_TYPE(gp_pue_spec, pue_fields, .name = "pueSpec",
                                          .scalar_key = "pue", .help = "Facility overhead.");

static const gp_field circuit_fields[] = {
    GP_COUNT(gp_circuits, "phases", phases, GP_RANGE(1, 3), .flags = GP_FIELD_REQUIRED,
             .help = "Phases of one rack circuit: 1 or 3."),
    GP_QUANTITY(gp_circuits, "voltage", voltage_v, GP_DIM_VOLTAGE, GP_ABOVE(0, 1e5),
                .flags = GP_FIELD_REQUIRED, .help = "Line voltage."),
    GP_QUANTITY(gp_circuits, "current", current_a, GP_DIM_CURRENT, GP_ABOVE(0, 1e5),
                .flags = GP_FIELD_REQUIRED, .help = "Breaker rating."),
    GP_QUANTITY(gp_circuits, "derate", derate_fraction, GP_DIM_FRACTION, GP_ABOVE(0, 1),
                .default_text = "80%", .help = "Share of the rating for continuous load."),
    GP_QUANTITY(gp_circuits, "powerFactor", power_factor, GP_DIM_NONE, GP_ABOVE(0, 1),
                .default_text = "0.95", .help = "Power factor of the load."),
};

static const gp_struct circuits_type = GP_TYPE(gp_circuits, circuit_fields, .name = "circuits",
                                               .help = "The circuit that feeds one rack.");

static const gp_field power_fields[] = {
    GP_QUANTITY(gp_site_power, "itCapacity", it_capacity_w, GP_DIM_POWER, GP_RANGE(0, 1e11),
                .help = "Power for IT equipment."),
    GP_COUNT(gp_site_power, "feeds", feeds, GP_RANGE(1, 16), .default_text = "1",
             .help = "Independent feeds; those of N and N+1 share a rack's circuits."),
    GP_ENUM(gp_site_power, "redundancy", redundancy, gp_redundancy_words, .default_text = "N",
            .help = "Redundancy of the power path."),
    GP_QUANTITY(gp_site_power, "load", load_fraction, GP_DIM_FRACTION, GP_ABOVE(0, 1),
                .default_text = "100%",
                .help = "Share of what the facility was built for that is in use, of all its "
                        "tenants: part load costs overhead where no annual PUE is stated."),
    GP_STRUCT(gp_site_power, "design", design, gp_pue_spec, pue_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "PUE on the hottest design day."),
    GP_STRUCT(gp_site_power, "annual", annual, gp_pue_spec, pue_type, .flags = GP_FIELD_WHEN_GIVEN,
              .help = "PUE over a year."),
    GP_STRUCT(gp_site_power, "circuits", circuits, gp_circuits, circuits_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "The circuit that feeds one rack."),
    GP_QUANTITY(gp_site_power, "gpuPowerCap", cap_fraction, GP_DIM_FRACTION, GP_ABOVE(0, 1),
                .help = "Power cap of every GPU as a share of its TDP."),
};

static const gp_struct power_type =
    GP_TYPE(gp_site_power, power_fields, .name = "sitePower", .help = "Power the site can give.");

static const char *const air_classes[] = {"A1", "A2", "A3", "A4", NULL};
static const char *const liquid_classes[] = {"W17", "W27", "W32", "W40", "W45", "W+", NULL};

static const gp_field air_fields[] = {
    GP_STRING(gp_site_air, "class", class_name, .choices = air_classes,
              .help = "ASHRAE class of the room air."),
    GP_QUANTITY(gp_site_air, "supply", supply_c, GP_DIM_TEMPERATURE, GP_RANGE(-20, 60),
                .help = "Supply air temperature."),
    GP_QUANTITY(gp_site_air, "deltaT", delta_t_k, GP_DIM_TEMPERATURE_RISE, GP_ABOVE(0, 60),
                .default_text = "12 K", .help = "Rise of the air through the machines."),
    GP_QUANTITY(gp_site_air, "capacity", capacity_w, GP_DIM_POWER, GP_RANGE(0, 1e11),
                .help = "Heat the air side removes."),
    GP_QUANTITY(gp_site_air, "perRack", per_rack_w, GP_DIM_POWER, GP_RANGE(0, 1e7),
                .help = "Heat the air side removes from one rack."),
    GP_QUANTITY(gp_site_air, "rearDoors", door_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of the heat to air that rear doors with water in them take up."),
};

static const gp_struct air_type =
    GP_TYPE(gp_site_air, air_fields, .name = "siteAir", .help = "Air cooling of the site.");

static const gp_field liquid_fields[] = {
    GP_STRING(gp_site_liquid, "class", class_name, .choices = liquid_classes,
              .help = "ASHRAE class of the facility water."),
    GP_QUANTITY(gp_site_liquid, "supply", supply_c, GP_DIM_TEMPERATURE, GP_RANGE(0, 80),
                .help = "Supply temperature of the coolant."),
    GP_QUANTITY(gp_site_liquid, "deltaT", delta_t_k, GP_DIM_TEMPERATURE_RISE, GP_ABOVE(0, 60),
                .default_text = "10 K", .help = "Rise of the coolant through the machines."),
    GP_QUANTITY(gp_site_liquid, "capacity", capacity_w, GP_DIM_POWER, GP_RANGE(0, 1e11),
                .help = "Heat the liquid side removes."),
};

static const gp_struct liquid_type = GP_TYPE(gp_site_liquid, liquid_fields, .name = "siteLiquid",
                                             .help = "Liquid cooling of the site.");

static const gp_field cooling_fields[] = {
    GP_STRUCT(gp_site_cooling, "air", air, gp_site_air, air_type, .help = "Air cooling."),
    GP_STRUCT(gp_site_cooling, "liquid", liquid, gp_site_liquid, liquid_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Liquid cooling."),
    GP_ENUM(gp_site_cooling, "climate", climate, gp_climate_words, .default_text = "unknown",
            .help = "How much of the year chillers run: 10 % where it is cold, 40 % temperate, "
                    "85 % hot; all of it where it is not known."),
    GP_QUANTITY(gp_site_cooling, "wue", wue_l_per_j, GP_DIM_WATER_PER_J, GP_RANGE(0, 1e-3),
                .help = "Water usage effectiveness."),
};

static const gp_struct cooling_type = GP_TYPE(
    gp_site_cooling, cooling_fields, .name = "siteCooling", .help = "Cooling the site can give.");

static const gp_field rack_fields[] = {
    GP_COUNT(gp_site_racks, "count", count, GP_RANGE(0, 1e6), .help = "Racks that may be filled."),
    GP_QUANTITY(gp_site_racks, "height", height_u, GP_DIM_RACK_UNITS, GP_ABOVE(0, 100),
                .default_text = "42 U", .help = "Height of one rack."),
    GP_QUANTITY(gp_site_racks, "used", used_u, GP_DIM_RACK_UNITS, GP_RANGE(0, 100),
                .default_text = "0 U", .help = "Units of each rack that are taken."),
    GP_QUANTITY(gp_site_racks, "maxPower", max_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e7),
                .help = "Power limit of one rack."),
    GP_QUANTITY(gp_site_racks, "maxWeight", max_weight_kg, GP_DIM_MASS, GP_ABOVE(0, 1e5),
                .help = "Weight limit of one rack."),
};

static const gp_struct racks_type =
    GP_TYPE(gp_site_racks, rack_fields, .name = "siteRacks", .help = "Racks of the site.");

static const gp_field energy_fields[] = {
    GP_QUANTITY(gp_site_energy, "price", price_per_j, GP_DIM_MONEY_PER_J, GP_RANGE(0, 1e-4),
                .help = "Price of energy."),
    GP_QUANTITY(gp_site_energy, "carbon", carbon_kg_per_j, GP_DIM_CARBON_PER_J, GP_RANGE(0, 1e-5),
                .help = "Carbon intensity of the energy."),
    GP_STRING(gp_site_energy, "grid", grid, .flags = GP_FIELD_CATALOG_REF, .ref = "grids",
              .help = "Grid whose published carbon intensity holds where carbon is absent."),
    GP_QUANTITY(gp_site_energy, "renewable", renewable_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of the energy from renewable sources."),
    GP_QUANTITY(gp_site_energy, "embodiedPerGpu", embodied_kg_per_gpu, GP_DIM_MASS,
                GP_RANGE(0, 1e6),
                .help = "Carbon of making and delivering a machine, by GPU, as its maker states."),
};

static const gp_struct energy_type = GP_TYPE(gp_site_energy, energy_fields, .name = "siteEnergy",
                                             .help = "Energy price, carbon and renewable share.");

static const gp_field site_fields[] = {
    GP_QUANTITY(gp_site, "altitude", altitude_m, GP_DIM_LENGTH, GP_RANGE(-500, 6000),
                .help = "Height above the sea: thin air cools less."),
    GP_STRUCT(gp_site, "power", power, gp_site_power, power_type, .help = "Power."),
    GP_STRUCT(gp_site, "cooling", cooling, gp_site_cooling, cooling_type, .help = "Cooling."),
    GP_STRUCT(gp_site, "racks", racks, gp_site_racks, racks_type, .help = "Racks."),
    GP_STRUCT(gp_site, "energy", energy, gp_site_energy, energy_type, .help = "Energy."),
};

const gp_struct gp_site_type = GP_TYPE(gp_site, site_fields, .name = "site",
                                       .help = "The building: power, cooling, racks, energy.");
