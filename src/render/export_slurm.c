/*
 * Slurm: gres.conf and node lines for the machines of the plan, and a job script per workload. What
 * a plan does not know of a machine (its cores, its host memory) is what `slurmd -C` prints on it;
 * what the tasks run is given to the script.
 */
#include <string.h>

#include "render/export_gres.h"
#include "render/export_launch.h"

/* "dgx-h200-[001-022]": as many digits as the last host of the kind has. */
static const char *host_names(gp_export_out *out, const gp_gres_host *it, int64_t first,
                              int64_t last) {
    char numbers[2][GP_NUM_TEXT];
    const size_t digits = gp_num_format_i64(numbers[0], it->count);
    const char *padded[2];
    for (int i = 0; i < 2; i++) {
        const size_t own = gp_num_format_i64(numbers[i], i == 0 ? first : last);
        padded[i] = gp_form_text(&out->form, "%.*s%s", (int)(digits - own), "0000000000000000000",
                                 numbers[i]);
    }
    return first == last ? gp_form_text(&out->form, "%s-%s", it->name, padded[0])
                         : gp_form_text(&out->form, "%s-[%s-%s]", it->name, padded[0], padded[1]);
}

/* Lines of hosts that are cut, one by one, and a line of the others. */
typedef void write_hosts(gp_export_out *out, const gp_gres_host *it, const char *names,
                         int64_t host);
enum { UNCUT = -1 };

static void each_host(gp_export_out *out, write_hosts *write) {
    const gp_gres_hosts list = gp_gres_hosts_of(out);
    for (size_t i = 0; i < list.count && !gp_export_failed(out); i++) {
        const gp_gres_host *it = &list.items[i];
        const int64_t cut = gp_gres_cut_hosts(it);
        for (int64_t host = 0; host < cut; host++)
            write(out, it, host_names(out, it, host + 1, host + 1), host);
        if (cut < it->count)
            write(out, it, host_names(out, it, cut + 1, it->count), UNCUT);
    }
}

/* ---- gres.conf */

static void write_files(gp_export_out *out, const gp_gres_host *it, int64_t count) {
    gp_buf_printf(out->form.buf, count > 1 ? " File=%s[%d-%lld]\n" : " File=%s%d\n",
                  it->device.file, it->device.first, (long long)(it->device.first + count - 1));
}

/* How the GPUs are cut: Slurm finds slices that are there, and makes none. */
static void write_slices(gp_export_out *out, const gp_gres_host *it, const char *names,
                         int64_t host) {
    gp_buf *buf = out->form.buf;
    gp_buf_printf(buf, "# %s: %lld of its GPUs in MIG mode, cut into", names,
                  (long long)gp_gres_cut_gpus(it, host));
    for (size_t i = 0; i < it->cuts.count; i++)
        gp_buf_printf(buf, "%s %lld x %s", i > 0 ? "," : "",
                      (long long)gp_gres_parts_on(it, &it->cuts.items[i], host),
                      gp_export_comment(out, it->cuts.items[i].profile));
    gp_buf_printf(
        buf, " (nvidia-smi mig -cgi); slurmd -G shows them\nNodeName=%s AutoDetect=nvml\n", names);
}

static void write_gres_host(gp_export_out *out, const gp_gres_host *it, const char *names,
                            int64_t host) {
    if (it->device.file == NULL) {
        gp_export_fail(out, NULL, "no device files are known for the GPU '%s'",
                       gp_export_comment(out, it->type));
        return;
    }
    if (host != UNCUT && it->mig) {
        write_slices(out, it, names, host);
        return;
    }
    gp_buf_printf(out->form.buf, "NodeName=%s Name=gpu Type=%s", names, it->type);
    write_files(out, it, it->gpus);
    if (host == UNCUT)
        return;
    const int64_t gpus = gp_gres_cut_gpus(it, host);
    gp_buf_printf(out->form.buf, "NodeName=%s Name=shard Count=%lld", names,
                  (long long)(gpus * it->shards));
    write_files(out, it, gpus);
}

static void write_gres(gp_export_out *out) {
    gp_export_header(out);
    each_host(out, write_gres_host);
}

/* ---- lines of slurm.conf */

static void write_node_host(gp_export_out *out, const gp_gres_host *it, const char *names,
                            int64_t host) {
    gp_buf *buf = out->form.buf;
    const int64_t cut = host == UNCUT ? 0 : gp_gres_cut_gpus(it, host);
    const int64_t whole = it->mig ? it->gpus - cut : it->gpus;
    gp_buf_printf(buf, "NodeName=%s Gres=", names);
    if (whole > 0)
        gp_buf_printf(buf, "gpu:%s:%lld", it->type, (long long)whole);
    for (size_t i = 0; cut > 0 && it->mig && i < it->cuts.count; i++)
        gp_buf_printf(buf, "%sgpu:%s_%s:%lld", whole > 0 || i > 0 ? "," : "", it->type,
                      gp_export_comment(out, it->cuts.items[i].profile),
                      (long long)gp_gres_parts_on(it, &it->cuts.items[i], host));
    if (cut > 0 && !it->mig)
        gp_buf_printf(buf, ",shard:%lld", (long long)(cut * it->shards));
    gp_buf_str(buf, " State=UNKNOWN\n");
}

