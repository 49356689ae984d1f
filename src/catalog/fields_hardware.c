/* Descriptor tables of GPUs, systems, switches, storage products and cooling classes. */
#include "catalog/fields.h"
#include "catalog/words.h"

/* The dense peak of one precision. */
#define PEAK(name, member)                                                                         \
    GP_QUANTITY(gp_flops, name, member, GP_DIM_FLOP_PER_S, GP_ABOVE(0, 1e21),                      \
                .help = "Dense peak in " name ".")

static const gp_field flops_fields[] = {
    PEAK("fp32", fp32), PEAK("tf32", tf32), PEAK("fp16", fp16), PEAK("bf16", bf16),
    PEAK("fp8", fp8),   PEAK("fp4", fp4),   PEAK("int8", int8),
};

static const gp_struct flops_type =
    GP_TYPE(gp_flops, flops_fields, .name = "flops",
            .help = "Dense peak rates by precision; a precision the GPU lacks is left out.");

static const gp_field link_fields[] = {
    GP_STRING(gp_link, "kind", kind, .help = "Kind of the scale-up link, such as nvlink4."),
    GP_QUANTITY(gp_link, "bandwidth", bandwidth_bytes_per_s, GP_DIM_BYTES_PER_S, GP_RANGE(0, 1e15),
                .help = "Bandwidth per GPU in one direction."),
};

static const gp_struct link_type =
    GP_TYPE(gp_link, link_fields, .name = "link", .scalar_key = "kind",
            .help = "The link between the GPUs of one scale-up domain.");

static const gp_field measured_fields[] = {
    GP_QUANTITY(gp_measured, "bf16", bf16_flop_per_s, GP_DIM_FLOP_PER_S, GP_ABOVE(0, 1e21),
                .help = "Measured large-GEMM rate in bf16."),
    GP_QUANTITY(gp_measured, "memoryBandwidth", memory_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e16), .help = "Measured memory bandwidth."),
};

static const gp_struct measured_type = GP_TYPE(gp_measured, measured_fields, .name = "measured",
                                               .help = "Rates measured on the part.");

static const gp_field gpu_fields[] = {
    GP_ROW_FIELDS(gp_gpu, "gpus"),
    GP_STRING(gp_gpu, "vendor", vendor, .help = "Maker of the part."),
    GP_STRING(gp_gpu, "arch", arch, .help = "Architecture, such as hopper."),
    GP_COUNT(gp_gpu, "released", released, GP_RANGE(2000, 2100), .help = "Year of release."),
    GP_QUANTITY(gp_gpu, "memory", memory_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e15),
                .help = "Memory on the nameplate."),
    GP_QUANTITY(gp_gpu, "usableMemory", usable_memory_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e15),
                .help = "Memory the driver shows; the nameplate figure where absent."),
    GP_STRING(gp_gpu, "memoryType", memory_type, .help = "Kind of memory, such as hbm3e."),
    GP_QUANTITY(gp_gpu, "memoryBandwidth", memory_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e16), .help = "Peak memory bandwidth."),
    GP_STRUCT(gp_gpu, "flops", flops, gp_flops, flops_type, .help = "Dense peak rates."),
    GP_QUANTITY(gp_gpu, "exponentials", exponentials_per_s, GP_DIM_PER_S, GP_ABOVE(0, 1e16),
                .help = "Peak rate of the exponentials that attention takes."),
    GP_QUANTITY(gp_gpu, "tdp", tdp_w, GP_DIM_POWER, GP_ABOVE(0, 1e6),
                .help = "Power cap of the part."),
    GP_QUANTITY(gp_gpu, "sharedTdp", shared_tdp_w, GP_DIM_POWER, GP_ABOVE(0, 1e6),
                .help = "Power cap in machines that hold several of the part, where it is lower."),
    GP_BOOL(gp_gpu, "includesHost", includes_host,
            .help = "The part's power includes a processor and its memory."),
    GP_QUANTITY(gp_gpu, "idlePower", idle_w, GP_DIM_POWER, GP_RANGE(0, 1e6),
                .help = "Power with no process on it."),
    GP_STRUCT(gp_gpu, "link", link, gp_link, link_type, .help = "The scale-up link."),
    GP_COUNT(gp_gpu, "domainMax", domain_max, GP_RANGE(1, 1e6),
             .help = "Most GPUs in one scale-up domain this part is built into."),
    GP_STRING(gp_gpu, "pcie", pcie, .help = "Host interface, such as 5.0 x16."),
    GP_STRING(gp_gpu, "form", form, .help = "Form factor."),
    GP_STRUCT(gp_gpu, "measured", measured, gp_measured, measured_type,
              .help = "Rates measured on the part."),
    GP_QUANTITY(gp_gpu, "allInPower", all_in_w, GP_DIM_POWER, GP_ABOVE(0, 1e6),
                .help = "Provisioned power per GPU including its share of everything else."),
};

