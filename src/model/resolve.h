/* The resolver's inside: what the steps of gp_spec_resolve share. */
#ifndef GP_MODEL_RESOLVE_H
#define GP_MODEL_RESOLVE_H

#include "model/model.h"

typedef struct gp_resolver {
    gp_arena *arena;
    gp_catalog *catalog;
    gp_diags *diags;
    gp_plan_document *plan;
    gp_plan_spec *spec;
} gp_resolver;

/* refuse.c: what is wrong, and where. */

/* Place of the field at `offset`; of the struct where the field is absent. */
gp_span gp_place_of(const gp_meta *meta, size_t offset);
#define GP_PLACE(object, type, member) gp_place_of(&(object)->meta, offsetof(type, member))

/* A cross-field error (GP1019). `expected` may be NULL. */
void gp_refuse_values(gp_resolver *r, gp_span span, const char *expected, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A key that is due because of other keys (GP1009). */
void gp_refuse_absence(gp_resolver *r, gp_span span, const char *what, const char *keys);

/* resolve_workload.c: model, defaults, derived fields of one workload. *ret_ok is false where a
 * reference was refused. */
gp_status gp_resolve_workload(gp_resolver *r, gp_workload *workload, bool *ret_ok);

/* resolve_rl.c: reinforcement learning: its models, and the data of a run that follows from it. */
gp_status gp_resolve_rl(gp_resolver *r, gp_workload *workload, bool *ret_ok);
void gp_resolve_seats(gp_resolver *r, gp_workload *workload);

/* resolve_model.c: the mean of a law whose median and a percentile are given. */
void gp_mean_derive(gp_distribution *d);
/* A model by its name, with what follows from it; `id` where it has none. */
gp_status gp_resolve_model(gp_resolver *r, const char *id, gp_model *model, bool *ret_ok);

/* kinds.c: traffic of models that do not turn tokens into tokens, in those terms. */
void gp_derive_kind(gp_workload *workload);
/* sites.c: a single entry of `sites` becomes the site and the cluster of the plan; the clusters of
 * several are added up. */
void gp_sites_raise(gp_plan_spec *spec);
void gp_sites_merge(gp_resolver *r);
void gp_check_sites(gp_resolver *r);
/* Sites that a workload names are there. */
void gp_check_site_names(gp_resolver *r, const gp_workload *workload);

/* check_*.c: rules over several fields; each reports what it finds. */
void gp_check_workload(gp_resolver *r, const gp_workload *workload);
/* check_type.c: what belongs to which type of workload. */
void gp_check_type(gp_resolver *r, const gp_workload *workload);
void gp_check_rl(gp_resolver *r, const gp_workload *workload);
void gp_check_seats(gp_resolver *r, const gp_workload *workload);
void gp_check_teams(gp_resolver *r);
void gp_check_team_name(gp_resolver *r, const gp_workload *workload);
void gp_check_method(gp_resolver *r, const gp_workload *workload);
/* What belongs to which kind of model. */
void gp_check_kind(gp_resolver *r, const gp_workload *workload);
void gp_check_pool(gp_resolver *r, const gp_pool *pool);
void gp_check_spec(gp_resolver *r);

#endif
