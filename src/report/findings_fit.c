/* Rules about one workload: memory, goals, software, surplus, the certainty of its verdict. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "report/findings.h"

static bool holds(const gp_findings *findings) {
    return findings->plan->chosen.present && findings->plan->chosen.feasible;
}

/* The spec fixes what sets the memory: its author is asked to give way. What the planner chose is
 * the best that it found, and noted. */
static bool layout_pinned(const gp_workload *workload) {
    const gp_parallelism *layout = &workload->parallelism;
    const int64_t sizes[] = {layout->tp, layout->pp,   layout->vpp, layout->dp,
                             layout->cp, layout->zero, layout->ep,  layout->micro_batch};
    for (size_t i = 0; i < GP_COUNT_OF(sizes); i++)
        if (sizes[i] > 0)
            return true;
    return workload->recompute != GP_RECOMPUTE_AUTO;
}

static void memory_borderline(gp_findings *findings) {
    const gp_report_memory *memory = &findings->figures->memory;
    if (!holds(findings) || findings->plan->chosen.memory.fit != GP_FIT_BORDERLINE)
        return;
    gp_report_finding *finding =
        gp_findings_say(findings, "GP2001", GP_REF_NONE,
                        GP_FOUND("memory.headroomFraction", memory->headroom_fraction,
                                 findings->build->result->constants->plan_memory_warning_fraction,
                                 GP_DIM_FRACTION, false),
                        findings->plan->is_serving
                            ? "use a smaller weight format or a GPU with more memory"
                            : "use a smaller micro-batch, more recomputation or more sharding",
                        "the fullest GPU may run out of memory: it uses %s of %s",
                        GP_FINDING_QUANTITY(findings, memory->used_bytes, GP_DIM_BYTES),
                        GP_FINDING_QUANTITY(findings, memory->capacity_bytes, GP_DIM_BYTES));
    if (!layout_pinned(findings->plan->workload))
        finding->level = gp_level_name(GP_LEVEL_NOTE);
}

/* Deadlines are met with headroom; a latency is the least that is reached, and other goals may ask
 * for more. Machines beyond a declared layout do not help. */
static const char *more_time(gp_findings *findings, const gp_lack *lack) {
    const gp_build *build = findings->build;
    const double headroom = build->result->document->spec.defaults.headroom.gpus_fraction;
    const bool least = lack->bound == GP_BOUND_LATENCY;
    const double asked = least ? lack->have : lack->have * (1 + headroom);
    return GP_FINDING_TEXT(
        findings, "allow %s%s, or %s", least ? "at least " : "",
        gp_build_quantity_up(findings->build, asked, lack->dim),
        findings->plan->layout_declared ? "faster GPUs (candidates) or another parallelism"
                                        : "more and larger machines (candidates)");
}

/* As much memory as leaves room for what is needed once headroom is taken off. */
static const char *more_memory(gp_findings *findings, const gp_lack *lack) {
    const gp_candidate *chosen = &findings->plan->chosen;
    const double capacity = findings->plan->is_serving ? chosen->serve_memory.memory.capacity_bytes
                                                       : chosen->memory.capacity_bytes;
    const double each = lack->have > 0 ? lack->need * capacity / lack->have : lack->need;
    /* Tokens that have no room say nothing of the memory that has. */
    const char *gpus = lack->dim == GP_DIM_BYTES
                           ? GP_FINDING_TEXT(findings, "GPUs with %s each",
                                             gp_build_quantity_up(findings->build, each, lack->dim))
                           : "GPUs with more memory";
    return findings->plan->layout_declared
               ? GP_FINDING_TEXT(findings,
                                 "leave the parallelism to auto, or allow %s or a smaller number "
                                 "format",
                                 gpus)
               : GP_FINDING_TEXT(findings, "allow %s, more machines, or a smaller number format",
                                 gpus);
}

/* Without a framework the rules are those of the reference: another may launch it. */
static const char *launchable_change(const gp_workload_plan *plan) {
    if (plan->is_serving)
        return "declare a parallelism that the engine can launch, or leave it out";
    return plan->workload->software.framework != NULL
               ? "declare a parallelism and data.globalBatch that the framework can launch, or "
                 "leave them out"
               : "declare a parallelism and data.globalBatch that can launch, leave them out, or "
                 "name the framework that launches them (software.framework)";
}