const gp_struct gp_gpu_type =
    GP_TYPE(gp_gpu, gpu_fields, .name = "gpu", .scalar_key = "extends",
            .help = "A GPU or other accelerator; a bare word is a catalogue id.");

static const gp_field nic_fields[] = {
    GP_QUANTITY(gp_nic, "rate", rate_bits_per_s, GP_DIM_BITS_PER_S, GP_ABOVE(0, 1e14),
                .help = "Rate of one port in one direction."),
    GP_COUNT(gp_nic, "count", count, GP_RANGE(1, 1e5), .default_text = "1",
             .help = "Ports of this rate."),
};

static const gp_struct nic_type =
    GP_TYPE(gp_nic, nic_fields, .name = "nic", .help = "Network ports of one rate in a system.");

static const gp_field system_fields[] = {
    GP_ROW_FIELDS(gp_system, "systems"),
    GP_STRUCT(gp_system, "gpu", gpu, gp_gpu, gp_gpu_type, .help = "The GPU in it."),
    GP_COUNT(gp_system, "gpus", gpus, GP_RANGE(1, 1e6), .help = "GPUs in one system."),
    GP_COUNT(gp_system, "domain", domain, GP_RANGE(1, 1e6),
             .help = "GPUs in one scale-up domain; all of them where absent."),
    GP_STRING(gp_system, "scaleUp", scale_up,
              .help = "Link kind between the GPUs where it is not the GPU's own, such as pcie-4."),
    GP_COUNT(gp_system, "cpuSockets", cpu_sockets, GP_RANGE(1, 1e4), .help = "CPU sockets."),
    GP_COUNT(gp_system, "cpuCores", cpu_cores, GP_RANGE(1, 1e6), .help = "CPU cores."),
    GP_QUANTITY(gp_system, "memory", memory_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e16),
                .help = "Host memory."),
    GP_QUANTITY(gp_system, "nvme", nvme_bytes, GP_DIM_BYTES, GP_RANGE(0, 1e17),
                .help = "Local flash."),
    GP_QUANTITY(gp_system, "height", height_u, GP_DIM_RACK_UNITS, GP_ABOVE(0, 1000),
                .help = "Rack units it takes."),
    GP_COUNT(gp_system, "rackNodes", rack_nodes, GP_RANGE(1, 1e4),
             .help = "Systems that a rack of its maker or of an operator holds."),
    GP_QUANTITY(gp_system, "maxPower", max_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e8),
                .help = "Sustained maximum power at the wall."),
    GP_QUANTITY(gp_system, "typicalPower", typical_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e8),
                .help = "Typical power at the wall."),
    GP_QUANTITY(gp_system, "airflow", airflow_m3_per_s, GP_DIM_FLOW, GP_RANGE(0, 1e4),
                .help = "Air it moves at full load."),
    GP_QUANTITY(gp_system, "inletMin", inlet_min_c, GP_DIM_TEMPERATURE, GP_RANGE(-50, 100),
                .help = "Coldest inlet air allowed."),
    GP_QUANTITY(gp_system, "inletMax", inlet_max_c, GP_DIM_TEMPERATURE, GP_RANGE(-50, 100),
                .help = "Warmest inlet air allowed."),
    GP_ENUM(gp_system, "cooling", cooling, gp_cooling_words,
            .help = "How it is cooled; by air where absent."),
    GP_QUANTITY(gp_system, "liquidFraction", liquid_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of the heat that goes to liquid."),
    GP_QUANTITY(gp_system, "liquidFlow", liquid_flow_m3_per_s, GP_DIM_FLOW, GP_RANGE(0, 10),
                .help = "Coolant flow it wants."),
    GP_STRUCT_LIST(gp_system, "nics", nics, gp_nic, nic_type,
                   .help = "Ports to the compute fabric."),
    GP_STRUCT_LIST(gp_system, "storageNics", storage_nics, gp_nic, nic_type,
                   .help = "Ports to storage and in-band networks."),
    GP_QUANTITY(gp_system, "weight", weight_kg, GP_DIM_MASS, GP_ABOVE(0, 1e6), .help = "Weight."),
};

