/*
 * Published counts of switches and cables beside those that the rule of sizes gives. A row names a
 * reference design; figures of its own columns go before those of the design.
 */
#include "base/num.h"
#include "base/str.h"
#include "fit/words.h"
#include "lab/lab.h"

/* The design whose id or alias the word is, or begins with. */
static const gp_fabric_design *find_design(gp_fitter *fitter, const char *word) {
    const void *found = NULL;
    size_t count = 0;
    if (gp_catalog_find(fitter->catalog, GP_CATALOG_DESIGNS, word, &found, NULL, NULL) == GP_OK)
        return found;
    const void *const *rows = gp_fit_rows_of(fitter->catalog, GP_CATALOG_DESIGNS, &count);
    for (size_t i = 0; i < count; i++) {
        const gp_fabric_design *row = rows[i];
        for (size_t j = 0; j < row->aliases.count; j++)
            if (gp_words_starts(word, row->aliases.items[j]))
                return row;
    }
    return NULL;
}

static int64_t either(double stated, int64_t designed) {
    return stated > 0 ? (int64_t)stated : designed;
}

/* A design sized for one machine less leaves its place to the managers; whole units have none. */
static gp_fabric_input input_of(const gp_run_row *run, const gp_fabric_design *design) {
    gp_fabric_input input = {
        .nodes = (int64_t)run->nodes,
        .rails = either(gp_lab(run)->rails, design->rails),
        .planes = either(gp_lab(run)->planes, design->planes),
        .radix = either(gp_lab(run)->radix, design->radix),
        .unit_nodes = either(gp_lab(run)->unit_nodes, design->unit_nodes),
        .oversubscription = 1,
        .gpus = design->gpus,
        .grouped = design->grouped,
    };
    bool whole = input.unit_nodes > 0 && input.nodes % input.unit_nodes == 0;
    input.management_ports = either(gp_lab(run)->managers, whole ? 0 : design->manager_ports);
    return input;
}

/* The row's own columns are enough where they say all that a design does. */
static gp_fabric_design own_design(const gp_run_row *run) {
    double gpus = run->nodes > 0 ? run->gpus / run->nodes : 0;
    return (gp_fabric_design){.gpus = (int64_t)gpus, .planes = 1};
}

static const char *check_gpus(gp_fitter *fitter, const gp_run_row *run,
                              const gp_fabric_design *design) {
    double expected = run->nodes * (double)design->gpus;
    if (run->gpus <= 0 || design->gpus <= 0 || gp_num_near(run->gpus, expected)) {
        return NULL;
    }
    return gp_arena_printf(fitter->arena,
                           "the row prints %lld GPUs beside %lld machines of %lld: a slip of its "
                           "source",
                           (long long)run->gpus, (long long)run->nodes, (long long)design->gpus);
}

static void add_counts(gp_fitter *fitter, const gp_run_row *run, const gp_fabric_size *size,
                       const char *why, const char *note, gp_fit_rows *rows) {
    const struct {
        const char *metric;
        double stated;
        int64_t counted;
    } counts[] = {
        {"leaf", gp_lab(run)->leaf, size->leaf},
        {"spine", gp_lab(run)->spine, size->spine},
        {"core", gp_lab(run)->core, size->core},
        {"node_leaf_cables", gp_lab(run)->node_leaf, size->node_leaf_cables},
        {"leaf_spine_cables", gp_lab(run)->leaf_spine, size->leaf_spine_cables},
        {"spine_core_cables", gp_lab(run)->spine_core, size->spine_core_cables},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].stated <= 0) {
            continue;
        }
        gp_backtest_row row = gp_fit_row(run, "fabric", counts[i].metric, counts[i].stated, why);
        row.shape = gp_lab(run)->design;
        gp_fit_row_estimate(&row, (double)counts[i].counted, 0, note);
        gp_fit_rows_add(fitter, rows, &row, NULL);
    }
}

void gp_lab_score_fabric(gp_fitter *fitter, const gp_run_row *run, gp_fit_rows *rows) {
    const gp_fabric_design *design = find_design(fitter, gp_lab(run)->design);
    gp_fabric_design own = own_design(run);
    gp_fabric_size size = {0};
    const char *why = NULL;
    bool stated = gp_lab(run)->rails > 0 && gp_lab(run)->radix > 0;
    if (design == NULL && stated) {
        design = &own;
    }
    if (design == NULL) {
        why = "no reference design of that name, and its ports are not stated";
    } else if (run->nodes <= 0) {
        why = "machines not stated";
    } else {
        gp_fabric_input input = input_of(run, design);
        bool sized = gp_fabric_size_of(&input, NULL, &size) == GP_OK && size.feasible;
        why = sized ? NULL : "beyond what three tiers carry";
    }
    const char *note = why == NULL ? check_gpus(fitter, run, design) : NULL;
    add_counts(fitter, run, &size, why, note, rows);
}
