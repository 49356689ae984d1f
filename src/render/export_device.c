/*
 * How schedulers name devices. Labels are those that the makers' operators set: NVIDIA GPU feature
 * discovery takes the product name that nvidia-smi prints, with '-' for blanks.
 */
#include "render/export.h"

/* By the catalogue id. */
static const gp_wording products[] = {
    {"a10", "NVIDIA-A10"},
    {"a10g", "NVIDIA-A10G"},
    {"a100-pcie-40gb", "NVIDIA-A100-PCIE-40GB"},
    {"a100-pcie-80gb", "NVIDIA-A100-80GB-PCIe"},
    {"a100-sxm-40gb", "NVIDIA-A100-SXM4-40GB"},
    {"a100-sxm-80gb", "NVIDIA-A100-SXM4-80GB"},
    {"a30", "NVIDIA-A30"},
    {"a40", "NVIDIA-A40"},
    {"b200-sxm", "NVIDIA-B200"},
    {"b300-sxm", "NVIDIA-B300-SXM6-AC"},
    {"gb200", "NVIDIA-GB200"},
    {"gb300", "NVIDIA-GB300"},
    {"gh200", "NVIDIA-GH200-480GB"},
    {"h100-nvl", "NVIDIA-H100-NVL"},
    {"h100-pcie", "NVIDIA-H100-PCIe"},
    {"h100-sxm", "NVIDIA-H100-80GB-HBM3"},
    {"h20", "NVIDIA-H20"},
    {"h200-nvl", "NVIDIA-H200-NVL"},
    {"h200-sxm", "NVIDIA-H200"},
    {"l4", "NVIDIA-L4"},
    {"l40", "NVIDIA-L40"},
    {"l40s", "NVIDIA-L40S"},
    {"t4", "Tesla-T4"},
    {"v100-pcie-32gb", "Tesla-V100-PCIE-32GB"},
    {"v100-sxm2-32gb", "Tesla-V100-SXM2-32GB"},
};

typedef struct family {
    const char *prefix; /* of the catalogue id; "" matches all */
    gp_export_device device;
} family;

/* The first that matches. */
static const family families[] = {
    {"mi", {"amd.com/gpu", "gpuplan/gpu", NULL, "/dev/dri/renderD", 128, "ROCR_VISIBLE_DEVICES"}},
    {"gaudi",
     {"habana.ai/gaudi", "gpuplan/gpu", NULL, "/dev/accel/accel", 0, "HABANA_VISIBLE_DEVICES"}},
    {"tpu", {"google.com/tpu", "gpuplan/gpu", NULL, NULL, 0, NULL}},
    {"trainium", {"aws.amazon.com/neuron", "gpuplan/gpu", NULL, "/dev/neuron", 0, NULL}},
    {"arc", {"gpu.intel.com/xe", "gpuplan/gpu", NULL, "/dev/dri/renderD", 128, NULL}},
    {"", {"nvidia.com/gpu", "gpuplan/gpu", NULL, "/dev/nvidia", 0, "CUDA_VISIBLE_DEVICES"}},
};

gp_export_device gp_export_device_of(const char *gpu) {
    const char *id = gp_form_or(gpu, "");
    gp_export_device device = families[GP_COUNT_OF(families) - 1].device;
    for (size_t i = 0; i < GP_COUNT_OF(families); i++) {
        if (gp_str_starts(id, families[i].prefix)) {
            device = families[i].device;
            break;
        }
    }
    device.product = GP_WORDING(products, id, NULL);
    if (device.product != NULL)
        device.label = "nvidia.com/gpu.product";
    return device;
}

/* What nvidia-smi prints has these hyphens itself, where all others were blanks. */
static const gp_wording hyphenated[] = {
    {"a100-pcie-40gb", "nvidia_a100-pcie-40gb"},
    {"a100-sxm-40gb", "nvidia_a100-sxm4-40gb"},
    {"a100-sxm-80gb", "nvidia_a100-sxm4-80gb"},
};

const char *gp_export_nvml_name(gp_form_out *out, const char *gpu) {
    const char *product = GP_WORDING(products, gp_form_or(gpu, ""), NULL);
    gp_buf name = GP_BUF(out->buf->arena, 128);
    for (const char *c = product; c != NULL && *c != '\0'; c++)
        gp_buf_char(&name, *c == '-' ? '_' : *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c);
    return product == NULL ? NULL : GP_WORDING(hyphenated, gpu, gp_form_taken(out, &name));
}

const char *gp_export_resource_of(gp_export_out *out, const char *gpu, const char *part,
                                  const char *method) {
    const char *whole = gp_export_device_of(gpu).resource;
    if (part == NULL)
        return whole;
    return gp_str_equal(method, "mig") ? gp_form_text(&out->form, "nvidia.com/mig-%s", part)
                                       : gp_form_text(&out->form, "%s.shared", whole);
}
