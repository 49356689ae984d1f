/*
 * Kueue: a flavour per kind of GPU, one queue of the cluster whose quota is what the plan counts,
 * or one for each team, and a queue of each workload's own in front of it.
 */
#include "render/export.h"

#include <string.h>

typedef struct quota {
    const char *gpu;
    const char *flavor;
    gp_export_device device;
    int64_t gpus;
    bool cut;                   /* parts of GPUs, all of one resource, */
    const gp_report_team *team; /* whose they are, */
    int64_t parts;              /* how many, */
    double share;               /* and what they take of GPUs, */
    int64_t *dealt;             /* by team: GPUs of its own that hold some of them */
    int64_t *used;              /* by team: whole GPUs that its workloads use, */
    int64_t *own, *borrowing;   /* and its quota of them */
    int64_t room;               /* whole GPUs that are left to deal out */
} quota;

typedef GP_LIST(quota) quota_list;

static quota *new_quota(quota_list *list, gp_export_out *out, const char *gpu) {
    gp_arena *arena = out->form.buf->arena;
    const size_t teams = out->report->teams.count;
    GP_NEXT(*list) = (quota){.gpu = gpu,
                             .flavor = gp_export_label(out, gpu),
                             .device = gp_export_device_of(gpu),
                             .used = GP_NEW_ARRAY(arena, int64_t, teams),
                             .own = GP_NEW_ARRAY(arena, int64_t, teams),
                             .borrowing = GP_NEW_ARRAY(arena, int64_t, teams)};
    return &list->items[list->count - 1];
}

static quota *whole_quota(quota_list *list, gp_export_out *out, const char *gpu) {
    for (size_t i = 0; i < list->count; i++)
        if (!list->items[i].cut && gp_str_equal(list->items[i].gpu, gpu))
            return &list->items[i];
    return new_quota(list, out, gpu);
}

static void add_whole(quota_list *list, gp_export_out *out, const gp_report_candidate *chosen) {
    const gp_report_team *team = gp_export_team(out);
    quota *row = whole_quota(list, out, chosen->gpu);
    row->gpus += chosen->gpus;
    if (team != NULL)
        row->used[team - out->report->teams.items] += chosen->gpus;
}

/* Parts of several workloads may lie on one GPU; a flavour stands in one group of resources. */
static quota *part_quota(quota_list *list, gp_export_out *out, const char *gpu,
                         const char *resource) {
    const gp_report_team *team = gp_export_team(out);
    for (size_t i = 0; i < list->count; i++) {
        quota *row = &list->items[i];
        if (row->cut && row->team == team && gp_str_equal(row->gpu, gpu) &&
            gp_str_equal(row->device.resource, resource))
            return row;
    }
    quota *row = new_quota(list, out, gpu);
    row->cut = true;
    row->team = team;
    row->device.resource = resource;
    row->flavor =
        gp_export_label(out, gp_form_text(&out->form, "%s-%s%s%s", gpu, strchr(resource, '/') + 1,
                                          team != NULL ? "-" : "", team != NULL ? team->name : ""));
    return row;
}

static void add_quota(quota_list *list, gp_export_out *out, const gp_report_workload *it) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const bool seats = it->seats != NULL && it->seats->part != NULL;
    const char *part = seats ? it->seats->part : chosen->gpu_part;
    const char *method = seats ? it->seats->method : chosen->gpu_part_method;
    if (part == NULL) {
        add_whole(list, out, chosen);
        return;
    }
    quota *row =
        part_quota(list, out, chosen->gpu, gp_export_resource_of(out, chosen->gpu, part, method));
    row->parts += seats ? it->seats->held : chosen->replicas;
    row->share += seats ? (double)chosen->gpus : chosen->gpu_fraction * (double)chosen->replicas;
    row->gpus = gp_num_ceil_count(row->share);
}

/* Teams share what is there, also kinds that no workload is planned on. */
static void add_idle(quota_list *list, gp_export_out *out) {
    const gp_report *report = out->report;
    for (size_t i = 0; i < report->site.bill.count && report->teams.count > 0; i++)
        if (report->site.bill.items[i].gpu != NULL && out->options.workload == NULL)
            whole_quota(list, out, report->site.bill.items[i].gpu);
}

