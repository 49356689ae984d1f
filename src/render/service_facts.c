/* How a service runs: replicas of today, autoscaling, the hours. */
#include "render/report_parts.h"

static const char *target_words(gp_form_out *out, const gp_report_autoscale *scaling) {
    bool share = gp_str_equal(scaling->metric, "kvCacheUse");
    return gp_form_quantity(out, scaling->target, share ? GP_DIM_FRACTION : GP_DIM_NONE);
}

/* "12 replicas of 4 GPUs"; those that differ are told by the layout. */
static const char *most_words(gp_form_out *out, const gp_report_autoscale *scaling,
                              const char *gpu_part) {
    const char *most = gp_form_plural(out, scaling->max_replicas, "replica");
    if (gpu_part != NULL)
        return gp_form_text(out, "%s of %s of a GPU", most, gpu_part);
    if (scaling->gpus_per_replica == GP_REPORT_NO_COUNT)
        return most;
    return gp_form_text(out, "%s of %s", most,
                        gp_form_plural(out, scaling->gpus_per_replica, "GPU"));
}

static const char *form_autoscale(gp_form_out *out, const gp_report_autoscale *scaling,
                                  const char *gpu_part) {
    const char *most = most_words(out, scaling, gpu_part);
    if (scaling->metric == NULL) /* two kinds of replicas, which follow no one number */
        return gp_form_text(out, "%s to %s in both pools; a new one is ready after %s",
                            gp_form_count(out, scaling->min_replicas), most,
                            gp_form_seconds(out, scaling->cold_start_s));
    if (scaling->min_replicas == scaling->max_replicas)
        return gp_form_text(out, "none: %s at all hours; a new one is ready after %s", most,
                            gp_form_seconds(out, scaling->cold_start_s));
    return gp_form_text(
        out, "%s to %s, scaled on %s at %s per replica; a new one is ready after %s",
        gp_form_count(out, scaling->min_replicas), most,
        scaling->metric_name != NULL ? scaling->metric_name : gp_form_words(out, scaling->metric),
        target_words(out, scaling), gp_form_seconds(out, scaling->cold_start_s));
}

static const char *form_saving(gp_form_out *out, const gp_report_autoscale *scaling,
                               const char *currency) {
    if (!isfinite(scaling->gpu_hours_per_week))
        return NULL;
    const char *money =
        gp_form_around(out, ", ", gp_form_money(out, scaling->saved_per_year, currency), "/yr");
    return gp_form_text(out,
                        "%s GPU-hours a week instead of %s for the peak at all hours: %s saved%s",
                        gp_form_quantity(out, scaling->gpu_hours_per_week, GP_DIM_COUNT),
                        gp_form_quantity(out, scaling->peak_gpu_hours_per_week, GP_DIM_COUNT),
                        gp_form_share(out, scaling->saved_fraction), money);
}

static void print_start(gp_form_out *out, const gp_report_autoscale *scaling) {
    gp_block_say(out, "", "cold start: %s at %s %s, engine %s",
                 gp_form_bytes(out, scaling->weights_bytes),
                 gp_form_quantity(out, scaling->read_bytes_per_s, GP_DIM_BYTES_PER_S),
                 gp_form_seconds(out, scaling->load_s), gp_form_seconds(out, scaling->engine_s));
}

/* "0-7h 3, 8h 4, 9-17h 6": hours of a working day with the same number of replicas together. */
static const char *hours_words(gp_form_out *out, const gp_report_autoscale *scaling) {
    const char *text = "";
    size_t from = 0;
    for (size_t h = 1; h <= scaling->hours.count; h++) {
        const gp_report_hour *hours = scaling->hours.items;
        if (h < scaling->hours.count && hours[h].replicas == hours[from].replicas)
            continue;
        const char *span = h - from > 1
                               ? gp_form_text(out, "%lld-%lldh", (long long)hours[from].hour,
                                              (long long)hours[h - 1].hour)
                               : gp_form_text(out, "%lldh", (long long)hours[from].hour);
        text = gp_form_text(out, "%s%s%s %s", text, from > 0 ? ", " : "", span,
                            gp_form_count(out, hours[from].replicas));
        from = h;
    }
    return text;
}