const gp_struct gp_system_type =
    GP_TYPE(gp_system, system_fields, .name = "system", .scalar_key = "extends",
            .help = "A machine with GPUs; a bare word is a catalogue id.");

static const gp_field switch_fields[] = {
    GP_ROW_FIELDS(gp_switch, "switches"),
    GP_STRING(gp_switch, "part", part, .default_text = "switch",
              .help = "What it is: switch, transceiver, cable, ..."),
    GP_STRING(gp_switch, "vendor", vendor, .help = "Maker."),
    GP_STRING(gp_switch, "fabric", fabric, .help = "Kind of network: infiniband, ethernet, ..."),
    GP_STRING(gp_switch, "generation", generation, .help = "Generation, such as ndr."),
    GP_COUNT(gp_switch, "ports", ports, GP_RANGE(1, 1e5), .help = "Ports at portRate."),
    GP_QUANTITY(gp_switch, "portRate", port_bits_per_s, GP_DIM_BITS_PER_S, GP_ABOVE(0, 1e14),
                .help = "Rate of one port in one direction."),
    GP_QUANTITY(gp_switch, "height", height_u, GP_DIM_RACK_UNITS, GP_RANGE(0, 1000),
                .help = "Rack units it takes."),
    GP_QUANTITY(gp_switch, "typicalPower", typical_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e6),
                .help = "Typical power."),
    GP_QUANTITY(gp_switch, "maxPower", max_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e6),
                .help = "Maximum power with active modules."),
    GP_QUANTITY(gp_switch, "weight", weight_kg, GP_DIM_MASS, GP_ABOVE(0, 1e5), .help = "Weight."),
};

const gp_struct gp_switch_type =
    GP_TYPE(gp_switch, switch_fields, .name = "switch", .scalar_key = "extends",
            .help = "A network switch; a bare word is a catalogue id.");

static const gp_field storage_fields[] = {
    GP_ROW_FIELDS(gp_storage_product, "storage"),
    GP_STRING(gp_storage_product, "role", role,
              .help = "appliance, or a requirement or observation to compare with."),
    GP_STRING(gp_storage_product, "vendor", vendor, .help = "Maker."),
    GP_QUANTITY(gp_storage_product, "height", height_u, GP_DIM_RACK_UNITS, GP_RANGE(0, 1000),
                .help = "Rack units it takes."),
    GP_QUANTITY(gp_storage_product, "maxPower", max_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e7),
                .help = "Maximum power."),
    GP_QUANTITY(gp_storage_product, "typicalPower", typical_power_w, GP_DIM_POWER, GP_ABOVE(0, 1e7),
                .help = "Typical power."),
    GP_QUANTITY(gp_storage_product, "weight", weight_kg, GP_DIM_MASS, GP_ABOVE(0, 1e6),
                .help = "Weight."),
    GP_QUANTITY(gp_storage_product, "read", read_bytes_per_s, GP_DIM_BYTES_PER_S, GP_ABOVE(0, 1e15),
                .help = "Read rate of one `per`."),
    GP_QUANTITY(gp_storage_product, "write", write_bytes_per_s, GP_DIM_BYTES_PER_S,
                GP_ABOVE(0, 1e15), .help = "Write rate of one `per`."),
    GP_STRING(gp_storage_product, "per", per,
              .help = "What the rates and capacities belong to: appliance, node, ..."),
    GP_QUANTITY(gp_storage_product, "rawCapacity", raw_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e21),
                .help = "Raw capacity."),
    GP_QUANTITY(gp_storage_product, "usableCapacity", usable_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e21),
                .help = "Capacity after protection."),
};

