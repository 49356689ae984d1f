/*
 * Kueue: a flavour per kind of GPU, one queue of the cluster whose quota is what the plan counts, a
 * queue of each workload's own in front of it.
 */
#include "base/str.h"
#include "render/export.h"

typedef struct quota {
    const char *gpu;
    const char *flavor;
    gp_export_device device;
    int64_t gpus;
} quota;

typedef GP_LIST(quota) quota_list;

static void add_quota(quota_list *list, gp_export_out *out, const gp_report_candidate *chosen) {
    for (size_t i = 0; i < list->count; i++) {
        if (gp_str_equal(list->items[i].gpu, chosen->gpu)) {
            list->items[i].gpus += chosen->gpus;
            return;
        }
    }
    list->items[list->count++] = (quota){chosen->gpu, gp_export_label(out, chosen->gpu),
                                         gp_export_device_of(chosen->gpu), chosen->gpus};
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

/* Flavours of one resource stand in one group: a resource may stand in no second one. */
static void write_group(gp_export_out *out, const quota_list *list, size_t first) {
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
        gp_buf_printf(buf, "\n      resources:\n      - {name: %s, nominalQuota: \"%lld\"}\n",
                      resource, (long long)list->items[i].gpus);
    }
}

static void write_cluster_queue(gp_export_out *out, const quota_list *list, const char *name) {
    open_object(out, "ClusterQueue", name);
    gp_buf_str(out->form.buf, "  namespaceSelector: {}\n"
                              "  queueingStrategy: BestEffortFIFO\n"
                              "  resourceGroups:\n");
    for (size_t i = 0; i < list->count; i++)
        write_group(out, list, i);
}

static void write_yaml(gp_export_out *out) {
    const char *queue = gp_export_label(out, out->report->summary.plan);
    quota_list list = {.items =
                           GP_NEW_ARRAY(out->form.buf->arena, quota, out->report->workloads.count)};
    gp_export_place at = {0};
    gp_export_header(out);
    gp_buf_str(out->form.buf,
               "# Jobs name their queue by the label kueue.x-k8s.io/queue-name. Quotas are of GPUs "
               "alone:\n# pods that also ask for cpu or memory need those covered too.\n");
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at))
        add_quota(&list, out, &it->recommendation.chosen);
    for (size_t i = 0; i < list.count; i++)
        write_flavor(out, &list.items[i]);
    write_cluster_queue(out, &list, queue);
    at = (gp_export_place){0};
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at)) {
        open_object(out, "LocalQueue", gp_export_label(out, it->name));
        gp_buf_str(out->form.buf, "  clusterQueue: ");
        gp_export_quote(out, queue);
        gp_buf_char(out->form.buf, '\n');
    }
}

const gp_export gp_export_kueue = {
    .one_cluster = true,
    .name = "kueue",
    .summary = "Kueue: ResourceFlavor, ClusterQueue with the quota, LocalQueue",
    .forms = {{"yaml", "yaml", write_yaml}},
};