static const char *limit_path(gp_findings *findings, const gp_lack *lack) {
    return lack->is_own ? GP_FINDING_TEXT(findings, "workloads.%s.%s",
                                          findings->plan->workload->name, lack->path)
                        : lack->path;
}

/* "traffic.requestsPerSecond, traffic.inputTokens": what a service needs to be sized by load. */
static const char *missing_traffic(gp_findings *findings) {
    static const struct {
        size_t offset;
        const char *key;
    } due[] = {
        {offsetof(gp_traffic, requests_per_s), "traffic.requestsPerSecond"},
        {offsetof(gp_traffic, input_tokens), "traffic.inputTokens"},
        {offsetof(gp_traffic, output_tokens), "traffic.outputTokens"},
    };
    const gp_workload *workload = findings->plan->workload;
    bool traffic = GP_GIVEN(workload, gp_workload, traffic);
    const char *text = "";
    for (size_t i = 0; i < GP_COUNT_OF(due); i++) {
        const gp_origin *origin = gp_origin_at(&workload->traffic.meta, due[i].offset);
        if (!traffic || origin->kind == GP_ORIGIN_NONE)
            text = GP_FINDING_TEXT(findings, "%s%s%s", text, text[0] ? ", " : "", due[i].key);
    }
    return text[0] != '\0' ? text : "traffic";
}

/* Where no figure says what is lacking: what stands in the way, in the terms of the spec. */
static const char *unmeasured_change(gp_findings *findings, const gp_lack *lack) {
    const gp_workload_plan *plan = findings->plan;
    const gp_workload *workload = plan->workload;
    if (lack->bound == GP_BOUND_COMPUTE && plan->chosen.unit != NULL && !plan->is_serving)
        return GP_FINDING_TEXT(
            findings, "%sallow GPUs that compute in %s (candidates)",
            plan->chosen.unit->machine.efficiency[GP_PRECISION_BF16] != NULL
                ? GP_FINDING_TEXT(findings, "set workloads.%s.precision.compute to bf16, or ",
                                  workload->name)
                : "",
            gp_precision_words[plan->train.compute]);
    if (plan->is_serving && !plan->has_goal && gp_str_equal(workload->disaggregated, "true"))
        return GP_FINDING_TEXT(findings,
                               "add %s, which separate prefill and decode pools are sized by, or "
                               "set workloads.%s.disaggregated to auto",
                               missing_traffic(findings), workload->name);
    if (lack->path != NULL)
        return GP_FINDING_TEXT(findings, "change %s", limit_path(findings, lack));
    if (findings->build->result->declared_only)
        return "declare your machines (cluster.pools), or run `gpuplan size` to see what to buy";
    return plan->layout_declared
               ? "leave the parallelism to auto, or allow other machines (candidates)"
               : "allow other machines (candidates)";
}

/* A kind that may be bought but for the racks, where none else may be; NULL: there is none. */
static const gp_unit *only_barred(const gp_plan_result *result) {
    const gp_unit *barred = NULL;
    for (size_t u = 0; u < result->units.count; u++) {
        const gp_unit *unit = &result->units.items[u];
        if (unit->may_buy)
            return NULL;
        if (barred == NULL && unit->is_barred)
            barred = unit;
    }
    return barred;
}

/* Too few machines, and no limit of the site that says so. */
static bool is_short(const gp_lack *lack) {
    return lack->bound == GP_BOUND_SUPPLY && lack->path == NULL && !lack->refused && lack->need > 0;
}

static const char *more_machines(gp_findings *findings, const gp_lack *lack) {
    const gp_candidate_limits *limits = &findings->build->result->document->spec.candidates.limits;
    const gp_struct *type = limits->meta.type;
    const int field = gp_field_at(type, offsetof(gp_candidate_limits, max_nodes));
    if (lack->need > type->fields[field].max)
        return "ask for less, or allow larger machines (candidates)";
    if (lack->need > (double)limits->max_nodes)
        return GP_FINDING_TEXT(findings, "allow %s (candidates.limits.maxNodes)",
                               GP_FINDING_QUANTITY(findings, lack->need, lack->dim));
    return "declare more machines (cluster.pools), or allow others (candidates)";
}

