/*
 * The choice against others that make it. Small sites: every combination of the options that the
 * planner itself has is judged, and none is better. Larger ones: a solver of integer programs from
 * outside picks the options, and what the planner chose is within one per cent of that.
 *
 * The planner's choice is compiled into this program under another name, so that every call of it
 * comes by here.
 */
#include "plan/plan.h"

#define gp_allocate gp_allocate_searched
#include "plan/allocation.c"
#undef gp_allocate

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/plan_maker.h"

void gp_allocate(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *ret);

typedef void allocation_check(gp_plan_context *plan, const gp_inventory *inventory,
                              const gp_allocation *chosen, gp_allocation *trial);
static allocation_check *check;
static char *wrong; /* why[MADE_WHY] of the property that runs */

void gp_allocate(gp_plan_context *plan, const gp_inventory *inventory, gp_allocation *ret) {
    gp_allocate_searched(plan, inventory, ret);
    gp_allocation trial;
    /* What only asks for a verdict is not searched to the end. */
    if (check == NULL || wrong[0] != '\0' || ret->quick)
        return;
    gp_allocation_init(plan, &trial);
    trial.options = ret->options;
    check(plan, inventory, ret, &trial);
}

static bool checked_plan(const made_plan *made, allocation_check *with, char why[MADE_WHY]) {
    made_outcome o;
    check = with;
    wrong = why;
    made_run(made, false, &o);
    check = NULL;
    made_done(&o);
    return why[0] == '\0';
}

/* ------------------------------------------------------------ every combination */

enum { COMBINATIONS_MAX = 6000 };
static int compared;

static double combinations(const gp_plan_context *plan, const gp_allocation *chosen) {
    double all = 1;
    for (size_t i = 0; i < plan->case_count; i++)
        all *= 1 + (double)chosen->options[i].count;
    return all;
}

/* Steps to the next combination; false after the last. */
static bool step(const gp_plan_context *plan, gp_allocation *trial) {
    for (size_t i = 0; i < plan->case_count; i++) {
        if (trial->picks[i] + 1 < (int)trial->options[i].count) {
            trial->picks[i]++;
            return true;
        }
        trial->picks[i] = GP_UNPLACED;
    }
    return false;
}

static void describe(const gp_plan_context *plan, const gp_allocation *a, char *text, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < plan->case_count && used < room; i++) {
        const gp_candidate *c = a->picks[i] >= 0 ? &a->options[i].items[a->picks[i]] : NULL;
        const int n =
            snprintf(text + used, room - used, " %s:%lldx%s", plan->cases[i].workload->name,
                     c != NULL ? (long long)c->gpus : 0LL, c != NULL ? c->unit->id : "none");
        used += n > 0 ? (size_t)n : 0;
    }
}

static void try_all(gp_plan_context *plan, const gp_inventory *inventory,
                    const gp_allocation *chosen, gp_allocation *trial) {
    if (combinations(plan, chosen) > COMBINATIONS_MAX)
        return;
    compared++;
    do {
        if (!gp_allocation_judge(plan, inventory, trial) ||
            gp_value_compare(plan, &trial->value, &chosen->value) >= 0)
            continue;
        char better[160];
        char taken[160];
        describe(plan, trial, better, sizeof better);
        describe(plan, chosen, taken, sizeof taken);
        snprintf(wrong, MADE_WHY, "%.9g by%s, chosen %.9g by%s",
                 trial->value.keys[GP_VALUE_OBJECTIVE], better,
                 chosen->value.keys[GP_VALUE_OBJECTIVE], taken);
        return;
    } while (step(plan, trial));
}

/* A plan that fails is tried again as it is made smaller: it counts once. */
static bool counted_once(const made_plan *plan, allocation_check *with, int *count,
                         char why[MADE_WHY]) {
    static uint64_t last;
    const int before = *count;
    const bool holds = checked_plan(plan, with, why);
    if (*count > before)
        *count = before + (plan->seed != last ? 1 : 0);
    last = plan->seed;
    return holds;
}

static bool none_is_better(const made_plan *plan, char why[MADE_WHY]) {
    return counted_once(plan, try_all, &compared, why);
}

static void test_every_combination(void **state) {
    (void)state;
    enum { DRAWN = 700, MOST_SKIPPED = 5 };
    static const maker_wish small = {
        .workloads_max = 4, .kinds_max = 3, .kinds_min = 1, .no_growth = true};
    const int drawn = made_count(DRAWN);
    assert_int_equal(made_try("every combination", none_is_better, &small, drawn), 0);
    print_message("%d of %d allocations compared with every combination\n", compared, drawn);
    assert_true(compared >= drawn - drawn / MOST_SKIPPED);
}

