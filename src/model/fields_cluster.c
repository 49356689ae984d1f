/* Descriptor tables of the cluster that exists and of what may be bought or rented. */
#include "catalog/fields.h"
#include "model/fields.h"

static const gp_field pool_fields[] = {
    GP_STRING(gp_pool, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name of the pool."),
    GP_STRUCT(gp_pool, "system", system, gp_system, gp_system_type, .flags = GP_FIELD_REQUIRED,
              .help = "The machine it is made of: a catalogue id, or written out."),
    GP_STRUCT(gp_pool, "overrides", overrides, gp_system, gp_system_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "Figures that replace the catalogue's."),
    GP_COUNT(gp_pool, "count", count, GP_RANGE(0, 1e6), .flags = GP_FIELD_REQUIRED,
             .help = "Machines in the pool."),
    GP_COUNT(gp_pool, "inUse", in_use, GP_RANGE(0, 1e6), .default_text = "0",
             .help = "Machines held by jobs outside this spec."),
    GP_COUNT(gp_pool, "connected", connected, GP_RANGE(0, 1e6),
             .help = "Machines on the compute fabric; all where absent."),
    GP_STRING_MAP(gp_pool, "labels", labels, .help = "Labels, free."),
};

const gp_struct gp_pool_type =
    GP_TYPE(gp_pool, pool_fields, .name = "pool", .help = "Machines of one kind.");

static const gp_field fabric_fields[] = {
    GP_STRING(gp_fabric, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name of the network: compute, storage, ..."),
    GP_ENUM(gp_fabric, "kind", kind, gp_fabric_kind_words, .default_text = "infiniband",
            .help = "Kind of network."),
    GP_QUANTITY(gp_fabric, "rate", rate_bits_per_s, GP_DIM_BITS_PER_S, GP_ABOVE(0, 1e14),
                .help = "Rate of one port; that of the switch or the machine where absent."),
    GP_ENUM(gp_fabric, "topology", topology, gp_topology_words, .default_text = "rail-optimized",
            .help = "How machines meet the leaf switches."),
    GP_COUNT(gp_fabric, "tiers", tiers, GP_RANGE(1, 4), .flags = GP_FIELD_AUTO,
             .default_text = "auto", .help = "Switch tiers; auto takes the fewest that reach."),
    GP_COUNT(gp_fabric, "planes", planes, GP_RANGE(1, 16), .default_text = "1",
             .help = "Separate fabrics that every port of a machine is split over."),
    GP_QUANTITY(gp_fabric, "oversubscription", oversubscription, GP_DIM_NONE, GP_RANGE(1, 64),
                .default_text = "1", .help = "Downlink over uplink bandwidth at the leaf."),
    GP_STRUCT(gp_fabric, "switch", switch_product, gp_switch, gp_switch_type,
              .flags = GP_FIELD_WHEN_GIVEN, .help = "The switch it is built of."),
};

const gp_struct gp_fabric_type =
    GP_TYPE(gp_fabric, fabric_fields, .name = "fabric", .help = "A network of the cluster.");

static const gp_field storage_fields[] = {
    GP_STRING(gp_storage, "name", name, .flags = GP_FIELD_REQUIRED | GP_FIELD_ID,
              .help = "Name of the storage system."),
    GP_QUANTITY(gp_storage, "capacity", capacity_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e21),
                .help = "Usable capacity."),
    GP_QUANTITY(gp_storage, "readBandwidth", read_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e16), .help = "Read rate of the whole system."),
    GP_QUANTITY(gp_storage, "writeBandwidth", write_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e16), .help = "Write rate of the whole system."),
};

static const gp_struct storage_type =
    GP_TYPE(gp_storage, storage_fields, .name = "storage", .help = "Shared storage.");

static const gp_field reserve_fields[] = {
    GP_COUNT(
        gp_reserve, "spareNodes", spare_nodes, GP_RANGE(0, 1e6), .default_text = "0",
        .help =
            "Machines kept idle to replace failed ones, of the first pools that have them free."),
    GP_COUNT(gp_reserve, "systemNodes", system_nodes, GP_RANGE(0, 1e6), .default_text = "0",
             .help = "Machines without GPUs for management, login and storage services."),
};

