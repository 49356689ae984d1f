/*
 * What the exports share: the choice of workloads, what goes wrong, and what keeps hostile names
 * harmless in the files of other programs.
 */
#include "render/export.h"

#include <stdarg.h>
#include <string.h>

#include "base/sha256.h"

enum { LINE_COLUMNS = 200, LABEL_MAX = 49, LABEL_KEPT = 40, LABEL_DIGITS = 8 };

/* ---- what goes wrong */

bool gp_export_failed(const gp_export_out *out) {
    return out->form.buf->st != GP_OK;
}

void gp_export_fail(gp_export_out *out, const char *hint, const char *format, ...) {
    if (gp_export_failed(out))
        return;
    va_list args;
    va_start(args, format);
    const char *text = gp_arena_vprintf(out->form.buf->arena, format, args);
    va_end(args);
    out->form.buf->st = GP_ERR_INPUT;
    *out->problem = (gp_export_problem){text, hint};
}

/* ---- workloads */

static bool is_chosen(const gp_export_out *out, const gp_report_workload *workload) {
    return out->options.workload == NULL || gp_str_equal(out->options.workload, workload->name);
}

/* What a service has on one of its kinds of machines, as a workload by itself. */
static gp_report_workload share_of(gp_export_out *out, const gp_report_workload *whole,
                                   const gp_report_share *share) {
    gp_report_workload ret = *whole;
    gp_report_candidate *chosen = &ret.recommendation.chosen;
    ret.name = gp_form_text(&out->form, "%s-%s", whole->name, share->name);
    chosen->shares.count = 1;
    chosen->gpu = share->gpu;
    chosen->system = share->system;
    chosen->product = share->product;
    chosen->layout = share->layout;
    chosen->gpus = share->gpus;
    chosen->nodes = share->nodes;
    chosen->replicas = share->replicas;
    chosen->spare_replicas = share->spare_replicas;
    chosen->gpus_per_replica = share->gpus_per_replica;
    chosen->gpus_per_node = share->gpus_per_node;
    chosen->hosts_per_node = share->hosts_per_node;
    chosen->tp = share->tp;
    chosen->pp = share->pp;
    chosen->dp = share->dp;
    chosen->ep = share->ep;
    return ret;
}

/* False, with a problem, for one that cannot be written. */
static bool can_write(gp_export_out *out, const gp_report_workload *workload) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    const char *name = gp_export_comment(out, workload->name);
    if (!chosen->feasible)
        gp_export_fail(out, "gpuplan explain shows what it lacks; -w NAME exports another workload",
                       "the workload '%s' is infeasible: there is nothing to export", name);
    else if (out->one_cluster && chosen->shares.count > 1 && out->report->sites.count > 0)
        gp_export_fail(
            out, "pin it to one with placement.sites; -w NAME exports another workload",
            "the workload '%s' runs at several sites and so has no single cluster to write it for",
            name);
    else if (out->one_cluster && chosen->shares.count > 1 && gp_export_apart(workload) != NULL)
        gp_export_fail(out, "split it into one workload for each; -w NAME exports another workload",
                       "the workload '%s' has pools of its own on each of %s", name,
                       gp_form_machines(&out->form, chosen));
    else if (out->one_cluster && chosen->shares.count > 1 && workload->seats != NULL)
        gp_export_fail(out, "pin it to one with placement.pool; -w NAME exports another workload",
                       "the workload '%s' has more than one kind of seat, on %s", name,
                       gp_form_machines(&out->form, chosen));
    return !gp_export_failed(out);
}

const gp_report_workload *gp_export_next(gp_export_out *out, gp_export_place *at) {
    for (; at->workload < out->report->workloads.count; at->workload++, at->share = 0) {
        const gp_report_workload *workload = &out->report->workloads.items[at->workload];
        const gp_report_candidate *chosen = &workload->recommendation.chosen;
        const bool each = out->one_cluster && chosen->shares.count > 1;
        if (!is_chosen(out, workload) || at->share >= (each ? chosen->shares.count : 1))
            continue;
        if (!can_write(out, workload))
            return NULL;
        at->at = each ? share_of(out, workload, &chosen->shares.items[at->share]) : *workload;
        at->share++;
        out->whole = workload;
        return &at->at;
    }
    return NULL;
}

const gp_report_team *gp_export_team(const gp_export_out *out) {
    const gp_report *report = out->report;
    for (size_t i = 0; i < report->teams.count; i++)
        for (size_t k = 0; k < report->teams.items[i].workloads.count; k++)
            if (gp_str_equal(report->teams.items[i].workloads.items[k], out->whole->name))
                return &report->teams.items[i];
    return NULL;
}

size_t gp_export_chosen_count(const gp_export_out *out) {
    size_t count = 0;
    for (size_t i = 0; i < out->report->workloads.count; i++) {
        const gp_report_workload *workload = &out->report->workloads.items[i];
        const size_t shares = workload->recommendation.chosen.shares.count;
        if (is_chosen(out, workload))
            count += out->one_cluster && shares > 1 ? shares : 1;
    }
    return count;
}

bool gp_export_is_serving(const gp_report_workload *workload) {
    return gp_str_equal(workload->type, "inference");
}