/* ------------------------------------------------------------ an integer program */

/* A machine's GPUs, and what it draws with none of them at work. */
static const double most_off = 0.01;
static int solved;

static bool is_piece(const gp_candidate *option) {
    return option->groups[0].nodes == 1 && option->groups[0].gpus < option->unit->machine.gpus;
}

/* Pieces of powers of two fill machines of as many GPUs without a gap. */
static bool is_divisible(const gp_candidate *option) {
    const int64_t gpus = option->groups[0].gpus;
    return option->group_count == 1 && option->groups[0].most_per_node == 0 &&
           (gpus & (gpus - 1)) == 0;
}

/* By the objective: what a machine of the kind adds at idle, bought with what belongs to it. */
static double node_weight(const gp_plan_context *plan, size_t u, const gp_allocation *chosen) {
    if (plan->objective == GP_OBJECTIVE_MIN_MACHINES)
        return 1;
    if (plan->objective == GP_OBJECTIVE_MIN_GPUS)
        return 1e-6;
    if (plan->objective == GP_OBJECTIVE_MIN_POWER)
        return plan->facts[u].idle.node_w;
    const double energy = gp_plan_annual_pue(plan, u) * plan->spec->site.energy.price_per_j;
    for (size_t i = 0; i < plan->case_count; i++)
        for (size_t k = 0; k < chosen->options[i].count; k++) {
            const gp_candidate *option = &chosen->options[i].items[k];
            if (option->unit == &plan->units[u])
                return (option->cost.total_per_s - option->cost.energy_per_s) /
                           (double)option->nodes +
                       plan->facts[u].idle.node_w * energy;
        }
    return 0;
}

/* What the option adds to that, beside the machines that its pieces fill. */
static double own_weight(const gp_plan_context *plan, const gp_candidate *option,
                         const gp_allocation *chosen) {
    const size_t u = (size_t)(option->unit - plan->units);
    const double machines = is_piece(option) ? 0 : (double)option->nodes;
    const double loaded =
        is_piece(option) ? (double)option->gpus / (double)option->unit->machine.gpus : machines;
    const double watts = loaded * (option->node_load_w - option->node_idle_w);
    const double whole = machines * node_weight(plan, u, chosen);
    if (plan->objective == GP_OBJECTIVE_MIN_GPUS)
        return (double)option->gpus + whole;
    if (plan->objective == GP_OBJECTIVE_MIN_MACHINES)
        return whole;
    if (plan->objective == GP_OBJECTIVE_MIN_POWER)
        return whole + watts;
    return whole + watts * gp_plan_annual_pue(plan, u) * plan->spec->site.energy.price_per_j;
}

static bool write_program(const gp_plan_context *plan, const gp_allocation *chosen, FILE *file) {
    fprintf(file, "Minimize\n obj:");
    for (size_t i = 0; i < plan->case_count; i++)
        for (size_t k = 0; k < chosen->options[i].count; k++)
            fprintf(file, "\n + %.12g x_%zu_%zu",
                    own_weight(plan, &chosen->options[i].items[k], chosen), i, k);
    for (size_t u = 0; u < plan->unit_count; u++)
        fprintf(file, "\n + %.12g y_%zu", node_weight(plan, u, chosen), u);
    fprintf(file, "\nSubject To\n");
    for (size_t i = 0; i < plan->case_count; i++) {
        fprintf(file, " one_%zu:", i);
        for (size_t k = 0; k < chosen->options[i].count; k++) {
            if (!is_divisible(&chosen->options[i].items[k]))
                return false;
            fprintf(file, "\n + x_%zu_%zu", i, k);
        }
        fprintf(file, " = 1\n");
    }
    for (size_t u = 0; u < plan->unit_count; u++) {
        fprintf(file, " fill_%zu: %lld y_%zu", u, (long long)plan->units[u].machine.gpus, u);
        for (size_t i = 0; i < plan->case_count; i++)
            for (size_t k = 0; k < chosen->options[i].count; k++) {
                const gp_candidate *option = &chosen->options[i].items[k];
                if (option->unit == &plan->units[u] && is_piece(option))
                    fprintf(file, "\n - %lld x_%zu_%zu", (long long)option->gpus, i, k);
            }
        fprintf(file, " >= 0\n");
    }
    fprintf(file, "General\n");
    for (size_t u = 0; u < plan->unit_count; u++)
        fprintf(file, " y_%zu\n", u);
    fprintf(file, "Binary\n");
    for (size_t i = 0; i < plan->case_count; i++)
        for (size_t k = 0; k < chosen->options[i].count; k++)
            fprintf(file, " x_%zu_%zu\n", i, k);
    fprintf(file, "End\n");
    return true;
}

