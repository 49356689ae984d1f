/*
 * What Slurm counts of the machines of a plan. GPUs that stay whole are files of a type; slices of
 * MIG are found by NVML, which has names of its own for them and for whole GPUs beside them; what
 * shares a GPU without slices has shards of it.
 */
#include "render/export_gres.h"

/* Letters, digits and '_': a type stands between colons. */
static const char *label_type(gp_export_out *out, const char *gpu) {
    gp_buf type = GP_BUF(out->form.buf->arena, 256);
    for (const char *c = gp_export_label(out, gpu); *c != '\0'; c++)
        gp_buf_char(&type, *c == '-' ? '_' : *c);
    return gp_form_taken(&out->form, &type);
}

/* Parts that one workload has, and whether they are slices; false: whole GPUs. */
static bool cut_of(const gp_report_workload *it, gp_gres_cut *ret, bool *ret_mig) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const gp_report_seats *seats = it->seats;
    if (seats != NULL && seats->part != NULL) {
        *ret = (gp_gres_cut){seats->part, seats->held, (double)chosen->gpus};
        *ret_mig = gp_str_equal(seats->method, "mig");
        return seats->held > 0 && chosen->gpus > 0;
    }
    if (seats != NULL || chosen->gpu_part == NULL)
        return false;
    *ret = (gp_gres_cut){chosen->gpu_part, chosen->replicas,
                         (double)chosen->replicas * chosen->gpu_fraction};
    *ret_mig = gp_str_equal(chosen->gpu_part_method, "mig");
    return chosen->replicas > 0 && chosen->gpu_fraction > 0;
}

bool gp_gres_is_sliced(const gp_report *report, const char *gpu) {
    gp_gres_cut cut;
    bool mig = false;
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        const bool such = gpu == NULL || gp_str_equal(it->recommendation.chosen.gpu, gpu);
        if (such && cut_of(it, &cut, &mig) && mig)
            return true;
    }
    return false;
}

int64_t gp_gres_shards(const gp_report *report, const char *system) {
    static const double rounding = 1e-6;
    double most = 0;
    gp_gres_cut cut;
    bool mig = false;
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        const bool here = system == NULL || gp_str_equal(it->recommendation.chosen.system, system);
        if (here && cut_of(it, &cut, &mig) && !mig)
            most = gp_num_max(most, (double)cut.parts / cut.gpus);
    }
    return gp_num_ceil_count(most - rounding);
}

static const char *type_of(gp_export_out *out, const char *gpu) {
    const char *nvml =
        gp_gres_is_sliced(out->report, gpu) ? gp_export_nvml_name(&out->form, gpu) : NULL;
    return nvml != NULL ? nvml : label_type(out, gpu);
}

/* Machines on the bill; those that are rented stand on none. */
static int64_t machines_of(const gp_report *report, const gp_report_candidate *chosen) {
    int64_t count = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (gp_str_equal(line->role, "machine") && gp_str_equal(line->id, chosen->system))
            count += line->count;
    }
    return gp_num_max_i64(count, chosen->nodes);
}

/* Every pool of a service stands on the same hosts: the first stands for both. */
static bool shape_on_host(gp_export_out *out, const gp_report_workload *workload,
                          gp_export_shape *ret) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    const gp_report_disaggregation *apart = gp_export_apart(workload);
    const gp_report_pool *pool = apart != NULL ? &apart->pools.items[0] : NULL;
    return gp_export_shape_of(out, workload, pool != NULL ? pool->replicas : chosen->replicas,
                              pool != NULL ? pool->gpus_per_replica : chosen->gpus_per_replica,
                              ret);
}

static gp_gres_host *host_of(gp_export_out *out, gp_gres_hosts *list,
                             const gp_report_workload *workload) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    gp_export_shape shape;
    for (size_t i = 0; i < list->count; i++)
        if (gp_str_equal(list->items[i].system, chosen->system))
            return &list->items[i];
    if (!shape_on_host(out, workload, &shape))
        return NULL;
    gp_gres_host *ret = &GP_NEXT(*list);
    *ret = (gp_gres_host){
        .system = chosen->system,
        .name = gp_export_label(out, chosen->system),
        .type = type_of(out, chosen->gpu),
        .device = gp_export_device_of(chosen->gpu),
        .count = machines_of(out->report, chosen) * chosen->hosts_per_node,
        .gpus = shape.host_gpus,
        .shards = gp_gres_shards(out->report, chosen->system),
    };
    GP_ROOM(out->form.buf->arena, &ret->cuts, out->report->workloads.count);
    return ret;
}

