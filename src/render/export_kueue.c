/*
 * Kueue: a flavour per kind of GPU, one queue of the cluster whose quota is what the plan counts, a
 * queue of each workload's own in front of it.
 */
#include "render/export.h"

typedef struct quota {
    const char *gpu;
    const char *flavor;
    gp_export_device device;
    int64_t gpus;
    bool cut;                   /* parts of GPUs that are seats of one workload, */
    const gp_report_team *team; /* whose they are, */
    int64_t parts;              /* and how many, */
    int64_t *dealt;             /* by team: GPUs of its own that hold some of them */
} quota;

typedef GP_LIST(quota) quota_list;

static void add_quota(quota_list *list, gp_export_out *out, const gp_report_workload *it) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const bool cut = it->seats != NULL && it->seats->part != NULL;
    for (size_t i = 0; i < list->count && !cut; i++) {
        if (!list->items[i].cut && gp_str_equal(list->items[i].gpu, chosen->gpu)) {
            list->items[i].gpus += chosen->gpus;
            return;
        }
    }
    quota *row = &GP_NEXT(*list);
    *row = (quota){.gpu = chosen->gpu,
                   .flavor = gp_export_label(out, chosen->gpu),
                   .device = gp_export_device_of(chosen->gpu),
                   .gpus = chosen->gpus};
    if (!cut)
        return;
    row->cut = true;
    row->team = gp_export_team(out);
    row->parts = it->seats->held;
    row->flavor = gp_export_label(
        out, gp_form_text(&out->form, "%s-%s", chosen->gpu, gp_export_label(out, it->name)));
    row->device.resource =
        gp_export_resource_of(out, chosen->gpu, it->seats->part, it->seats->method);
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

/* Of the team's GPUs those of one flavour, dealt out as all of them are, with what is left over in
 * the first. */
static int64_t team_part(const quota_list *list, size_t at, int64_t gpus) {
    int64_t all = 0, rest = gpus;
    size_t first = list->count;
    for (size_t i = list->count; i-- > 0;)
        if (!list->items[i].cut) {
            all += list->items[i].gpus;
            first = i;
        }
    for (size_t i = 0; i < list->count && all > 0; i++)
        rest -= !list->items[i].cut ? gpus * list->items[i].gpus / all : 0;
    return all > 0 ? gpus * list->items[at].gpus / all + (at == first ? rest : 0) : 0;
}

/* GPUs of others that seats of the team are planned on. */
static int64_t borrowed_by_seats(const quota_list *list, const queue_share *share) {
    int64_t gpus = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].dealt != NULL && list->items[i].team == share->team)
            gpus += list->items[i].gpus - list->items[i].dealt[share->index];
    return gpus;
}

/* What is its own, and what it may borrow. */
static void team_quota(const quota_list *list, size_t at, const queue_share *share,
                       int64_t *ret_own, int64_t *ret_borrowing) {
    const quota *row = &list->items[at];
    const gp_report_team *team = share->team;
    if (row->cut) {
        *ret_own = parts_of(row, share->index);
        *ret_borrowing = row->team == team ? row->parts - *ret_own : 0;
        return;
    }
    const int64_t whole = team->quota_gpus - dealt_of(list, share->index);
    const int64_t left = team->borrowing_gpus - borrowed_by_seats(list, share);
    *ret_own = team_part(list, at, gp_num_max_i64(whole, 0));
    *ret_borrowing = team_part(list, at, gp_num_max_i64(left, 0));
}

static void write_quota(gp_export_out *out, const quota_list *list, size_t at,
                        const queue_share *share) {
    gp_buf *buf = out->form.buf;
    const quota *row = &list->items[at];
    int64_t own = row->cut ? row->parts : row->gpus;
    int64_t borrowing = 0;
    if (share->team != NULL)
        team_quota(list, at, share, &own, &borrowing);
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
        write_quota(out, list, i, share);
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
    quota_list list = {.items =
                           GP_NEW_ARRAY(out->form.buf->arena, quota, gp_export_chosen_count(out))};
    gp_export_place at = {0};
    gp_export_header(out);
    gp_buf_str(out->form.buf,
               "# Jobs name their queue with the label kueue.x-k8s.io/queue-name. The quotas cover "
               "only GPUs:\n# pods that also request cpu or memory need quotas for those too.\n");
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at))
        add_quota(&list, out, it);
    for (size_t i = 0; i < list.count; i++) {
        if (list.items[i].team != NULL)
            deal_out(out, &list, &list.items[i]);
        write_flavor(out, &list.items[i]);
    }
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