static bool has_shards(const gp_export_out *out) {
    return gp_gres_shards(out->report, NULL) > 0;
}

static void write_node_lines(gp_export_out *out) {
    const gp_gres_hosts list = gp_gres_hosts_of(out);
    const bool shards = has_shards(out);
    gp_buf *buf = out->form.buf;
    gp_buf_printf(
        buf,
        "# Add what slurmd -C prints on such a machine: CPUs, sockets, RealMemory.\n"
        "# GPUs need SelectType=select/cons_tres; AccountingStorageTRES=gres/gpu%s counts "
        "them.\nGresTypes=gpu%s\n",
        shards ? ",gres/shard" : "", shards ? ",shard" : "");
    each_host(out, write_node_host);
    for (size_t i = 0; i < list.count; i++)
        gp_buf_printf(buf, "PartitionName=%s Nodes=%s MaxTime=INFINITE State=UP\n",
                      list.items[i].name, host_names(out, &list.items[i], 1, list.items[i].count));
}

static void write_nodes(gp_export_out *out) {
    gp_export_header(out);
    write_node_lines(out);
}

/* ---- accounts of teams */

/* What is a team's own runs in a QOS that takes GPUs back from what others borrowed. */
static void write_account_lines(gp_export_out *out) {
    gp_buf *buf = out->form.buf;
    const gp_report *report = out->report;
    gp_buf_printf(
        buf,
        "# Run once where slurmdbd runs; slurm.conf needs PreemptType=preempt/qos,\n# "
        "PreemptMode=REQUEUE, AccountingStorageEnforce=limits,qos and\n# "
        "AccountingStorageTRES=gres/gpu%s. Jobs on borrowed GPUs take --qos=borrowed.\n%s"
        "sacctmgr -i add qos borrowed set Priority=0 PreemptMode=requeue\n",
        has_shards(out) ? ",gres/shard" : "",
        gp_gres_is_sliced(report, NULL)
            ? "# Slurm counts a slice of MIG as one gres/gpu: limits have the slices of a "
              "team\n# in place of the GPUs that they come from.\n"
            : "");
    for (size_t i = 0; i < report->teams.count; i++) {
        const gp_report_team *team = &report->teams.items[i];
        const char *name = gp_export_label(out, team->name);
        gp_buf_printf(buf,
                      "sacctmgr -i add qos %s set Priority=100 Preempt=borrowed "
                      "GrpTRES=%s\n"
                      "sacctmgr -i add account %s set Fairshare=%lld QOS=%s,borrowed DefaultQOS=%s",
                      name, gp_gres_limit(out, team, team->quota_gpus), name,
                      (long long)team->quota_gpus, name, name);
        if (team->borrowing_gpus != GP_REPORT_NO_COUNT)
            gp_buf_printf(buf, " GrpTRES=%s",
                          gp_gres_limit(out, team, team->quota_gpus + team->borrowing_gpus));
        gp_buf_char(buf, '\n');
    }
}

/* A plan knows how long and how often, not the day. */
static void write_window(gp_export_out *out) {
    enum { MINUTE_S = 60 };
    const gp_report_site *site = &out->report->site;
    if (site->maintenance_every_s > 0)
        gp_buf_printf(out->form.buf,
                      "\n# ---- maintenance, every %s: START is the start of the next\nscontrol "
                      "create reservation ReservationName=maintenance StartTime=\"$START\" "
                      "Duration=%lld Users=root Flags=MAINT,IGNORE_JOBS Nodes=ALL\n",
                      gp_form_seconds(&out->form, site->maintenance_every_s),
                      (long long)gp_num_ceil_count(site->maintenance_s / MINUTE_S));
}

static void write_accounts(gp_export_out *out) {
    gp_export_header(out);
    if (out->report->teams.count > 0)
        write_account_lines(out);
    else
        gp_buf_str(out->form.buf, "# The plan has no teams.\n");
}

/* ---- job scripts */

/* What the spec allows a run; where it says nothing, the slow edge of the band. */
static double limit_s(const gp_report_workload *it) {
    const bool stated = it->launch != NULL && it->launch->time_limit_s > 0;
    return stated ? it->launch->time_limit_s : it->recommendation.chosen.time_to_complete_s.high;
}

