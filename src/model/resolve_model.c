/* What workloads of more than one type resolve: models by their names, means of laws. */
#include "base/num.h"
#include "catalog/derive.h"
#include "catalog/tables.h"
#include "model/resolve.h"
#include "schema/bind.h"

gp_status gp_resolve_model(gp_resolver *r, const char *id, gp_model *model, bool *ret_ok) {
    gp_status st = gp_catalog_expand(r->catalog, r->diags, GP_CATALOG_MODELS, model, ret_ok);
    bool found = true;
    if (!st) {
        st = gp_catalog_expand(r->catalog, r->diags, GP_CATALOG_PROCESSORS,
                               &model->vision.processor, &found);
        *ret_ok = *ret_ok && found;
    }
    if (!st)
        gp_defaults_fill(r->arena, r->diags, model);
    if (!model->id) {
        model->id = id;
        gp_origin_derive(&model->meta, offsetof(gp_model, id));
    }
    gp_model_derive(model);
    return st;
}

/* The mean of a lognormal law of which the median and a percentile are given: m exp(s^2 / 2) with
 * s = ln(percentile / m) / z. */
void gp_mean_derive(gp_distribution *d) {
    static const double z95 = 1.6449; /* quantiles of the standard normal distribution */
    static const double z99 = 2.3263;
    double above = d->p95 > 0 ? d->p95 : d->p99;
    double z = d->p95 > 0 ? z95 : z99;
    if (GP_GIVEN(d, gp_distribution, mean) || d->p50 <= 0 || above <= d->p50)
        return;
    double spread = gp_num_log(above / d->p50) / z;
    d->mean = d->p50 * gp_num_exp(0.5 * spread * spread);
    gp_origin_derive(&d->meta, offsetof(gp_distribution, mean));
}