static void print_autoscaling(gp_form_out *out, const gp_report_autoscale *scaling,
                              const char *gpu_part, const char *currency) {
    gp_block_fact(out, "autoscale", form_autoscale(out, scaling, gpu_part));
    const char *saving = form_saving(out, scaling, currency);
    gp_block_fact(out, "", saving);
    if (out->asked.detail != GP_DETAIL_ALL)
        return;
    print_start(out, scaling);
    if (scaling->hours.count > 0)
        gp_block_say(out, "", "replicas on a working day: %s", hours_words(out, scaling));
}

static const char *form_declared(gp_form_out *out, const gp_report_declared *declared) {
    const char *rate = gp_form_around(
        out, " for up to ", gp_form_quantity(out, declared->requests_per_s, GP_DIM_PER_S), "");
    return gp_form_text(
        out, "%s%s: %s; %s needed",
        gp_form_or(declared->layout, gp_form_plural(out, declared->replicas, "replica")), rate,
        declared->enough ? "enough" : "not enough", gp_form_count(out, declared->needed));
}

static const char *sharing_words(gp_form_out *out, const gp_report_sharing *sharing) {
    return gp_form_text(out, "%s on %s; by formula first token %s, %s/token", sharing->layout,
                        gp_form_plural(out, sharing->nodes, "machine"),
                        gp_form_seconds(out, sharing->ttft_p95_s),
                        gp_form_seconds(out, sharing->tpot_p95_s));
}

static const char *layout_words(gp_form_out *out, const gp_report_sharing *layout) {
    if (!layout->feasible)
        return gp_form_or(layout->reason, "not possible");
    if (!isfinite(layout->tpot_p95_s))
        return gp_form_text(out, "%s, %s", gp_form_plural(out, layout->nodes, "machine"),
                            gp_form_watts(out, layout->facility_power_w));
    return gp_form_text(out, "%s, %s; by formula first token %s, %s/token",
                        gp_form_plural(out, layout->nodes, "machine"),
                        gp_form_watts(out, layout->facility_power_w),
                        gp_form_seconds(out, layout->ttft_p95_s),
                        gp_form_seconds(out, layout->tpot_p95_s));
}

/* The other way than the chosen one. */
static const char *form_disaggregation(gp_form_out *out, const gp_report_disaggregation *shared) {
    const gp_report_sharing *other = shared->chosen ? &shared->together : &shared->apart;
    if (!other->feasible)
        return gp_form_text(out, "%s: %s", shared->chosen ? "chosen" : "not chosen",
                            gp_form_or(shared->reason, "-"));
    const char *transfer =
        gp_form_around(out, "; KV transfer ", gp_form_seconds(out, shared->kv_transfer_s), "");
    return gp_form_text(out, "%s: %s; %s: %s%s", shared->chosen ? "chosen" : "not chosen",
                        gp_form_or(shared->reason, "-"), shared->chosen ? "together" : "apart",
                        sharing_words(out, other), transfer);
}

static const char *form_held(gp_form_out *out, const gp_report_held *held) {
    return gp_form_text(out, "%lld x %s: up to %s", (long long)held->nodes, held->system,
                        gp_form_quantity(out, held->requests_per_s, GP_DIM_PER_S));
}

/* Fewer and larger replicas against more and smaller ones. */
static void print_layouts(gp_form_out *out, const gp_report_service *service) {
    for (size_t i = 0; i < service->layouts.count; i++)
        gp_block_say(out, i == 0 ? "layouts" : "", "%s: %s",
                     gp_form_or(service->layouts.items[i].layout, "-"),
                     layout_words(out, &service->layouts.items[i]));
}

void gp_say_service_facts(gp_form_out *out, const gp_report *report,
                          const gp_report_workload *workload) {
    const gp_report_service *service = workload->service;
    if (service == NULL)
        return;
    if (service->declared != NULL)
        gp_block_fact(out, "today", form_declared(out, service->declared));
    if (service->autoscaling != NULL)
        print_autoscaling(out, service->autoscaling, workload->recommendation.chosen.gpu_part,
                          report->cost.currency);
    const gp_report_disaggregation *shared = service->disaggregation;
    if (shared != NULL && (shared->chosen || out->asked.detail == GP_DETAIL_ALL))
        gp_block_fact(out, "split", form_disaggregation(out, shared));
    if (service->held != NULL)
        gp_block_fact(out, "capacity", form_held(out, service->held));
    if (out->asked.detail == GP_DETAIL_ALL)
        print_layouts(out, service);
}
