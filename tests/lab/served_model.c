/*
 * Models of services by the names that their operators write: sizes and sister models behind them,
 * days of checkpoints, minor releases of which nobody has the dimensions yet.
 */
#include <ctype.h>
#include <string.h>

#include "lab/lab.h"

/* Names under which a model may be known, in turn: its own, without what follows a blank or a
 * stroke, without the day of a checkpoint ("-0813"), and the minor releases before it, which keep
 * the dimensions of their first. */
typedef struct model_names {
    const char *name;
    size_t cuts, minor; /* of the name's parts tried so far */
} model_names;

enum { DAY_LETTERS = 5 }; /* "-0813" */

static bool ends_in_day(const char *name, size_t len) {
    bool day = len > DAY_LETTERS && name[len - DAY_LETTERS] == '-';
    for (size_t i = 1; day && i < DAY_LETTERS; i++) {
        day = isdigit((unsigned char)name[len - i]);
    }
    return day;
}

/* The name with one less behind its point, "5.3" as "5.2" and "4.1" as "4"; NULL where it has
 * none. */
static const char *release_before(gp_arena *arena, const char *name) {
    const char *point = strchr(name, '.');
    bool minor = point != NULL && point > name && isdigit((unsigned char)point[-1]) &&
                 point[1] > '0' && point[1] <= '9' && !isalnum((unsigned char)point[2]);
    if (!minor) {
        return NULL;
    }
    int whole = (int)(point - name);
    return point[1] == '1'
               ? gp_arena_printf(arena, "%.*s%s", whole, name, point + 2)
               : gp_arena_printf(arena, "%.*s.%c%s", whole, name, point[1] - 1, point + 2);
}

/* NULL after the last. */
static const char *next_name(gp_arena *arena, model_names *names) {
    static const char *const breaks[] = {"", " ", " /"};
    enum { BREAKS = sizeof breaks / sizeof breaks[0] };
    const char *name = names->name;
    size_t len = strcspn(name, names->cuts < BREAKS ? breaks[names->cuts] : breaks[BREAKS - 1]);
    if (names->cuts++ < BREAKS) {
        return gp_arena_strndup(arena, name, len);
    }
    len -= ends_in_day(name, len) ? DAY_LETTERS : 0;
    const char *next = gp_arena_strndup(arena, name, len);
    for (size_t i = 0; next != NULL && i < names->minor; i++) {
        next = release_before(arena, next);
    }
    names->minor++;
    return next;
}

static const gp_fit_model *note_name(gp_fitter *fitter, const gp_fit_model *model) {
    gp_fit_model *named = GP_NEW(fitter->arena, gp_fit_model);
    *named = *model;
    named->note = gp_arena_printf(fitter->arena, "read as %s", named->model.id);
    return named;
}

const gp_fit_model *gp_lab_served_model(gp_fitter *fitter, const gp_run_row *run,
                                        const char **ret_why) {
    gp_run_row named = *run;
    model_names names = {.name = run->model};
    const char *why = NULL;
    const gp_fit_model *model = gp_fit_model_of(fitter, run, ret_why);
    while (model == NULL && (named.model = next_name(fitter->arena, &names)) != NULL)
        model = gp_fit_model_of(fitter, &named, &why);
    if (model == NULL)
        return NULL;
    *ret_why = NULL;
    return names.minor > 0 ? note_name(fitter, model) : model;
}