static void open_object(gp_export_out *out, const char *kind, const char *name) {
    char digest[GP_PLAN_DIGEST];
    gp_buf *buf = out->form.buf;
    gp_report_digest(out->report, digest);
    gp_buf_printf(buf, "---\napiVersion: kueue.x-k8s.io/%s\nkind: %s\nmetadata:\n  name: ",
                  gp_str_equal(out->options.api, "v1beta2") ? "v1beta2" : "v1beta1", kind);
    gp_export_quote(out, name);
    gp_buf_printf(buf, "\n  annotations:\n    gpuplan/plan-digest: \"sha256:%s\"\nspec:\n", digest);
}

static void write_flavor(gp_export_out *out, const quota *it) {
    gp_buf *buf = out->form.buf;
    open_object(out, "ResourceFlavor", it->flavor);
    gp_buf_printf(buf, "  nodeLabels:\n    %s: ", it->device.label);
    gp_export_quote(out, it->device.product != NULL ? it->device.product : it->flavor);
    gp_buf_printf(buf, "\n  tolerations:\n  - {key: %s, operator: Exists, effect: NoSchedule}\n",
                  it->device.resource);
}

/* What a queue gives its jobs: all that is planned, or what is a team's own. */
typedef struct queue_share {
    const char *name;
    const gp_report_team *team; /* NULL: no teams are stated */
    size_t index;               /* its place among them */
} queue_share;

/* GPUs of a team, by its place, that hold parts of seats. */
static int64_t dealt_of(const quota_list *list, size_t team) {
    int64_t gpus = 0;
    for (size_t i = 0; i < list->count; i++)
        gpus += list->items[i].dealt != NULL ? list->items[i].dealt[team] : 0;
    return gpus;
}

/* Seats take GPUs of their own team first, then of those that lend some: a queue borrows only what
 * is another's by name. What is nobody's stays with them. */
static void deal_out(const gp_export_out *out, const quota_list *list, quota *row) {
    const gp_report *report = out->report;
    int64_t rest = row->gpus;
    size_t own = 0;
    row->dealt = GP_NEW_ARRAY(out->form.buf->arena, int64_t, report->teams.count);
    while (&report->teams.items[own] != row->team)
        own++;
    const int64_t left = row->team->quota_gpus - dealt_of(list, own);
    row->dealt[own] = gp_num_min_i64(rest, gp_num_max_i64(0, left));
    rest -= row->dealt[own];
    for (size_t i = 0; i < report->teams.count; i++) {
        if (i == own)
            continue;
        const int64_t lent = report->teams.items[i].lent_gpus - dealt_of(list, i);
        row->dealt[i] = gp_num_min_i64(rest, gp_num_max_i64(0, lent));
        rest -= row->dealt[i];
    }
    row->dealt[own] += rest;
}

/* The parts on those of a team's GPUs; all of them are on somebody's. */
static int64_t parts_of(const quota *row, size_t team) {
    int64_t before = 0;
    for (size_t i = 0; row->dealt != NULL && i < team; i++)
        before += row->dealt[i];
    return row->dealt == NULL ? 0
                              : row->parts * (before + row->dealt[team]) / row->gpus -
                                    row->parts * before / row->gpus;
}

/* ---- whole GPUs: the quotas of a flavour add up to no more than there is of it */

/* On the bill, and rented; the planned ones where a report does not say. */
static int64_t there_of(const gp_report *report, const quota *row) {
    int64_t gpus = 0;
    for (size_t i = 0; i < report->site.bill.count; i++) {
        const gp_report_bill *line = &report->site.bill.items[i];
        if (gp_str_equal(line->gpu, row->gpu))
            gpus += line->count * line->gpus_per_node;
    }
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_candidate *chosen = &report->workloads.items[i].recommendation.chosen;
        if (gp_form_is_rented(chosen) && gp_str_equal(chosen->gpu, row->gpu))
            gpus += chosen->nodes * chosen->gpus_per_node;
    }
    return gpus > 0 ? gpus : row->gpus;
}