/* The cheapest change that lifts what binds. */
static const char *lifting_change(gp_findings *findings, const gp_lack *lack) {
    const char *have = GP_FINDING_QUANTITY(findings, lack->have, lack->dim);
    if (lack->dim == GP_DIM_TIME)
        return more_time(findings, lack);
    if (lack->bound == GP_BOUND_MEMORY)
        return more_memory(findings, lack);
    if (lack->refused)
        return launchable_change(findings->plan);
    if (!(lack->need > 0))
        return unmeasured_change(findings, lack);
    if (lack->why == gp_lack_windows)
        return GP_FINDING_TEXT(
            findings, "shorten cluster.maintenance, or ask for less than %s availability", have);
    if (is_short(lack))
        return more_machines(findings, lack);
    const char *one = GP_FINDING_TEXT(
        findings, "raise %s from %s to %s",
        lack->path != NULL ? limit_path(findings, lack) : gp_build_bound_words(lack->bound), have,
        gp_build_quantity_up(findings->build, lack->need, lack->dim));
    return lack->also != NULL
               ? GP_FINDING_TEXT(findings, "%s, and %s", one, lifting_change(findings, lack->also))
               : one;
}

/* What --set is given to see the plan with a fix. */
typedef struct settings {
    gp_findings *findings;
    size_t count, cap;
    const char **items;
} settings;

static void add_set(settings *sets, const char *path, const char *value) {
    GP_PUSH(sets->findings->build->arena, sets->items, sets->count, sets->cap) =
        GP_FINDING_TEXT(sets->findings, "%s=%s", path, value);
}

static void keep_sets(gp_report_finding *finding, const settings *sets) {
    finding->set.items = sets->items;
    finding->set.count = sets->count;
}

/* The limits with which this workload finds its place. */
static void set_limits(gp_findings *findings, const gp_lack *lack, settings *sets) {
    for (; lack != NULL && lack->path != NULL && lack->need > 0; lack = lack->also)
        add_set(sets, limit_path(findings, lack),
                gp_build_quantity_up(findings->build, lack->need, lack->dim));
}

/* A class of tuning says what runs were measured to reach: it is stated, not changed. */
static bool is_tuning(const gp_software_change *change) {
    return gp_str_ends(change->path, ".software.tuning");
}

/* A change of software with which what is declared holds; NULL: there is none. */
static const gp_software_change *software_instead(const gp_workload_plan *plan, bool tuning) {
    for (int i = 0; i < plan->software_change_count; i++) {
        const gp_software_change *change = &plan->software_changes[i];
        if (change->makes_hardware_unnecessary && !change->assumed && is_tuning(change) == tuning)
            return change;
    }
    return NULL;
}

/* The text with a count of replicas behind it that is another than is declared. */
static const char *mended_replicas(gp_findings *findings, settings *sets, size_t i, size_t key,
                                   const char *text) {
    const gp_plan_result *result = findings->build->result;
    const gp_workload *workload = result->workloads.items[i].workload;
    const int64_t replicas = gp_replicas_declared(&result->mend->workloads[i], key);
    if (replicas == gp_replicas_declared(workload, key))
        return text;
    const char *path =
        GP_FINDING_TEXT(findings, "workloads.%s.%s", workload->name, gp_replica_keys[key].path);
    const char *count = GP_FINDING_TEXT(findings, "%lld", (long long)replicas);
    add_set(sets, path, count);
    return text == NULL ? GP_FINDING_TEXT(findings, "set %s to %s", path, count)
                        : GP_FINDING_TEXT(findings, "%s and %s to %s", text, path, count);
}

static const char *joined_changes(gp_findings *findings, const char *text, const char *more) {
    return text == NULL ? more : GP_FINDING_TEXT(findings, "%s, and %s", text, more);
}

/* "set cluster.pools[0].count to 5 and workloads.chat.replicas to 8, and raise ...", what was
 * planned with and holds; NULL: nothing is known to. */
