/*
 * What the exports share: the row of an export, what goes wrong, and words that are safe in the
 * files of other programs. A report's texts come from whoever wrote the spec: names become labels
 * (gp_export_label), all else is quoted (gp_export_quote) or cleaned (gp_export_comment).
 */
#ifndef GP_RENDER_EXPORT_H
#define GP_RENDER_EXPORT_H

#include "render/form.h"

typedef struct gp_export_out {
    bool one_cluster; /* see gp_export */
    gp_form_out form; /* form.buf is where the text grows */
    const gp_report *report;
    const gp_report_workload *whole; /* of which gp_export_next gave the last one, or a part */
    gp_export_options options;
    gp_export_problem *problem;
} gp_export_out;

typedef struct gp_export_form_row {
    const char *name;
    const char *extension; /* NULL: none of its own */
    void (*write)(gp_export_out *out);
} gp_export_form_row;

struct gp_export {
    bool one_cluster; /* what it writes is for one site */
    const char *name;
    const char *summary;
    gp_export_form_row forms[6]; /* the last has no name */
};

extern const gp_export gp_export_k8s;
extern const gp_export gp_export_kueue;
extern const gp_export gp_export_slurm;
extern const gp_export gp_export_bom;
extern const gp_export gp_export_rfp;
extern const gp_export gp_export_spec;

/* The first problem ends the export; what is written after it is lost. */
void gp_export_fail(gp_export_out *out, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool gp_export_failed(const gp_export_out *out);

/* Where gp_export_next is; all 0 before the first. */
typedef struct gp_export_place {
    size_t workload, share;
    gp_report_workload at;
} gp_export_place;

/* The chosen workloads, one after the other, valid until the next; for one cluster a service on
 * several kinds of machines is one for each. NULL after the last, and for one that is infeasible
 * (which ends the export). */
const gp_report_workload *gp_export_next(gp_export_out *out, gp_export_place *at);
/* The team whose workload the last one is; NULL: none's. */
const gp_report_team *gp_export_team(const gp_export_out *out);
size_t gp_export_chosen_count(const gp_export_out *out);

/* A DNS label (RFC 1123) of at most 49 letters for any text; different texts give different labels:
 * one that had to be changed ends in digits of its digest. */
const char *gp_export_label(gp_export_out *out, const char *text);
/* A text between double quotes, for YAML and JSON; NULL: "". Longer than a line it is cut. */
void gp_export_quote(gp_export_out *out, const char *text);
const char *gp_export_quoted(gp_export_out *out, const char *text);
/* A text without control characters and line ends, cut to a line. */
const char *gp_export_comment(gp_export_out *out, const char *text);
/* Lines "# Made by ..." with the digests of plan and spec. */
void gp_export_header(gp_export_out *out);

/* A kind of device, as schedulers name it. */
typedef struct gp_export_device {
    const char *resource;    /* Kubernetes' name of it */
    const char *label;       /* of machines that have it, as its operator sets it */
    const char *product;     /* value of that label; NULL: not known */
    const char *file;        /* device file without its number; NULL: not known */
    int first;               /* number of the first */
    const char *environment; /* the variable that tells a process its devices */
} gp_export_device;
/* By the catalogue id of the GPU. */
gp_export_device gp_export_device_of(const char *gpu);
/* What NVML calls it as Slurm writes that: "nvidia_h200"; NULL: not known. */
const char *gp_export_nvml_name(gp_form_out *out, const char *gpu);
/* What a pod asks for. Of a part (NULL: whole GPUs) the name that the device plugin gives it: MIG
 * in its mixed strategy, else shared. */
const char *gp_export_resource_of(gp_export_out *out, const char *gpu, const char *part,
                                  const char *method);

/* Pods, or tasks of one host each: how a job or replica lies on hosts. */
typedef struct gp_export_shape {
    int64_t replicas;      /* of the service, or jobs at once */
    int64_t hosts;         /* of one of them */
    int64_t gpus_per_host; /* taken on each of those hosts */
    int64_t host_gpus;     /* GPUs that such a host has */
} gp_export_shape;
/* False, with a problem, where GPUs are shared or do not divide among hosts. */
bool gp_export_shape_of(gp_export_out *out, const gp_report_workload *workload, int64_t replicas,
                        int64_t gpus_per_replica, gp_export_shape *ret_shape);
bool gp_export_is_serving(const gp_report_workload *workload);
/* The pools of a service that prefills apart from decoding; NULL where it does not. */
const gp_report_disaggregation *gp_export_apart(const gp_report_workload *workload);

#endif
