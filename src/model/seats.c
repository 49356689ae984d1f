/* Seats: people who work on GPUs by hand, in notebooks and in development. Their fields, what
 * follows of them, and which go together. */
#include "base/num.h"
#include "model/fields.h"
#include "model/resolve.h"
#include "schema/bind.h"

#define DERIVE(object, type, member, value)                                                        \
    do {                                                                                           \
        (object)->member = (value);                                                                \
        gp_origin_derive(&(object)->meta, offsetof(type, member));                                 \
    } while (0)

/* A seat is held like a request that never ends: what is planned for is how many are open. */
void gp_resolve_seats(gp_resolver *r, gp_workload *workload) {
    gp_seats *s = &workload->seats;
    gp_distribution *open = &workload->traffic.requests_per_s;
    gp_defaults_fill(r->arena, r->diags, s);
    if (s->at_once == 0 && s->people > 0 && s->present_fraction > 0)
        DERIVE(s, gp_seats, at_once,
               gp_num_max_i64(
                   1, gp_num_binomial_quantile(s->people, s->present_fraction, s->found_fraction)));
    if (s->gpus == 0 && !(s->memory_bytes > 0))
        DERIVE(s, gp_seats, gpus, 1);
    DERIVE(open, gp_distribution, peak, (double)s->at_once);
    workload->traffic.profile = s->hours;
}

void gp_check_seats(gp_resolver *r, const gp_workload *w) {
    const gp_seats *s = &w->seats;
    const bool counted = GP_ORIGIN_OF(s, gp_seats, at_once)->kind == GP_ORIGIN_DERIVED;
    if (w->type != GP_WORKLOAD_SEATS) {
        if (!GP_GIVEN(w, gp_workload, model))
            gp_refuse_absence(r, w->meta.span, "a workload of this type needs a model",
                              "model: a catalogue id, an hf: name, or a shape");
        return;
    }
    if (!(s->at_once > 0))
        gp_refuse_absence(r, GP_GIVEN(w, gp_workload, seats) ? s->meta.span : w->meta.span,
                          "seats need how many are open at once",
                          "seats.atOnce, or seats.people with seats.present");
    if (!counted && GP_GIVEN(s, gp_seats, present_fraction))
        gp_refuse_values(r, GP_PLACE(s, gp_seats, present_fraction),
                         "atOnce, or people with present",
                         "the number of open seats is stated twice");
    if (GP_GIVEN(s, gp_seats, people) && s->at_once > s->people)
        gp_refuse_values(r, GP_PLACE(s, gp_seats, at_once), "at most people",
                         "%lld seats open at once for %lld people", (long long)s->at_once,
                         (long long)s->people);
    if (s->memory_bytes > 0 && s->gpus > 0)
        gp_refuse_values(r, GP_PLACE(s, gp_seats, gpus), "gpus, or memory of a part of one",
                         "a seat has both whole GPUs and a part of one");
    if (s->compute_fraction > 0 && s->gpus > 0)
        gp_refuse_values(r, GP_PLACE(s, gp_seats, compute_fraction), "memory with it",
                         "a compute share for seats with whole GPUs");
    if (s->hours.trace)
        gp_refuse_values(r, GP_PLACE(&s->hours, gp_profile, trace), "a name, or 24 factors",
                         "the hours of seats cannot come from a request trace");
}
