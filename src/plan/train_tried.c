/* The best layouts of a search by kind, one of each set of degrees. */
#include "plan/train_tried.h"

#include <string.h>

#include "base/num.h"

/* Kept of each list: GP_TRAIN_TRIED_MAX together. */
static const int quotas[GP_TRIED_LISTS] = {GP_TRIED_LIST_MAX, 3, 2};

static int list_of(gp_tried_reason reason) {
    static const int lists[] = {[GP_TRIED_BEST] = 0,
                                [GP_TRIED_SLOWER] = 0,
                                [GP_TRIED_MEMORY] = 1,
                                [GP_TRIED_OUTSIDE] = 1,
                                [GP_TRIED_RULE] = 2};
    return lists[reason];
}

static bool same_degrees(const gp_layout *a, const gp_layout *b) {
    return a->tp == b->tp && a->pp == b->pp && a->cp == b->cp && a->dp == b->dp && a->ep == b->ep &&
           a->zero == b->zero && a->shard_group == b->shard_group && a->offload == b->offload;
}

static void drop(gp_tried_row *rows, int *count, int at) {
    memmove(rows + at, rows + at + 1, (size_t)(*count - at - 1) * sizeof *rows);
    (*count)--;
}

void gp_tried_keep(gp_tried_lists *lists, const gp_tried_row *row) {
    const int list = list_of(row->row.reason);
    gp_tried_row *rows = lists->rows[list];
    int *count = &lists->count[list];
    for (int i = 0; i < *count; i++) {
        if (!same_degrees(&rows[i].row.layout, &row->row.layout))
            continue;
        if (rows[i].rank <= row->rank)
            return;
        drop(rows, count, i);
        break;
    }
    int at = *count;
    while (at > 0 && rows[at - 1].rank > row->rank)
        at--;
    if (at >= quotas[list])
        return;
    if (*count == quotas[list])
        (*count)--;
    memmove(rows + at + 1, rows + at, (size_t)(*count - at) * sizeof *rows);
    rows[at] = *row;
    (*count)++;
}

/* A layout that fits with a smaller micro-batch is told once. */
static bool told(const gp_train_tried *rows, int count, const gp_layout *layout) {
    for (int i = 0; i < count; i++)
        if (same_degrees(&rows[i].layout, layout))
            return true;
    return false;
}

int gp_tried_join(const gp_tried_lists *lists, gp_train_tried ret[GP_TRAIN_TRIED_MAX]) {
    const double best_s = lists->count[0] > 0 ? lists->rows[0][0].per_sequence_s : 0;
    int count = 0;
    for (int list = 0; list < GP_TRIED_LISTS; list++) {
        for (int i = 0; i < lists->count[list]; i++) {
            const gp_tried_row *it = &lists->rows[list][i];
            if (told(ret, count, &it->row.layout))
                continue;
            ret[count] = it->row;
            if (count == 0 && list == 0)
                ret[count].reason = GP_TRIED_BEST;
            if (best_s > 0)
                ret[count].slower_fraction = it->per_sequence_s / best_s - 1;
            count++;
        }
    }
    return count;
}