/* Without those that are cut into parts. */
static void fill_room(const gp_report *report, const quota_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        quota *row = &list->items[i];
        double cut = 0;
        for (size_t k = 0; k < list->count; k++)
            cut += gp_str_equal(list->items[k].gpu, row->gpu) ? list->items[k].share : 0;
        row->room =
            row->cut ? 0 : gp_num_max_i64(0, there_of(report, row) - gp_num_ceil_count(cut));
    }
}

static int64_t room_in(const quota_list *list) {
    int64_t gpus = 0;
    for (size_t i = 0; i < list->count; i++)
        gpus += list->items[i].room;
    return gpus;
}

/* So many of a flavour, as far as there is room and the team may have more. */
static void give(quota *row, int64_t *left, int64_t gpus, int64_t *to) {
    const int64_t given = gp_num_min_i64(gp_num_min_i64(gpus, row->room), *left);
    if (given <= 0)
        return;
    *to += given;
    *left -= given;
    row->room -= given;
}

/* In proportion to the room of each flavour. */
static void spread(const quota_list *list, int64_t gpus, size_t team, bool borrowed) {
    const int64_t room = room_in(list);
    int64_t left = gpus;
    for (int rounding = 0; rounding < 2; rounding++)
        for (size_t i = 0; i < list->count && room > 0; i++) {
            quota *row = &list->items[i];
            give(row, &left, rounding ? left : gpus * row->room / room,
                 borrowed ? &row->borrowing[team] : &row->own[team]);
        }
}

/* GPUs of others that seats of the team are planned on. */
static int64_t borrowed_by_seats(const quota_list *list, const gp_report_team *team, size_t index) {
    int64_t gpus = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].dealt != NULL && list->items[i].team == team)
            gpus += list->items[i].gpus - list->items[i].dealt[index];
    return gpus;
}

/* What each team's own workloads use comes first, then the rest of each quota by what there is. */
static void deal_own(const gp_report *report, const quota_list *list, int64_t *left) {
    int64_t all = 0;
    fill_room(report, list);
    for (size_t t = 0; t < report->teams.count; t++) {
        left[t] = gp_num_max_i64(0, report->teams.items[t].quota_gpus - dealt_of(list, t));
        for (size_t i = 0; i < list->count; i++)
            give(&list->items[i], &left[t], list->items[i].used[t], &list->items[i].own[t]);
        all += left[t];
    }
    const int64_t room = room_in(list);
    for (size_t t = 0; t < report->teams.count; t++)
        spread(list, all > room ? left[t] * room / all : left[t], t, false);
}

/* Likewise, of what the others have. */
static void deal_borrowing(const gp_report *report, const quota_list *list, size_t team) {
    const gp_report_team *of = &report->teams.items[team];
    int64_t left = gp_num_max_i64(0, of->borrowing_gpus - borrowed_by_seats(list, of, team));
    for (size_t i = 0; i < list->count; i++) {
        quota *row = &list->items[i];
        row->room = 0;
        for (size_t t = 0; t < report->teams.count; t++)
            row->room += t != team ? row->own[t] : 0;
        give(row, &left, row->used[team] - row->own[team], &row->borrowing[team]);
    }
    spread(list, left, team, true);
}

static void deal_whole(gp_export_out *out, const quota_list *list) {
    const gp_report *report = out->report;
    deal_own(report, list, GP_NEW_ARRAY(out->form.buf->arena, int64_t, report->teams.count));
    for (size_t t = 0; t < report->teams.count; t++)
        deal_borrowing(report, list, t);
}

/* What is its own, and what it may borrow. */
static void team_quota(const quota *row, const queue_share *share, int64_t *ret_own,
                       int64_t *ret_borrowing) {
    *ret_own = row->cut ? parts_of(row, share->index) : row->own[share->index];
    *ret_borrowing = !row->cut                  ? row->borrowing[share->index]
                     : row->team == share->team ? row->parts - *ret_own
                                                : 0;
}

static void write_quota(gp_export_out *out, const quota *row, const queue_share *share) {
    gp_buf *buf = out->form.buf;
    int64_t own = row->cut ? row->parts : gp_num_min_i64(row->gpus, row->room);
    int64_t borrowing = 0;
    if (share->team != NULL)
        team_quota(row, share, &own, &borrowing);
    gp_buf_printf(buf, "\n      resources:\n      - {name: %s, nominalQuota: \"%lld\"",
                  row->device.resource, (long long)own);
    if (share->team != NULL && share->team->borrowing_gpus != GP_REPORT_NO_COUNT)
        gp_buf_printf(buf, ", borrowingLimit: \"%lld\"", (long long)borrowing);
    gp_buf_str(buf, "}\n");
}

