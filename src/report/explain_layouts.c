/* Why not another layout: those that were tried on the chosen machines, and what each lost by. */
#include "report/build.h"

#include "base/num.h"

/* ------------------------------------------------------------ training */

static const char *training_layout(gp_build *build, const gp_layout *layout) {
    return gp_build_text(build, "%s, micro-batches of %lld, %s a step, recomputation %s",
                         gp_build_degree_words(build, layout), (long long)layout->micro_batch,
                         gp_build_count(build, layout->global_batch_sequences, "sequence"),
                         gp_recompute_words[layout->recompute]);
}

/* "3.1% slower", "2% faster". */
static const char *speed_words(gp_build *build, double worse_fraction) {
    const double size = worse_fraction < 0 ? -worse_fraction : worse_fraction;
    if (gp_num_near(1 + size, 1))
        return "as fast";
    return gp_build_text(build, "%s %s", gp_build_quantity(build, size, GP_DIM_FRACTION),
                         worse_fraction < 0 ? "faster" : "slower");
}

static const char *taken_words(const gp_workload_plan *plan) {
    if (!plan->chosen.feasible)
        return "the closest";
    return plan->layout_declared ? "chosen, as declared" : "taken";
}

/* What it would have been worth beside why it is out. */
static const char *would_be(gp_build *build, const gp_workload_plan *plan,
                            const gp_layout_tried *row) {
    if (plan->tried.items[0].reason != GP_TRIED_BEST)
        return "";
    return gp_build_text(build, "; it would be %s", speed_words(build, row->worse_fraction));
}

static const char *training_why(gp_build *build, const gp_workload_plan *plan,
                                const gp_layout_tried *row) {
    const char *lack = gp_build_quantity(build, row->short_bytes, GP_DIM_BYTES);
    if (row->reason == GP_TRIED_BEST)
        return taken_words(plan);
    if (row->reason == GP_TRIED_MEMORY)
        return gp_build_text(build, "short of memory by %s on each GPU%s", lack,
                             would_be(build, plan, row));
    if (row->reason == GP_TRIED_OUTSIDE)
        return gp_build_text(build, "short of host memory or drives by %s for each GPU", lack);
    if (row->reason == GP_TRIED_RULE)
        return gp_build_text(build, "cannot launch: %s%s", row->rule->words,
                             would_be(build, plan, row));
    if (row->reason == GP_TRIED_OPEN)
        return plan->tried.items[0].reason == GP_TRIED_BEST
                   ? gp_build_text(build, "%s, but not declared",
                                   speed_words(build, row->worse_fraction))
                   : "fits, but is not declared";
    return speed_words(build, row->worse_fraction);
}

/* ------------------------------------------------------------ services */

static const char *service_layout(gp_build *build, const gp_layout_tried *row) {
    return row->reason == GP_TRIED_RULE ? gp_build_replica_words(build, &row->sized->serve_layout)
                                        : gp_build_serving_words(build, row->sized);
}

/* It would do, and takes more; where it does not, the whole plan is better with the other. */
static const char *more_words(gp_build *build, const gp_layout_tried *row) {
    const gp_objective by = build->result->objective;
    const char *what = by == GP_OBJECTIVE_MIN_COST       ? "cost"
                       : by == GP_OBJECTIVE_MIN_POWER    ? "power"
                       : by == GP_OBJECTIVE_MIN_MACHINES ? "machines"
                                                         : "GPUs";
    if (row->worse_fraction <= 0 || gp_num_near(1 + row->worse_fraction, 1))
        return "equally good; the chosen one suits the whole plan better";
    return gp_build_text(build, "needs %s more %s",
                         gp_build_quantity(build, row->worse_fraction, GP_DIM_FRACTION), what);
}

static const char *service_why(gp_build *build, const gp_workload_plan *plan,
                               const gp_layout_tried *row) {
    if (row->reason == GP_TRIED_BEST)
        return taken_words(plan);
    if (row->reason == GP_TRIED_RULE)
        return gp_build_text(build, "cannot launch: %s", row->rule->words);
    return row->reason == GP_TRIED_LACK ? gp_build_lack_words(build, row->sized)
                                        : more_words(build, row);
}

/* ------------------------------------------------------------ rows */

static const char *const outcomes[GP_TRIED_COUNT] = {
    [GP_TRIED_BEST] = "taken",      [GP_TRIED_SLOWER] = "slower",  [GP_TRIED_MORE] = "more",
    [GP_TRIED_MEMORY] = "memory",   [GP_TRIED_LACK] = "short",     [GP_TRIED_RULE] = "rule",
    [GP_TRIED_OUTSIDE] = "offload", [GP_TRIED_OPEN] = "undeclared"};

static gp_explained_layout row_of(gp_build *build, const gp_workload_plan *plan,
                                  const gp_layout_tried *row) {
    const bool serves = plan->is_serving;
    const bool known =
        serves ? row->reason == GP_TRIED_MORE : plan->tried.items[0].reason == GP_TRIED_BEST;
    const bool counted = serves && row->reason != GP_TRIED_RULE;
    return (gp_explained_layout){
        .layout = serves ? service_layout(build, row) : training_layout(build, &row->layout),
        .outcome = outcomes[row->reason],
        .why = serves ? service_why(build, plan, row) : training_why(build, plan, row),
        .step_s = serves ? GP_REPORT_NO_REAL : gp_build_positive(row->step_s),
        .worse_fraction = known ? row->worse_fraction : GP_REPORT_NO_REAL,
        .gpus = counted ? row->sized->gpus : GP_REPORT_NO_COUNT,
        .nodes = counted ? row->sized->nodes : GP_REPORT_NO_COUNT,
        .short_bytes = gp_build_positive(row->short_bytes),
        .rule = row->rule != NULL ? row->rule->id : NULL,
        .source = row->rule != NULL ? row->rule->source : NULL,
    };
}

void gp_explain_layouts(gp_build *build, const gp_workload_plan *plan, gp_explanation *out) {
    out->layouts.items = GP_NEW_ARRAY(build->arena, gp_explained_layout, plan->tried.count + 1);
    for (size_t i = 0; i < plan->tried.count; i++)
        GP_NEXT(out->layouts) = row_of(build, plan, &plan->tried.items[i]);
    out->layouts_timed = plan->layouts_timed;
}