/* "3-07:05:00", to the next minute. */
static const char *time_limit(gp_export_out *out, double time_s) {
    enum { MINUTE_S = 60, HOUR = 60, DAY = 24 * 60 };
    const int64_t minutes = gp_num_ceil_count(time_s / MINUTE_S);
    const int64_t hours = minutes / HOUR % 24;
    const int64_t rest = minutes % HOUR;
    return gp_form_text(&out->form, "%lld-%s%lld:%s%lld:00", (long long)(minutes / DAY),
                        hours < 10 ? "0" : "", (long long)hours, rest < 10 ? "0" : "",
                        (long long)rest);
}

static void directive(gp_export_out *out, const char *name, const char *value) {
    gp_buf_printf(out->form.buf, "#SBATCH --%s%s%s\n", name, value != NULL ? "=" : "",
                  gp_form_or(value, ""));
}

static const char *account_of(gp_export_out *out) {
    const gp_report_team *team = gp_export_team(out);
    return team != NULL ? gp_export_label(out, team->name) : NULL;
}

static void write_directives(gp_export_out *out, const gp_report_workload *it, const char *name,
                             const gp_export_shape *shape) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const bool whole = shape->gpus_per_host == shape->host_gpus;
    directive(out, "job-name", name);
    directive(out, "partition", gp_export_label(out, chosen->system));
    if (account_of(out) != NULL)
        directive(out, "account", account_of(out));
    directive(out, "nodes", gp_form_count(&out->form, shape->hosts));
    directive(out, "ntasks-per-node", gp_form_count(&out->form, shape->gpus_per_host));
    gp_buf_printf(out->form.buf, "#SBATCH %s\n", gp_gres_asked(out, it, shape->gpus_per_host));
    if (whole) {
        directive(out, "exclusive", NULL);
        directive(out, "mem", "0");
    }
    if (shape->replicas > 1)
        directive(out, "array",
                  gp_form_text(&out->form, "0-%lld", (long long)(shape->replicas - 1)));
    if (isfinite(limit_s(it)) && limit_s(it) > 0)
        directive(out, "time", time_limit(out, limit_s(it)));
    directive(out, "requeue", NULL);
}

static void variable(gp_export_out *out, const char *name, int64_t value) {
    if (value > 0)
        gp_buf_printf(out->form.buf, "export %s=%lld\n", name, (long long)value);
}

static void text_variable(void *context, const char *name, const char *value) {
    gp_export_out *out = context;
    gp_buf_printf(out->form.buf, "export %s=%s\n", name, value);
}

/* A word of a command, between quotes where a shell would read more into it. */
static void shell_word(gp_buf *buf, const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=.,:/+";
    const bool quoted = strspn(word, plain) != strlen(word);
    gp_buf_printf(buf, quoted ? " '%s'" : " %s", word);
}

/* The arguments of the framework, after those of the command line; and the file that they name. */
static void write_launch(gp_export_out *out, const gp_report_workload *it) {
    gp_buf *buf = out->form.buf;
    gp_launch launch;
    const bool spelled = gp_export_launch_of(out, it, &launch) && launch.framework != NULL;
    for (int i = 0; i < launch.note_count; i++)
        gp_buf_printf(buf, "# %s\n", launch.notes[i]);
    if (launch.file != NULL)
        gp_buf_printf(buf, "cat >%s <<'END'\n%sEND\n", launch.file, launch.file_text);
    if (spelled) {
        gp_buf_printf(buf, "arguments=( # of %s\n", launch.framework);
        for (int i = 0; i < launch.count; i++) {
            gp_buf_str(buf, "   ");
            shell_word(buf, launch.arguments[i].word);
            if (launch.arguments[i].value != NULL)
                shell_word(buf, launch.arguments[i].value);
            gp_buf_char(buf, '\n');
        }
        gp_buf_str(buf, ")\n");
    }
    gp_buf_str(buf, spelled ? "srun --kill-on-bad-exit=1 \"$@\" \"${arguments[@]}\"\n"
                            : "srun --kill-on-bad-exit=1 \"$@\"\n");
}