const gp_struct gp_storage_product_type =
    GP_TYPE(gp_storage_product, storage_fields, .name = "storageProduct",
            .help = "A storage appliance or node.");

static const gp_field cooling_fields[] = {
    GP_ROW_FIELDS(gp_cooling_class, "cooling"),
    GP_STRING(gp_cooling_class, "kind", kind, .help = "Family of the class."),
    GP_STRING(gp_cooling_class, "name", name, .help = "Name of the class, such as A2."),
    GP_STRING(gp_cooling_class, "medium", medium, .help = "What carries the heat."),
    GP_QUANTITY(gp_cooling_class, "min", min_c, GP_DIM_TEMPERATURE, GP_RANGE(-100, 200),
                .help = "Lowest supply temperature allowed."),
    GP_QUANTITY(gp_cooling_class, "max", max_c, GP_DIM_TEMPERATURE, GP_RANGE(-100, 200),
                .help = "Highest supply temperature allowed."),
    GP_QUANTITY(gp_cooling_class, "recommendedMin", recommended_min_c, GP_DIM_TEMPERATURE,
                GP_RANGE(-100, 200), .help = "Lowest supply temperature recommended."),
    GP_QUANTITY(gp_cooling_class, "recommendedMax", recommended_max_c, GP_DIM_TEMPERATURE,
                GP_RANGE(-100, 200), .help = "Highest supply temperature recommended."),
    GP_QUANTITY(gp_cooling_class, "capacity", capacity_w, GP_DIM_POWER, GP_ABOVE(0, 1e9),
                .help = "Heat one unit removes."),
    GP_QUANTITY(gp_cooling_class, "flow", flow_m3_per_s, GP_DIM_FLOW, GP_ABOVE(0, 1e4),
                .help = "Flow at that capacity."),
    GP_QUANTITY(gp_cooling_class, "pressureDrop", pressure_drop_pa, GP_DIM_PRESSURE,
                GP_RANGE(0, 1e8), .help = "Pressure drop at that flow."),
    GP_QUANTITY(gp_cooling_class, "power", power_w, GP_DIM_POWER, GP_RANGE(0, 1e7),
                .help = "Power the unit itself takes."),
    GP_QUANTITY(gp_cooling_class, "weight", weight_kg, GP_DIM_MASS, GP_ABOVE(0, 1e6),
                .help = "Weight."),
    GP_COUNT(gp_cooling_class, "racksServed", racks_served, GP_RANGE(1, 1e4),
             .help = "Racks one unit serves."),
    GP_QUANTITY(gp_cooling_class, "approach", approach_k, GP_DIM_TEMPERATURE_RISE, GP_RANGE(0, 100),
                .help = "Approach temperature."),
    GP_QUANTITY(gp_cooling_class, "deltaT", delta_t_k, GP_DIM_TEMPERATURE_RISE, GP_RANGE(0, 100),
                .help = "Rise of the medium."),
    GP_STRING(gp_cooling_class, "density", density, .help = "Density of the medium."),
    GP_STRING(gp_cooling_class, "specificHeat", specific_heat,
              .help = "Specific heat of the medium."),
    GP_STRING(gp_cooling_class, "flowPerPower", flow_per_power, .help = "Flow per heat removed."),
};

const gp_struct gp_cooling_class_type =
    GP_TYPE(gp_cooling_class, cooling_fields, .name = "coolingClass",
            .help = "A class of air or liquid cooling, or a cooling unit.");