static const char *mending_change(gp_findings *findings, settings *sets) {
    const gp_plan_result *result = findings->build->result;
    const gp_mend *mend = result->mend;
    const char *text = NULL;
    if (mend == NULL)
        return NULL;
    if (mend->is_count) {
        const char *path = GP_FINDING_TEXT(findings, "cluster.pools[%zu].count", mend->pool);
        const char *count = GP_FINDING_TEXT(findings, "%lld", (long long)mend->count);
        add_set(sets, path, count);
        text = GP_FINDING_TEXT(findings, "set %s to %s", path, count);
    }
    for (size_t i = 0; i < result->workloads.count; i++)
        for (size_t key = 0; key < GP_REPLICA_KEYS; key++)
            text = mended_replicas(findings, sets, i, key, text);
    set_limits(findings, mend->limits, sets);
    return mend->limits == NULL
               ? text
               : joined_changes(findings, text, lifting_change(findings, mend->limits));
}

static const char *software_words(gp_findings *findings, const gp_software_change *change) {
    if (change == NULL)
        return NULL;
    return GP_FINDING_TEXT(findings, "%sset %s to %s, with which the declared machines suffice",
                           is_tuning(change) ? "if a measured run shows it, " : "", change->path,
                           change->to);
}

/* "A; or B; or C" of what is there; NULL: nothing is. */
static const char *alternatives(gp_findings *findings, const char *const *texts, size_t count) {
    const char *text = NULL;
    for (size_t i = 0; i < count; i++)
        if (texts[i] != NULL)
            text = text == NULL ? texts[i] : GP_FINDING_TEXT(findings, "%s; or %s", text, texts[i]);
    return text;
}

static const char *sized_change(gp_findings *findings, settings *sets) {
    if (!findings->build->result->declared_only)
        return NULL;
    const char *software = software_words(findings, software_instead(findings->plan, false));
    const char *tuning = software_words(findings, software_instead(findings->plan, true));
    const bool pools = findings->build->result->document->spec.cluster.pools.count > 0;
    const char *declare = mending_change(findings, sets);
    const gp_lack *lack = &findings->plan->chosen.lack;
    const char *const all[] = {software, declare, tuning};
    const char *text = alternatives(findings, all, GP_COUNT_OF(all));
    return text == NULL && pools && !lack->refused && !gp_build_is_slow(lack)
               ? "run `gpuplan size` to see what would hold"
               : text;
}

/* The line that asks for more than there is: the goal that is missed, the request rate, the model;
 * the workload where none of them is written. */
static gp_ref demand_place(const gp_findings *findings, const gp_lack *lack) {
    const gp_workload *workload = findings->plan->workload;
    const gp_goal *goal = &workload->goal;
    const bool given = GP_GIVEN(workload, gp_workload, goal);
    if (lack->bound == GP_BOUND_MEMORY)
        return findings->plan->is_seats ? GP_REF(workload, gp_workload, seats)
                                        : GP_REF(workload, gp_workload, model);
    if (findings->plan->is_serving && GP_GIVEN(workload, gp_workload, traffic))
        return GP_REF(&workload->traffic, gp_traffic, requests_per_s);
    if (given && goal->complete_within_s > 0)
        return GP_REF(goal, gp_goal, complete_within_s);
    return given && goal->max_duration_s > 0 ? GP_REF(goal, gp_goal, max_duration_s) : GP_REF_NONE;
}

/* What would make room for a workload that has none. */
static const char *place_change(gp_findings *findings, const gp_lack *lack, settings *sets) {
    const gp_lack *all = findings->build->result->limits_for_all;
    const bool shared = lack->path != NULL && lack->why == NULL;
    const gp_unit *barred = is_short(lack) ? only_barred(findings->build->result) : NULL;
    const gp_lack *lifted = barred != NULL ? barred->rack_lack : lack;
    lifted = all != NULL && shared ? all : lifted;
    set_limits(findings, lifted, sets);
    const char *fix = lifting_change(findings, lifted);
    return barred == NULL ? fix
                          : GP_FINDING_TEXT(findings, "%s, which one %s needs in a rack", fix,
                                            gp_build_product(barred));
}

static void infeasible(gp_findings *findings) {
    const gp_lack *lack = &findings->plan->chosen.lack;
    settings sets = {.findings = findings};
    if (findings->plan->scale != GP_SCALE_INFEASIBLE)
        return;
    const char *fix = sized_change(findings, &sets);
    if (fix == NULL)
        fix = place_change(findings, lack, &sets);
    keep_sets(gp_findings_say(findings, "GP2002", demand_place(findings, lack),
                              GP_FOUND("recommendation.scale", lack->have, lack->need, lack->dim,
                                       lack->dim == GP_DIM_TIME),
                              fix, "%s", findings->figures->recommendation.reason),
              &sets);
}