static const gp_struct reserve_type = GP_TYPE(gp_reserve, reserve_fields, .name = "reserve",
                                              .help = "Machines that run no workload.");

static const gp_field maintenance_fields[] = {
    GP_QUANTITY(gp_maintenance, "every", every_s, GP_DIM_TIME, GP_ABOVE(0, 1e10),
                .flags = GP_FIELD_REQUIRED, .help = "From the start of one window to the next."),
    GP_QUANTITY(gp_maintenance, "duration", duration_s, GP_DIM_TIME, GP_ABOVE(0, 1e8),
                .flags = GP_FIELD_REQUIRED, .help = "Length of a window."),
};

static const gp_struct maintenance_type =
    GP_TYPE(gp_maintenance, maintenance_fields, .name = "maintenance",
            .help = "Windows in which the whole cluster stands still.");

static const gp_field cluster_fields[] = {
    GP_STRUCT_LIST(gp_cluster, "pools", pools, gp_pool, gp_pool_type,
                   .help = "Machines that exist; none is a greenfield."),
    GP_STRUCT_LIST(gp_cluster, "fabrics", fabrics, gp_fabric, gp_fabric_type,
                   .help = "Networks that exist or are to be used."),
    GP_STRUCT_LIST(gp_cluster, "storage", storage, gp_storage, storage_type,
                   .help = "Shared storage."),
    GP_STRUCT(gp_cluster, "reserve", reserve, gp_reserve, reserve_type,
              .help = "Machines that run no workload."),
    GP_STRUCT(gp_cluster, "maintenance", maintenance, gp_maintenance, maintenance_type,
              .flags = GP_FIELD_WHEN_GIVEN,
              .help = "Windows in which the whole cluster stands still: runs go on from a "
                      "checkpoint after them, services are down."),
    GP_ENUM(gp_cluster, "idle", idle, gp_idle_words, .default_text = "poweredDown",
            .help = "What whole machines do while nothing runs on them: draw nothing, or idle."),
};

const gp_struct gp_cluster_type =
    GP_TYPE(gp_cluster, cluster_fields, .name = "cluster", .help = "What exists today.");

static const gp_field limit_fields[] = {
    GP_COUNT(gp_candidate_limits, "maxNodes", max_nodes, GP_RANGE(1, 1e6), .default_text = "4096",
             .help = "Most machines one workload may get."),
    GP_COUNT(gp_candidate_limits, "step", step, GP_RANGE(1, 1e6), .default_text = "1",
             .help = "Machines are bought in multiples of this."),
};

static const gp_struct limits_type =
    GP_TYPE(gp_candidate_limits, limit_fields, .name = "candidateLimits",
            .help = "How far the search goes.");

static const gp_field candidate_fields[] = {
    GP_STRING_LIST(gp_candidates, "allow", allow,
                   .help = "Systems, pools or cloud:ID that may be used."),
    GP_STRING_LIST(gp_candidates, "deny", deny, .help = "Systems, pools or cloud:ID that may not."),
    GP_STRUCT(gp_candidates, "limits", limits, gp_candidate_limits, limits_type,
              .help = "How far the search goes."),
    GP_QUANTITY(gp_candidates, "spotInterruptedEvery", spot_interrupted_s, GP_DIM_TIME,
                GP_ABOVE(0, 1e12),
                .help = "Mean time until the provider takes one spot machine back. Without it "
                        "nothing is planned on spot machines; services and seats never are."),
    GP_ENUM(gp_candidates, "objective", objective, gp_objective_words, .default_text = "auto",
            .help = "What the best plan has least of."),
};

const gp_struct gp_candidates_type =
    GP_TYPE(gp_candidates, candidate_fields, .name = "candidates", .list_key = "allow",
            .help = "What may be bought or rented.");