/* Flavours of one resource stand in one group: a resource may stand in no second one. */
static void write_group(gp_export_out *out, const quota_list *list, size_t first,
                        const queue_share *share) {
    gp_buf *buf = out->form.buf;
    const char *resource = list->items[first].device.resource;
    for (size_t i = 0; i < first; i++)
        if (gp_str_equal(list->items[i].device.resource, resource))
            return;
    gp_buf_printf(buf, "  - coveredResources: [%s]\n    flavors:\n", resource);
    for (size_t i = first; i < list->count; i++) {
        if (!gp_str_equal(list->items[i].device.resource, resource))
            continue;
        gp_buf_str(buf, "    - name: ");
        gp_export_quote(out, list->items[i].flavor);
        write_quota(out, &list->items[i], share);
    }
}

/* Teams lend each other what they leave, and have it back when they want it. */
static void write_cluster_queue(gp_export_out *out, const quota_list *list,
                                const queue_share *share) {
    const bool v1beta2 = gp_str_equal(out->options.api, "v1beta2");
    open_object(out, "ClusterQueue", share->name);
    if (share->team != NULL) {
        gp_buf_str(out->form.buf, v1beta2 ? "  cohortName: " : "  cohort: ");
        gp_export_quote(out, gp_export_label(out, out->report->summary.plan));
        gp_buf_str(out->form.buf, "\n  preemption: {reclaimWithinCohort: Any, "
                                  "withinClusterQueue: LowerPriority}\n");
    }
    gp_buf_str(out->form.buf, "  namespaceSelector: {}\n"
                              "  queueingStrategy: BestEffortFIFO\n"
                              "  resourceGroups:\n");
    for (size_t i = 0; i < list->count; i++)
        write_group(out, list, i, share);
}

static void write_queues(gp_export_out *out, const quota_list *list) {
    const gp_report *report = out->report;
    queue_share share = {.name = gp_export_label(out, report->summary.plan)};
    if (report->teams.count == 0)
        write_cluster_queue(out, list, &share);
    for (size_t i = 0; i < report->teams.count; i++) {
        share.team = &report->teams.items[i];
        share.index = i;
        share.name = gp_export_label(out, share.team->name);
        write_cluster_queue(out, list, &share);
    }
}

static void write_yaml(gp_export_out *out) {
    quota_list list = {
        .items = GP_NEW_ARRAY(out->form.buf->arena, quota,
                              gp_export_chosen_count(out) + out->report->site.bill.count)};
    gp_export_place at = {0};
    gp_export_header(out);
    gp_buf_str(out->form.buf,
               "# Jobs name their queue with the label kueue.x-k8s.io/queue-name. The quotas cover "
               "only GPUs:\n# pods that also request cpu or memory need quotas for those too.\n");
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at))
        add_quota(&list, out, it);
    add_idle(&list, out);
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].team != NULL)
            deal_out(out, &list, &list.items[i]);
        write_flavor(out, &list.items[i]);
    }
    deal_whole(out, &list);
    write_queues(out, &list);
    at = (gp_export_place){0};
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at)) {
        const gp_report_team *team = gp_export_team(out);
        if (out->report->teams.count > 0 && team == NULL) {
            gp_buf_printf(out->form.buf, "# %s belongs to no team: no queue takes its jobs.\n",
                          gp_export_comment(out, it->name));
            continue;
        }
        open_object(out, "LocalQueue", gp_export_label(out, it->name));
        gp_buf_str(out->form.buf, "  clusterQueue: ");
        gp_export_quote(
            out, gp_export_label(out, team != NULL ? team->name : out->report->summary.plan));
        gp_buf_char(out->form.buf, '\n');
    }
}

const gp_export gp_export_kueue = {
    .one_cluster = true,
    .name = "kueue",
    .summary = "Kueue: ResourceFlavor, ClusterQueue with the quota, LocalQueue",
    .forms = {{"yaml", "yaml", write_yaml}},
};