static void headroom_short(gp_findings *findings) {
    const gp_report_memory *memory = &findings->figures->memory;
    const gp_headroom *asked = &findings->build->result->document->spec.defaults.headroom;
    if (!holds(findings) || !(memory->headroom_fraction < memory->headroom_asked_fraction - 1e-9))
        return;
    gp_findings_say(
        findings, "GP2003", GP_REF(asked, gp_headroom, memory_fraction),
        GP_FOUND("memory.headroomFraction", memory->headroom_fraction,
                 memory->headroom_asked_fraction, GP_DIM_FRACTION, false),
        "lower defaults.headroom.memory, or use a layout or GPU with more room",
        "%s of the memory stays free; the required headroom is %s",
        GP_FINDING_QUANTITY(findings, memory->headroom_fraction, GP_DIM_FRACTION),
        GP_FINDING_QUANTITY(findings, memory->headroom_asked_fraction, GP_DIM_FRACTION));
}

static void goal_missed(gp_findings *findings, const gp_goal_result *goal) {
    const bool unsure = goal->ok_at_expected;
    const double edge = goal->lower_is_better ? goal->high : goal->low;
    const char *name = gp_report_goal_words(findings->build->arena, goal->name);
    const char *target = GP_FINDING_QUANTITY(findings, goal->target, goal->dim);
    const char *message =
        !isfinite(goal->expected)
            ? GP_FINDING_TEXT(findings, "%s of %s cannot be met", name, target)
            : GP_FINDING_TEXT(findings, "%s is %s (%s at %s); the target is %s", name,
                              GP_FINDING_QUANTITY(findings, goal->expected, goal->dim),
                              GP_FINDING_QUANTITY(findings, edge, goal->dim),
                              gp_confidence_words[findings->build->result->confidence], target);
    settings sets = {.findings = findings};
    const char *fix = unsure ? "add machines, or measure a run to narrow the band" : NULL;
    if (!unsure && findings->plan->scale != GP_SCALE_INFEASIBLE) { /* else GP2002 says what to do */
        const char *mending = mending_change(findings, &sets);
        fix = mending != NULL ? mending : "relax the goal or allow more machines";
    }
    keep_sets(gp_findings_say(findings, unsure ? "GP3001" : "GP3002",
                              (gp_ref){.meta = goal->meta, .offset = goal->offset},
                              GP_FOUND(GP_FINDING_TEXT(findings, "goals.%s.expected", goal->name),
                                       unsure ? edge : goal->expected, goal->target, goal->dim,
                                       goal->lower_is_better),
                              fix, "%s", message),
              &sets);
}

static void goals_missed(gp_findings *findings) {
    if (!gp_build_is_judged(findings->plan))
        return;
    for (int i = 0; i < findings->plan->goal_count; i++)
        if (!findings->plan->goals[i].ok && findings->plan->goals[i].expected > 0 &&
            !gp_build_goal_is_moot(findings->plan, &findings->plan->goals[i]))
            goal_missed(findings, &findings->plan->goals[i]);
}

static void no_traffic(gp_findings *findings) {
    const char *missing = missing_traffic(findings);
    const bool goals = findings->plan->goal_count > 0;
    gp_report_finding *finding = gp_findings_say(
        findings, "GP3003", GP_REF_NONE, GP_FOUND_AT(NULL),
        GP_FINDING_TEXT(findings, "add %s%s", missing, goals ? "" : ", and goal.slo"),
        "%s not given, so only memory was sized%s", missing,
        goals ? " and no goal was judged" : "");
    if (goals)
        finding->level = gp_level_name(GP_LEVEL_ERROR);
}

static void no_goal(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (!gp_build_is_judged(plan)) {
        no_traffic(findings);
        return;
    }
    if (plan->has_goal && (!plan->is_serving || plan->goal_count > 0))
        return;
    gp_findings_say(findings, "GP3003", GP_REF_NONE, GP_FOUND_AT(NULL),
                    plan->is_serving
                        ? "add goal.slo or goal.throughput"
                        : "add goal.completeWithin, goal.maxDuration or goal.throughput",
                    "%s",
                    plan->has_goal ? "no goal is stated, so only the request rate was sized"
                                   : "no goal is stated, so only memory was sized");
}