/* The picks in the solver's answer; false where it has none for some workload. */
static bool read_answer(const gp_plan_context *plan, const char *path, gp_allocation *trial) {
    char line[256];
    size_t placed = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return false;
    for (size_t i = 0; i < plan->case_count; i++)
        trial->picks[i] = GP_UNPLACED;
    while (fgets(line, sizeof line, file) != NULL) {
        size_t i = 0;
        size_t k = 0;
        double value = 0;
        const char *name = strstr(line, "x_");
        if (name == NULL || sscanf(name, "x_%zu_%zu %lf", &i, &k, &value) != 3 || value < 0.5)
            continue;
        trial->picks[i] = (int)k;
        placed++;
    }
    fclose(file);
    return placed == plan->case_count;
}

/* Beside this program, and gone after it. */
static char program[512], answer[512];

static void solve(gp_plan_context *plan, const gp_inventory *inventory, const gp_allocation *chosen,
                  gp_allocation *trial) {
    char command[sizeof program + sizeof answer + 64];
    for (size_t i = 0; i < plan->case_count; i++)
        if (chosen->options[i].count == 0)
            return;
    FILE *file = fopen(program, "w");
    assert_non_null(file);
    const bool written = write_program(plan, chosen, file);
    fclose(file);
    if (!written)
        return;
    snprintf(command, sizeof command, "cbc %s ratio 0.001 sec 20 solve solution %s >/dev/null",
             program, answer);
    (void)remove(answer);
    if (system(command) != 0 || !read_answer(plan, answer, trial) ||
        !gp_allocation_judge(plan, inventory, trial)) {
        snprintf(wrong, MADE_WHY, "cbc (coinor-cbc) gave no answer that holds");
        return;
    }
    solved++;
    const double least = trial->value.keys[GP_VALUE_OBJECTIVE];
    const double value = chosen->value.keys[GP_VALUE_OBJECTIVE];
    if (value <= least * (1 + most_off))
        return;
    char better[160];
    char taken[160];
    describe(plan, trial, better, sizeof better);
    describe(plan, chosen, taken, sizeof taken);
    snprintf(wrong, MADE_WHY, "%.9g by%s, the solver %.9g by%s (stated gap %.4g)", value, taken,
             least, better, chosen->gap_fraction);
}

static bool solver_is_no_better(const made_plan *plan, char why[MADE_WHY]) {
    return counted_once(plan, solve, &solved, why);
}

static void test_integer_program(void **state) {
    (void)state;
    enum { DRAWN = 35, MOST_SKIPPED = 4 };
    static const char *const objectives[] = {"minPower", "minGpus", "minCost", "minMachines"};
    maker_wish wish = {.workloads_min = 5,
                       .workloads_max = 20,
                       .kinds_min = 5,
                       .kinds_max = 5,
                       .services = true,
                       .no_pools = true,
                       .no_limits = true,
                       .no_growth = true};
    const int drawn = made_count(DRAWN);
    int failures = 0;
    for (size_t i = 0; i < sizeof objectives / sizeof objectives[0]; i++) {
        char title[64];
        const int before = solved;
        wish.objective = objectives[i];
        snprintf(title, sizeof title, "an integer program, %s", objectives[i]);
        failures += made_try(title, solver_is_no_better, &wish, drawn);
        print_message("%d of %d sites compared with the solver by %s\n", solved - before, drawn,
                      objectives[i]);
        assert_true(solved - before >= drawn - drawn / MOST_SKIPPED);
    }
    (void)remove(program);
    (void)remove(answer);
    assert_int_equal(failures, 0);
}

static int close_all(void **state) {
    (void)state;
    made_close();
    return 0;
}

int main(int argc, char **argv) {
    const char *self = argc > 0 ? argv[0] : "test_allocation";
    snprintf(program, sizeof program, "%s.%ld.lp", self, (long)getpid());
    snprintf(answer, sizeof answer, "%s.%ld.txt", self, (long)getpid());
    spec_case_simulate = GP_PLAN_SIMULATE_OFF;
    const char *filter = getenv("GPUPLAN_PROPERTY_TEST");
    if (filter != NULL)
        cmocka_set_test_filter(filter);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_combination),
        cmocka_unit_test(test_integer_program),
    };
    return cmocka_run_group_tests(tests, NULL, close_all);
}