static void add_cut(const gp_report_workload *workload, gp_gres_host *host) {
    gp_gres_cut cut;
    if (!cut_of(workload, &cut, &host->mig))
        return;
    size_t same = 0;
    while (same < host->cuts.count && !gp_str_equal(host->cuts.items[same].profile, cut.profile))
        same++;
    if (same == host->cuts.count) {
        GP_NEXT(host->cuts) = cut;
        return;
    }
    host->cuts.items[same].parts += cut.parts;
    host->cuts.items[same].gpus += cut.gpus;
}

gp_gres_hosts gp_gres_hosts_of(gp_export_out *out) {
    gp_gres_hosts list = {
        .items = GP_NEW_ARRAY(out->form.buf->arena, gp_gres_host, gp_export_chosen_count(out))};
    const gp_report_workload *whole = out->whole;
    gp_export_place at = {0};
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at)) {
        gp_gres_host *host = host_of(out, &list, it);
        if (host != NULL)
            add_cut(it, host);
    }
    out->whole = whole;
    return list;
}

static int64_t all_cut(const gp_gres_host *it) {
    static const double rounding = 1e-9;
    double gpus = 0;
    for (size_t i = 0; i < it->cuts.count; i++)
        gpus += it->cuts.items[i].gpus;
    return gp_num_min_i64(gp_num_ceil_count(gpus - rounding), it->count * it->gpus);
}

int64_t gp_gres_cut_hosts(const gp_gres_host *it) {
    return (all_cut(it) + it->gpus - 1) / it->gpus;
}

/* Those on the first hosts. */
static int64_t cut_before(const gp_gres_host *it, int64_t hosts) {
    return gp_num_min_i64(all_cut(it), hosts * it->gpus);
}

int64_t gp_gres_cut_gpus(const gp_gres_host *it, int64_t host) {
    return cut_before(it, host + 1) - cut_before(it, host);
}

int64_t gp_gres_parts_on(const gp_gres_host *it, const gp_gres_cut *cut, int64_t host) {
    const int64_t all = all_cut(it);
    return cut->parts * cut_before(it, host + 1) / all - cut->parts * cut_before(it, host) / all;
}

const char *gp_gres_asked(gp_export_out *out, const gp_report_workload *workload, int64_t gpus) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    const char *type = type_of(out, chosen->gpu);
    gp_gres_cut cut;
    bool mig = false;
    if (!cut_of(workload, &cut, &mig))
        return gp_form_text(&out->form, "--gpus-per-node=%s:%lld", type, (long long)gpus);
    if (mig)
        return gp_form_text(&out->form, "--gpus-per-node=%s_%s:1", type,
                            gp_export_comment(out, cut.profile));
    const double shards =
        (double)gp_gres_shards(out->report, chosen->system) * cut.gpus / (double)cut.parts;
    return gp_form_text(&out->form, "--gres=shard:%lld", (long long)gp_num_ceil_count(shards));
}

/* What the workloads of a team have of shards, and of slices. */
typedef struct team_parts {
    double gpus, parts;
} team_parts;

static void add_parts(const gp_report *report, const char *name, team_parts parts[2]) {
    gp_gres_cut cut;
    bool mig = false;
    const gp_report_workload *it = GP_NAMED(report->workloads, name, name);
    if (it == NULL || !cut_of(it, &cut, &mig))
        return;
    const int64_t shards = gp_gres_shards(report, it->recommendation.chosen.system);
    parts[mig].gpus += cut.gpus;
    parts[mig].parts += mig ? (double)cut.parts : cut.gpus * (double)shards;
}

const char *gp_gres_limit(gp_export_out *out, const gp_report_team *team, int64_t gpus) {
    team_parts parts[2] = {{.gpus = 0}, {.gpus = 0}};
    double counted[2] = {0, 0};
    double whole = (double)gpus;
    for (size_t i = 0; i < team->workloads.count; i++)
        add_parts(out->report, team->workloads.items[i], parts);
    for (size_t i = 0; i < GP_COUNT_OF(parts); i++) {
        const double taken = gp_num_min(whole, parts[i].gpus);
        counted[i] = taken > 0 ? parts[i].parts * taken / parts[i].gpus : 0;
        whole -= taken;
    }
    const char *limit = gp_form_text(&out->form, "gres/gpu=%lld",
                                     (long long)gp_num_ceil_count(whole + counted[true]));
    return counted[false] > 0 ? gp_form_text(&out->form, "%s,gres/shard=%lld", limit,
                                             (long long)gp_num_ceil_count(counted[false]))
                              : limit;
}
