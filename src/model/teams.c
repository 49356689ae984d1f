/* Teams that share a cluster: their fields, and which go together. */
#include <string.h>

#include "base/str.h"
#include "model/resolve.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"

const gp_team *gp_team_named(const gp_plan_spec *spec, const char *name) {
    for (size_t i = 0; name != NULL && i < spec->teams.count; i++)
        if (gp_str_equal(spec->teams.items[i].name, name))
            return &spec->teams.items[i];
    return NULL;
}

void gp_check_team_name(gp_resolver *r, const gp_workload *workload) {
    const char *nearest = NULL;
    for (size_t i = 0; workload->team && i < r->spec->teams.count; i++) {
        const char *name = r->spec->teams.items[i].name;
        if (!name || gp_str_equal(name, workload->team))
            return;
        nearest =
            gp_str_distance(workload->team, strlen(workload->team), name) >= 0 ? name : nearest;
    }
    if (workload->team)
        gp_diags_error(r->diags, GP_ID_UNKNOWN_LOCAL, GP_PLACE(workload, gp_workload, team),
                       "the name of a team in spec.teams", nearest, "no team \"%s\"",
                       gp_shown(r->arena, workload->team, strlen(workload->team)));
}

void gp_check_teams(gp_resolver *r) {
    double shares = 0;
    for (size_t i = 0; i < r->spec->teams.count; i++) {
        const gp_team *team = &r->spec->teams.items[i];
        const bool counted = GP_GIVEN(team, gp_team, gpus);
        const bool shared = GP_GIVEN(team, gp_team, share_fraction);
        shares += team->share_fraction;
        if (counted && shared)
            gp_refuse_values(r, GP_PLACE(team, gp_team, share_fraction), "quota, or share",
                             "the quota of team \"%s\" is stated twice", team->name);
        if (!counted && !shared)
            gp_refuse_absence(r, team->meta.span, "a team needs a quota",
                              "quota: a number of GPUs, or share");
        if (shared && shares > 1 + 1e-9)
            gp_refuse_values(r, GP_PLACE(team, gp_team, share_fraction), "100% in all",
                             "the shares of the teams add up to more than 100%%");
    }
}