/* The path without "workloads.NAME.": the finding names the workload. */
static const char *inside_workload(const gp_findings *findings, const char *path) {
    static const char group[] = "workloads.";
    const char *name = findings->plan->workload->name;
    size_t len = sizeof group - 1 + strlen(name);
    bool inside = path != NULL && gp_str_starts(path, group) &&
                  gp_str_starts(path + sizeof group - 1, name) && path[len] == '.';
    return inside ? path + len + 1 : path;
}

static bool is_release(const gp_software_change *change) {
    return change->path != NULL && gp_str_ends(change->path, ".release");
}

/* What a change saves, and how to see the plan with it. */
static void change_saves(gp_findings *findings, const char *id, gp_ref field,
                         const gp_software_change *change, double least, const char *message) {
    settings sets = {.findings = findings};
    add_set(&sets, change->path, change->to);
    gp_report_finding *finding =
        gp_findings_say(findings, id, field,
                        GP_FOUND("recommendation.softwareChanges", change->saved_fraction, least,
                                 GP_DIM_FRACTION, true),
                        GP_FINDING_TEXT(findings, "to see the plan with it: %s",
                                        gp_build_size_command(findings->build, sets.items[0])),
                        "%s", message);
    finding->weight = gp_build_change_weight(change);
    keep_sets(finding, &sets);
}

static void software_saves(gp_findings *findings, const gp_software_change *change) {
    double least = findings->build->result->constants->plan_software_saving_fraction;
    if (change->saved_fraction < least && !change->makes_hardware_unnecessary)
        return;
    const char *saved = change->saved_fraction > 0
                            ? GP_FINDING_TEXT(findings, "saves %s of the GPUs",
                                              GP_FINDING_QUANTITY(findings, change->saved_fraction,
                                                                  GP_DIM_FRACTION))
                            : "";
    const char *spared = change->makes_hardware_unnecessary ? "needs no new machines" : "";
    change_saves(findings, is_release(change) ? "GP3005" : "GP3004",
                 GP_FINDING_AT(&findings->plan->workload->software), change, least,
                 GP_FINDING_TEXT(findings, "%s %s instead of %s %s%s%s",
                                 inside_workload(findings, change->path), gp_build_word(change->to),
                                 gp_build_word(change->from), saved,
                                 *saved != '\0' && *spared != '\0' ? " and " : "", spared));
}

/* A batch near the stated one that fewer machines divide, in the terms of whoever sets it. */
static void batch_saves(gp_findings *findings, const gp_software_change *change) {
    const gp_workload_plan *plan = findings->plan;
    const gp_data *data = &plan->workload->data;
    const int64_t machines = plan->chosen.nodes - change->sized.nodes;
    double tokens = 0;
    if (machines <= 0 || !gp_num_parse(change->to, strlen(change->to), &tokens))
        return;
    change_saves(findings, "GP3018", GP_REF(data, gp_data, global_batch), change, 0,
                 GP_FINDING_TEXT(findings, "%.0f to %.0f sequences a step saves %s",
                                 plan->train.global_batch / data->sequence_length,
                                 tokens / data->sequence_length,
                                 gp_build_count(findings->build, machines, "machine")));
}

/* One finding per workload, of the change that does most (the report lists the others), and one of
 * an outdated release and of a nearby batch each. */
static void software_changes(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_software_change *most = NULL;
    for (int i = 0; i < plan->software_change_count; i++) {
        const gp_software_change *change = &plan->software_changes[i];
        if (change->assumed)
            continue;
        if (is_release(change))
            software_saves(findings, change);
        else if (gp_str_ends(change->path, ".data.globalBatch"))
            batch_saves(findings, change);
        else if (most == NULL || gp_build_change_weight(change) > gp_build_change_weight(most))
            most = change;
    }
    if (most != NULL)
        software_saves(findings, most);
}

static void surplus(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (plan->surplus_gpus <= 0)
        return;
    gp_findings_say(
        findings, "GP3006", GP_REF_NONE,
        GP_FOUND("recommendation.surplus.gpus", (double)plan->surplus_gpus, 0, GP_DIM_COUNT, true),
        "use them for another workload or buy fewer", "%s more than needed, %s of power",
        gp_build_count(findings->build, plan->surplus_gpus, "GPU"),
        GP_FINDING_QUANTITY(findings, plan->surplus_power_w, GP_DIM_POWER));
}