const gp_report_disaggregation *gp_export_apart(const gp_report_workload *workload) {
    const gp_report_service *service = workload->service;
    if (service == NULL || service->disaggregation == NULL || !service->disaggregation->chosen ||
        service->disaggregation->pools.count == 0)
        return NULL;
    return service->disaggregation;
}

bool gp_export_shape_of(gp_export_out *out, const gp_report_workload *workload, int64_t replicas,
                        int64_t gpus_per_replica, gp_export_shape *ret_shape) {
    const gp_report_candidate *chosen = &workload->recommendation.chosen;
    const char *name = gp_export_comment(out, workload->name);
    const bool known = chosen->gpus_per_node > 0 && chosen->hosts_per_node > 0 && replicas > 0 &&
                       gpus_per_replica > 0;
    if (!known) {
        gp_export_fail(out, "write the report again with this version of gpuplan",
                       "the report does not state the GPUs per machine of '%s'", name);
        return false;
    }
    if (chosen->jobs_per_gpu > 1) {
        gp_export_fail(
            out, "state jobs.perGpu: 1 to plan whole GPUs, or export another workload with -w",
            "the jobs of '%s' share GPUs, %lld per GPU: a scheduler counts whole GPUs", name,
            (long long)chosen->jobs_per_gpu);
        return false;
    }
    const int64_t each = chosen->gpus_per_node / chosen->hosts_per_node;
    const int64_t hosts = (gpus_per_replica + each - 1) / each;
    if (gpus_per_replica % hosts != 0) {
        gp_export_fail(out, "-w NAME exports one workload",
                       "the %lld GPUs of one replica or job of '%s' do not divide among hosts of "
                       "%lld",
                       (long long)gpus_per_replica, name, (long long)each);
        return false;
    }
    *ret_shape = (gp_export_shape){replicas, hosts, gpus_per_replica / hosts, each};
    return true;
}

/* ---- names and texts */

static char label_letter(char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
}

static bool is_label(const char *text) {
    const size_t len = strlen(text);
    for (size_t i = 0; i < len; i++)
        if (label_letter(text[i]) != text[i])
            return false;
    return len > 0 && len <= LABEL_MAX && text[0] >= 'a' && text[0] <= 'z' && text[len - 1] != '-';
}

const char *gp_export_label(gp_export_out *out, const char *text) {
    char kept[LABEL_KEPT + 1] = "";
    char hex[GP_SHA256_HEX];
    size_t len = 0;
    const char *name = gp_form_or(text, "");
    if (is_label(name))
        return name;
    for (const char *c = name; *c != '\0' && len < LABEL_KEPT; c++) {
        const char letter = label_letter(*c);
        if (letter != '-' || (len > 0 && kept[len - 1] != '-'))
            kept[len++] = letter;
    }
    while (len > 0 && kept[len - 1] == '-')
        len--;
    kept[len] = '\0';
    gp_sha256_hex(name, strlen(name), hex);
    /* A service's name may not start with a digit (RFC 1035). */
    const bool starts = len > 0 && kept[0] >= 'a' && kept[0] <= 'z';
    return gp_form_text(&out->form, "%s%s%s%.*s", starts ? "" : "x", starts ? "" : "-",
                        kept[0] != '\0' ? gp_form_text(&out->form, "%s-", kept) : "", LABEL_DIGITS,
                        hex);
}

const char *gp_export_comment(gp_export_out *out, const char *text) {
    const char *source = gp_form_or(text, "");
    const size_t len = gp_utf8_fit(source, strlen(source), LINE_COLUMNS);
    gp_buf clean = GP_BUF(out->form.buf->arena, len * 3 + 1);
    for (size_t i = 0; i < len;) {
        uint32_t code = 0;
        const size_t bytes = gp_utf8_decode(source + i, len - i, &code);
        const size_t control = gp_utf8_control(source + i);
        if (control > 0)
            gp_buf_char(&clean, ' ');
        else if (bytes == 0)
            gp_buf_str(&clean, "\xef\xbf\xbd");
        else
            gp_buf_add(&clean, source + i, bytes);
        i += control > 0 ? control : bytes > 0 ? bytes : 1;
    }
    return gp_form_taken(&out->form, &clean);
}

const char *gp_export_quoted(gp_export_out *out, const char *text) {
    return gp_form_written_by(&out->form, gp_json_quote, gp_export_comment(out, text));
}

void gp_export_quote(gp_export_out *out, const char *text) {
    gp_json_quote(out->form.buf, gp_export_comment(out, text));
}

void gp_export_header(gp_export_out *out) {
    const gp_report *report = out->report;
    char digest[GP_PLAN_DIGEST];
    gp_report_digest(report, digest);
    gp_buf_printf(out->form.buf, "# Made by gpuplan %s from the plan %s.\n",
                  gp_export_comment(out, report->tool.version),
                  gp_export_comment(out, report->summary.plan));
    gp_buf_printf(out->form.buf, "# plan sha256:%s\n", digest);
    gp_buf_printf(out->form.buf, "# spec sha256:%s\n",
                  gp_export_comment(out, report->inputs.spec.sha256));
}
