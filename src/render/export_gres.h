/* Hosts that Slurm counts, and how it counts their GPUs and the parts that these are cut into. */
#ifndef GP_RENDER_EXPORT_GRES_H
#define GP_RENDER_EXPORT_GRES_H

#include "render/export.h"

/* Parts of one size. */
typedef struct gp_gres_cut {
    const char *profile;
    int64_t parts;
    double gpus; /* that they come from */
} gp_gres_cut;

typedef GP_LIST(gp_gres_cut) gp_gres_cuts;

/* A kind of machine, as hosts that Slurm counts. */
typedef struct gp_gres_host {
    const char *system;
    const char *name; /* of hosts, before their number */
    const char *type; /* of the GPUs */
    gp_export_device device;
    int64_t count;
    int64_t gpus;      /* of each */
    int64_t shards;    /* of a GPU that is cut so */
    gp_gres_cuts cuts; /* of GPUs on the first hosts */
    bool mig;          /* which are slices; else shards */
} gp_gres_host;

typedef GP_LIST(gp_gres_host) gp_gres_hosts;

/* Those of the workloads that are exported. */
gp_gres_hosts gp_gres_hosts_of(gp_export_out *out);
/* Hosts with GPUs that are cut, and of one of them, from 0, those GPUs. */
int64_t gp_gres_cut_hosts(const gp_gres_host *it);
int64_t gp_gres_cut_gpus(const gp_gres_host *it, int64_t host);
/* Parts of one size on a host. */
int64_t gp_gres_parts_on(const gp_gres_host *it, const gp_gres_cut *cut, int64_t host);
/* Shards of each GPU that is shared without slices, of a kind of machine or (NULL) the most of all:
 * as many as its smallest part needs; 0: none is. */
int64_t gp_gres_shards(const gp_report *report, const char *system);
/* Some workload of the plan, exported or not, has slices of such GPUs, or (NULL) of any. */
bool gp_gres_is_sliced(const gp_report *report, const char *gpu);
/* Such as "--gpus-per-node=h100_sxm:8": so many GPUs of a workload, or one of its parts. */
const char *gp_gres_asked(gp_export_out *out, const gp_report_workload *workload, int64_t gpus);
/* What counts as that many GPUs of a team: slices in place of the GPUs that they come from, and
 * shards, which are counted apart. */
const char *gp_gres_limit(gp_export_out *out, const gp_report_team *team, int64_t gpus);

#endif