/* Tokens that one sequence of the workload holds; of requests the long ones where given. */
static double sequence_tokens(const gp_workload_plan *plan) {
    const gp_workload *workload = plan->workload;
    if (!plan->is_serving)
        return workload->data.sequence_length;
    const gp_traffic *traffic = &workload->traffic;
    const gp_distribution *parts[] = {&traffic->input_tokens, &traffic->output_tokens,
                                      &traffic->thought_tokens};
    double tokens = plan->serve.image_tokens;
    for (size_t i = 0; i < GP_COUNT_OF(parts); i++)
        tokens += parts[i]->p95 > 0 ? parts[i]->p95 : parts[i]->mean;
    return tokens;
}

static void context_passed(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const double context = (double)plan->workload->model.context;
    const double tokens = sequence_tokens(plan);
    if (!(context > 0) || !(tokens > context))
        return;
    const gp_workload *workload = plan->workload;
    gp_findings_say(findings, "GP7005",
                    plan->is_serving ? GP_REF(&workload->traffic, gp_traffic, input_tokens)
                                     : GP_REF(&workload->data, gp_data, sequence_length),
                    GP_FOUND(NULL, tokens, context, GP_DIM_COUNT, true),
                    plan->is_serving ? "use a model with a longer context, or shorter requests"
                                     : "shorten data.sequenceLength, or use a model with a longer "
                                       "context",
                    "%s of %s tokens; the model is made for %s",
                    plan->is_serving ? "requests" : "sequences",
                    GP_FINDING_QUANTITY(findings, tokens, GP_DIM_COUNT),
                    GP_FINDING_QUANTITY(findings, context, GP_DIM_COUNT));
}

static const char *scale_clause(gp_scale scale) {
    static const char *const clauses[GP_SCALE_COUNT] = {
        [GP_SCALE_NONE] = "nothing to add",           [GP_SCALE_VERTICAL] = "it would scale up",
        [GP_SCALE_HORIZONTAL] = "it would scale out", [GP_SCALE_BOTH] = "it would scale up and out",
        [GP_SCALE_INFEASIBLE] = "it would not hold",
    };
    return clauses[scale];
}

static void flip_inside_band(gp_findings *findings) {
    const gp_flip *flip = &findings->plan->flip;
    if (!flip->present || !flip->inside_band)
        return;
    const char *point =
        gp_quantity_format_turn(findings->build->arena, flip->at, flip->today, flip->dim);
    gp_findings_say(findings, "GP3008", GP_REF_NONE,
                    GP_FOUND("recommendation.flip.at", flip->today, flip->at, flip->dim,
                             flip->at > flip->today),
                    "measure a run before deciding",
                    "close to another verdict: %s at a %s of %s, within the error of the estimate",
                    scale_clause(flip->to_scale),
                    gp_build_key_words(findings->build, flip->variable), point);
}

/* What is declared binds: where it does not hold, that is said and nothing is put in its place. */
static void layout_not_held(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const gp_lack *lack = &plan->chosen.lack;
    if (!plan->layout_declared || plan->scale != GP_SCALE_INFEASIBLE || !plan->chosen.present ||
        (lack->bound == GP_BOUND_SUPPLY && lack->why == NULL) || lack->path != NULL)
        return;
    gp_findings_say(findings, "GP3009", GP_REF(plan->workload, gp_workload, parallelism),
                    GP_FOUND_AT("recommendation.scale"), "correct parallelism, or set it to auto",
                    "the declared parallelism does not work: %s",
                    gp_build_lack_words(findings->build, &plan->chosen));
}