static void write_script(gp_export_out *out, const gp_report_workload *it, const char *name,
                         const gp_export_shape *shape, const gp_report_pool *pool) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    gp_buf *buf = out->form.buf;
    gp_buf_str(buf, "#!/bin/bash\n");
    gp_export_header(out);
    gp_buf_printf(buf, "# %s: %s\n", gp_export_comment(out, it->name),
                  gp_export_comment(out, chosen->layout));
    write_directives(out, it, name, shape);
    gp_buf_str(buf, "if [ $# -eq 0 ]; then\n"
                    "    echo \"usage: sbatch $0 COMMAND [ARGUMENT...]\" >&2\n"
                    "    exit 2\n"
                    "fi\n");
    if (shape->gpus_per_host < shape->host_gpus)
        gp_buf_str(
            buf,
            "# Jobs share a machine: without --mem-per-gpu one job may take all of its memory.\n");
    if (shape->hosts > 1)
        gp_buf_str(buf,
                   "MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n"
                   "export MASTER_ADDR\n");
    variable(out, "TENSOR_PARALLEL_SIZE", pool != NULL ? pool->tp : chosen->tp);
    variable(out, "PIPELINE_PARALLEL_SIZE", pool != NULL ? pool->pp : chosen->pp);
    variable(out, "EXPERT_PARALLEL_SIZE", pool != NULL ? pool->ep : chosen->ep);
    variable(out, "CONTEXT_PARALLEL_SIZE", pool != NULL ? 1 : chosen->cp);
    variable(out, "DATA_PARALLEL_SIZE", pool != NULL ? pool->dp : chosen->dp);
    variable(out, "MICRO_BATCH_SIZE", chosen->micro_batch);
    gp_export_launch_variables(out, it, text_variable, out);
    write_launch(out, it);
}

/* People ask for a seat themselves. */
static void write_seats(gp_export_out *out, const gp_report_workload *it) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const gp_report_seats *seats = it->seats;
    const char *account = account_of(out);
    gp_buf_printf(out->form.buf,
                  "# %s: %lld seats; each is allocated with\nsalloc --partition=%s%s%s %s\n",
                  gp_export_comment(out, it->name), (long long)seats->held,
                  gp_export_label(out, chosen->system), account != NULL ? " --account=" : "",
                  gp_form_or(account, ""), gp_gres_asked(out, it, seats->gpus_per_seat));
}

/* The scripts of one workload: one, or one per pool. */
static void write_workload(gp_export_out *out, const gp_report_workload *it, bool titled) {
    const gp_report_candidate *chosen = &it->recommendation.chosen;
    const gp_report_disaggregation *apart = gp_export_apart(it);
    const char *name = gp_export_label(out, it->name);
    gp_export_shape shape;
    if (it->seats != NULL) {
        if (titled)
            gp_buf_printf(out->form.buf, "\n# ---- %s\n", name);
        write_seats(out, it);
        return;
    }
    for (size_t i = 0; apart != NULL && i < apart->pools.count; i++) {
        const gp_report_pool *pool = &apart->pools.items[i];
        const char *own = gp_form_text(&out->form, "%s-%s", name, gp_export_label(out, pool->name));
        if (!gp_export_shape_of(out, it, pool->replicas, pool->gpus_per_replica, &shape))
            return;
        if (titled)
            gp_buf_printf(out->form.buf, "\n# ---- %s.sbatch\n", own);
        write_script(out, it, own, &shape, pool);
    }
    if (apart != NULL ||
        !gp_export_shape_of(out, it, chosen->replicas, chosen->gpus_per_replica, &shape))
        return;
    if (titled)
        gp_buf_printf(out->form.buf, "\n# ---- %s.sbatch\n", name);
    write_script(out, it, name, &shape, NULL);
}

/* A script holds one job: the first workload, which must be the only one. */
static void write_job(gp_export_out *out) {
    gp_export_place at = {0};
    if (gp_export_chosen_count(out) > 1) {
        gp_export_fail(out, "choose it with -w NAME", "a job script covers one workload");
        return;
    }
    const gp_report_workload *it = gp_export_next(out, &at);
    if (it != NULL && gp_export_apart(it) != NULL)
        gp_export_fail(out, "the form 'all' shows both",
                       "'%s' needs two jobs: prefill and decode are separate",
                       gp_export_comment(out, it->name));
    else if (it != NULL)
        write_workload(out, it, false);
}

/* To read: each part stands below its name. */
static void write_all(gp_export_out *out) {
    gp_export_place at = {0};
    gp_export_header(out);
    gp_buf_str(out->form.buf, "\n# ---- gres.conf\n");
    each_host(out, write_gres_host);
    gp_buf_str(out->form.buf, "\n# ---- lines of slurm.conf\n");
    write_node_lines(out);
    if (out->report->teams.count > 0) {
        gp_buf_str(out->form.buf, "\n# ---- accounts\n");
        write_account_lines(out);
    }
    write_window(out);
    for (const gp_report_workload *it = gp_export_next(out, &at); it != NULL;
         it = gp_export_next(out, &at))
        write_workload(out, it, true);
}

const gp_export gp_export_slurm = {
    .one_cluster = true,
    .name = "slurm",
    .summary = "Slurm: gres.conf, node lines for slurm.conf, a job script per workload",
    .forms = {{"all", "txt", write_all},
              {"gres", NULL, write_gres},
              {"nodes", "conf", write_nodes},
              {"accounts", "sh", write_accounts},
              {"job", "sbatch", write_job}},
};