static const gp_field fabric_design_fields[] = {
    GP_ROW_FIELDS(gp_fabric_design, "designs"),
    GP_STRING(gp_fabric_design, "generation", generation, .help = "Generation of its links."),
    GP_COUNT(gp_fabric_design, "gpus", gpus, GP_RANGE(1, 1e6), .help = "GPUs of a machine."),
    GP_COUNT(gp_fabric_design, "rails", rails, GP_RANGE(1, 1024),
             .help = "Ports of a machine into the fabric."),
    GP_COUNT(gp_fabric_design, "planes", planes, GP_RANGE(1, 64),
             .help = "Separate fabrics that every port is split over."),
    GP_COUNT(gp_fabric_design, "radix", radix, GP_RANGE(2, 65536),
             .help = "Ports of a switch at the rate of the machines' links."),
    GP_COUNT(gp_fabric_design, "unitNodes", unit_nodes, GP_RANGE(1, 1e6),
             .help = "Machines of a scalable unit."),
    GP_COUNT(gp_fabric_design, "managerPorts", manager_ports, GP_RANGE(0, 1024),
             .help = "Leaf ports that fabric managers take."),
    GP_BOOL(gp_fabric_design, "grouped", grouped,
            .help = "Spines serve one rail each and keep half their ports for the core."),
};

const gp_struct gp_fabric_design_type =
    GP_TYPE(gp_fabric_design, fabric_design_fields, .name = "fabricDesign",
            .help = "A reference design of a compute fabric.");

static const gp_field profile_fields[] = {
    GP_STRING(gp_gpu_profile, "name", name, .flags = GP_FIELD_REQUIRED,
              .help = "Name of the size."),
    GP_COUNT(gp_gpu_profile, "compute", compute, GP_RANGE(1, 64), .help = "Compute slices."),
    GP_COUNT(gp_gpu_profile, "slices", slices, GP_RANGE(1, 31), .help = "Memory slices."),
    GP_COUNT(gp_gpu_profile, "every", every, GP_RANGE(1, 31),
             .help = "It begins at slice 0 or at a multiple of this one."),
    GP_COUNT(gp_gpu_profile, "last", last, GP_RANGE(0, 31),
             .help = "The last slice that it begins at."),
    GP_QUANTITY(gp_gpu_profile, "memory", memory_bytes, GP_DIM_BYTES, GP_ABOVE(0, 1e13),
                .help = "Usable memory."),
    GP_QUANTITY(gp_gpu_profile, "share", share_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Usable memory as a share of the GPU's, where its size does not say."),
    GP_QUANTITY(gp_gpu_profile, "flops", flops_fraction, GP_DIM_FRACTION, GP_RANGE(0, 1),
                .help = "Share of the GPU's rate."),
};

static const gp_struct profile_type =
    GP_TYPE(gp_gpu_profile, profile_fields, .name = "partProfile", .help = "A size of part.");

static const gp_field partition_fields[] = {
    GP_ROW_FIELDS(gp_gpu_partition, "partitions"),
    GP_STRING_LIST(gp_gpu_partition, "gpus", gpus, .help = "Ids of the GPUs that are cut so."),
    GP_ENUM(gp_gpu_partition, "method", method, gp_part_method_words, .help = "How it is cut."),
    GP_COUNT(gp_gpu_partition, "slices", slices, GP_RANGE(1, 31),
             .help = "Memory slices of a GPU."),
    GP_COUNT(gp_gpu_partition, "compute", compute, GP_RANGE(1, 64),
             .help = "Compute slices of a GPU."),
    GP_STRUCT_LIST(gp_gpu_partition, "profiles", profiles, gp_gpu_profile, profile_type,
                   .help = "The sizes of parts, the smallest first."),
};

const gp_struct gp_gpu_partition_type =
    GP_TYPE(gp_gpu_partition, partition_fields, .name = "partition",
            .help = "How a GPU is cut into parts.");