static void replicas_too_few(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    if (!plan->has_declared || plan->declared.feasible || plan->demand_requests_per_s <= 0 ||
        (plan->scale == GP_SCALE_INFEASIBLE && plan->chosen.lack.is_own))
        return; /* GP2002 says the same */
    gp_findings_say(
        findings, "GP3021",
        plan->workload->replicas > 0 ? GP_REF(plan->workload, gp_workload, replicas)
                                     : GP_REF(plan->workload, gp_workload, disaggregated),
        GP_FOUND("service.declaredReplicas.requestsPerS", plan->declared.requests_per_s,
                 plan->demand_requests_per_s, GP_DIM_PER_S, false),
        plan->replicas_needed > 0
            ? GP_FINDING_TEXT(findings, "declare %s",
                              gp_build_count(findings->build, plan->replicas_needed, "replica"))
            : "declare more replicas, or larger ones",
        "the %s declared are not enough (%s); planned with %s",
        gp_build_count(findings->build, gp_build_declared(plan), "replica"),
        gp_build_lack_words(findings->build, &plan->declared),
        findings->figures->recommendation.chosen.layout);
}

static void replicas_too_many(gp_findings *findings) {
    const gp_workload_plan *plan = findings->plan;
    const int64_t more = plan->workload->replicas - plan->replicas_needed;
    if (!plan->has_declared || !plan->declared.feasible || plan->replicas_needed <= 0 || more <= 0)
        return;
    gp_findings_say(findings, "GP3022", GP_REF(plan->workload, gp_workload, replicas),
                    GP_FOUND("service.declaredReplicas.needed", (double)plan->workload->replicas,
                             (double)plan->replicas_needed, GP_DIM_COUNT, true),
                    GP_FINDING_TEXT(findings, "declare %lld, or scale them with the traffic",
                                    (long long)plan->replicas_needed),
                    "%s of the %lld declared are enough",
                    gp_build_count(findings->build, plan->replicas_needed, "replica"),
                    (long long)plan->workload->replicas);
}

static void inherited_efficiencies(gp_findings *findings) {
    const gp_candidate *chosen = &findings->plan->chosen;
    if (!chosen->present || chosen->unit == NULL || !chosen->unit->machine.inherited)
        return;
    gp_findings_say(findings, "GP7002", GP_REF_NONE, GP_FOUND_AT("performance.errorFraction"),
                    "calibrate with runs on this GPU",
                    "no measurements of %s in the catalogue; those of its architecture were used",
                    gp_build_gpu_id(chosen->unit));
}

static void simulated(gp_findings *findings) {
    const gp_confirmation *found = &findings->plan->confirmation;
    const gp_report_simulation *figures = findings->figures->simulation;
    if (!found->present || figures == NULL)
        return;
    const int64_t all = found->chosen.replicas + found->chosen.prefill_replicas;
    const bool more = found->closed_form.all_gpus < found->chosen_all_gpus;
    if (found->confirmed && !more)
        return;
    const char *replicas = gp_build_count(findings->build, all, "replica");
    const bool rejects = !found->confirmed && found->chosen.refused > 0;
    gp_findings_say(
        findings, found->confirmed ? "GP3016" : "GP3015",
        GP_REF(findings->plan->workload, gp_workload, traffic), GP_FOUND_AT("simulation.confirmed"),
        rejects ? "state model.context, limit the prompt length, or set a larger parallelism.tp"
        : found->confirmed
            ? "give p95 prompt and output lengths, or run gpuplan simulate with your own trace"
            : "add replicas, relax the goal or limit the prompt length",
        "%s",
        rejects
            ? GP_FINDING_TEXT(findings,
                              "the simulation rejects %lld of %lld requests: a replica has no room "
                              "for so long a one",
                              (long long)found->chosen.refused, (long long)found->chosen.requests)
        : found->confirmed
            ? GP_FINDING_TEXT(findings, "the simulation needs %lld GPUs, the formula %lld",
                              (long long)found->chosen_all_gpus,
                              (long long)found->closed_form.all_gpus)
            : GP_FINDING_TEXT(
                  findings,
                  "the simulation misses a goal with %s: first token %s, per token %s (p95)",
                  replicas, GP_FINDING_QUANTITY(findings, found->chosen.ttft_p95_s, GP_DIM_TIME),
                  GP_FINDING_QUANTITY(findings, found->chosen.tpot_p95_s, GP_DIM_TIME)));
}

gp_rule_function *const gp_rules_fit[] = {
    infeasible,     memory_borderline, headroom_short,    goals_missed,     no_goal,
    surplus,        layout_not_held,   software_changes,  flip_inside_band, inherited_efficiencies,
    context_passed, replicas_too_few,  replicas_too_many, simulated,        NULL,
};
