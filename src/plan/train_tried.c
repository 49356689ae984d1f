/* The best layouts of a search by kind, one of each set of degrees. */
#include "plan/train_tried.h"

#include <string.h>

/* Told of each list: GP_TRIED_MAX together. More are kept, since of those that are short of room
 * only some would have been faster. */
static const int quotas[GP_TRIED_LISTS] = {6, 3, 3};

static int list_of(gp_tried_reason reason) {
    static const int lists[] = {[GP_TRIED_BEST] = 0,
                                [GP_TRIED_SLOWER] = 0,
                                [GP_TRIED_MEMORY] = 1,
                                [GP_TRIED_OUTSIDE] = 1,
                                [GP_TRIED_RULE] = 2};
    return lists[reason];
}

bool gp_layout_alike(const gp_layout *a, const gp_layout *b) {
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
        if (!gp_layout_alike(&rows[i].row.layout, &row->row.layout))
            continue;
        if (rows[i].rank <= row->rank)
            return;
        drop(rows, count, i);
        break;
    }
    int at = *count;
    while (at > 0 && rows[at - 1].rank > row->rank)
        at--;
    if (at >= GP_TRIED_LIST_MAX)
        return;
    if (*count == GP_TRIED_LIST_MAX)
        (*count)--;
    memmove(rows + at + 1, rows + at, (size_t)(*count - at) * sizeof *rows);
    rows[at] = *row;
    (*count)++;
}

/* A layout that fits with a smaller micro-batch is told once. */
static bool told(const gp_layout_tried *rows, int count, const gp_layout *layout) {
    for (int i = 0; i < count; i++)
        if (gp_layout_alike(&rows[i].layout, layout))
            return true;
    return false;
}

/* What would not have been faster either is told only where nothing else of its list is. */
static bool worth_telling(const gp_layout_tried *row, int list, int told_of_list) {
    return list == 0 || row->worse_fraction <= 0 || told_of_list == 0;
}

int gp_tried_join(const gp_tried_lists *lists, gp_layout_tried ret[GP_TRIED_MAX]) {
    const double best_s = lists->count[0] > 0 ? lists->rows[0][0].per_sequence_s : 0;
    int count = 0;
    for (int list = 0; list < GP_TRIED_LISTS; list++) {
        int of_list = 0;
        for (int i = 0; i < lists->count[list] && of_list < quotas[list]; i++) {
            const gp_tried_row *it = &lists->rows[list][i];
            gp_layout_tried row = it->row;
            if (best_s > 0)
                row.worse_fraction = it->per_sequence_s / best_s - 1;
            if (told(ret, count, &row.layout) || !worth_telling(&row, list, of_list))
                continue;
            if (count == 0 && list == 0)
                row.reason = GP_TRIED_BEST;
            ret[count++] = row;
            of_list++;
        }
    }
    return count;
}
