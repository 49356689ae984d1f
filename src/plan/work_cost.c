/*
 * What a run costs, or a year of a service: its GPU-hours, each at the purchase or the rent of its
 * own kind of machine and at an even part of what else the plan costs, and the energy of what it
 * computes. What nothing uses, as machines between two runs, is no workload's: together they come
 * to no more than the plan does (docs/formulas.md, "Cost").
 */
#include "plan/context.h"

#include "base/num.h"

static const double s_per_year = 31536000; /* 8,760 h: definition */

/* What the plan costs by the GPU-second. */
typedef struct rates {
    const gp_plan_context *plan;
    const gp_ledger *ledger;
    double *gpus;            /* by kind: those in use */
    double *machines_per_s;  /* by kind: purchase and support */
    double energy_per_s;     /* of what computes on site, each by itself */
    double energy_fraction;  /* of that, what the plan pays for */
    double others_per_gpu_s; /* staff, switches, colocation and so on */
    bool others_on_clouds;   /* nothing else is there that could bear them */
} rates;

static int part_count(const gp_candidate *chosen) {
    return chosen->feasible ? (int)gp_num_max_i64(chosen->share_count, 1) : 0;
}

/* Of a service at several sites, what it has at one. */
static const gp_candidate *part_of(const gp_candidate *chosen, int k) {
    return chosen->share_count > 0 ? &chosen->shares[k] : chosen;
}

static size_t kind_of(const rates *r, const gp_candidate *part) {
    return (size_t)(part->unit - r->plan->units);
}

static double gpus_of(const rates *r, const gp_candidate *part) {
    return gp_ledger_gpus(&r->ledger->kinds[kind_of(r, part)], part->part.profile != NULL,
                          part->gpus);
}

static double power_of(const gp_candidate *part) {
    return part->facility_mean_w * gp_option_gpus(part) / (double)gp_num_max_i64(part->gpus, 1);
}

static const gp_site_energy *energy_at(const rates *r, const gp_candidate *part) {
    return &gp_plan_spec_at(r->plan, kind_of(r, part))->site.energy;
}

/* The rent of a machine in a cloud has its energy in it. */
static double energy_price(const rates *r, const gp_candidate *part) {
    return part->unit->cloud != NULL ? 0 : energy_at(r, part)->price_per_j;
}

static void count_use(rates *r, const gp_candidate *part) {
    const double share = part->unit->cloud != NULL ? part->rented_fraction : part->busy_fraction;
    r->gpus[kind_of(r, part)] += gpus_of(r, part) * share;
    r->energy_per_s += power_of(part) * part->busy_fraction * energy_price(r, part);
}

/* Purchases are paid by the workloads on the machines, as far as these are in use at the busiest
 * moment; work in the idle hours of other work bears its part of them. */
static void set_machines(rates *r, const gp_cost *cost) {
    for (size_t u = 0; u < r->plan->unit_count; u++) {
        const gp_kind_hold *kind = &r->ledger->kinds[u];
        const double capital = r->plan->units[u].price * (double)kind->bought;
        r->gpus[u] = gp_num_max(r->gpus[u], (double)kind->gpus);
        if (cost->capital > 0 && r->plan->units[u].cloud == NULL)
            r->machines_per_s[u] =
                (cost->capital_per_s + cost->support_per_s) * capital / cost->capital;
    }
}

static void set_others(rates *r, const gp_cost *cost) {
    double rest = cost->total_per_s - cost->energy_per_s - cost->rent_per_s;
    double on_site = 0;
    double all = 0;
    for (size_t u = 0; u < r->plan->unit_count; u++) {
        rest -= r->machines_per_s[u];
        all += r->gpus[u];
        on_site += r->plan->units[u].cloud == NULL ? r->gpus[u] : 0;
    }
    r->others_on_clouds = !(on_site > 0);
    const double gpus = on_site > 0 ? on_site : all;
    r->others_per_gpu_s = gpus > 0 ? gp_num_max(0, rest) / gpus : 0;
}

static void set_rates(rates *r) {
    const gp_cost *cost = &r->plan->result->site.cost;
    r->gpus = GP_NEW_ARRAY(r->plan->arena, double, r->plan->unit_count + 1);
    r->machines_per_s = GP_NEW_ARRAY(r->plan->arena, double, r->plan->unit_count + 1);
    for (size_t i = 0; i < r->plan->case_count; i++) {
        const gp_candidate *chosen = &r->plan->cases[i].out->chosen;
        for (int k = 0; k < part_count(chosen); k++)
            count_use(r, part_of(chosen, k));
    }
    r->energy_fraction =
        r->energy_per_s > cost->energy_per_s ? cost->energy_per_s / r->energy_per_s : 1;
    set_machines(r, cost);
    set_others(r, cost);
}

static double machine_per_gpu_s(const rates *r, const gp_candidate *part) {
    const size_t u = kind_of(r, part);
    if (part->unit->cloud == NULL)
        return r->gpus[u] > 0 ? r->machines_per_s[u] / r->gpus[u] : 0;
    const gp_rent rent = gp_rent_of(part->unit, part->rented_fraction);
    return rent.from->per_s * (double)part->nodes / (double)gp_num_max_i64(part->gpus, 1);
}

/* It waits without its machines, and has them for a part of the time at most. */
double gp_run_held_s(const gp_candidate *run) {
    const gp_timing *timing = &run->timing;
    const double share = timing->share_fraction > 0 ? timing->share_fraction : 1;
    return (run->time_to_complete_s.expected - timing->wait_s) * share;
}

double gp_run_gpus(const gp_candidate *run) {
    return (double)gp_candidate_job_gpus(run) / (double)gp_num_max_i64(run->jobs_per_gpu, 1);
}

double gp_run_power_w(const gp_candidate *run) {
    return run->facility_mean_w / (double)gp_num_max_i64(run->replicas, 1);
}

/* What one part takes of a run or of a year. */
typedef struct taken {
    double gpu_s, energy_j;
} taken;

static taken taken_by(const rates *r, const gp_workload_plan *out, const gp_candidate *part) {
    const double run_s = gp_run_held_s(part);
    const double paid_s =
        part->unit->cloud != NULL ? part->rented_fraction * s_per_year : s_per_year;
    if (!out->is_serving)
        return (taken){run_s * gp_run_gpus(part), run_s * gp_run_power_w(part)};
    if (out->is_offline)
        return (taken){run_s * gpus_of(r, part), run_s * power_of(part)};
    return (taken){paid_s * gpus_of(r, part), s_per_year * power_of(part)};
}

/* Of services that nobody states a mean rate of, those of the planned one. */
static double tokens_of(const gp_case *c) {
    const gp_workload_plan *out = c->out;
    const double each = gp_serve_counted_tokens(&out->serve);
    const double rate =
        out->traffic.mean_per_s > 0 ? out->traffic.mean_per_s : out->demand_requests_per_s;
    if (!out->is_serving)
        return out->train.tokens;
    if (out->is_seats || out->serve.item.passes > 0)
        return 0;
    return each * (out->is_offline ? c->workload->traffic.requests : rate * s_per_year);
}

static void add_part(const rates *r, const gp_workload_plan *out, const gp_candidate *part,
                     gp_work_plan *work, gp_work_input *sum) {
    const taken took = taken_by(r, out, part);
    const bool bears = part->unit->cloud == NULL || r->others_on_clouds;
    work->energy_j += took.energy_j;
    sum->gpu_s += took.gpu_s;
    sum->machine_per_gpu_s += took.gpu_s * machine_per_gpu_s(r, part);
    sum->other_per_gpu_s += bears ? took.gpu_s * r->others_per_gpu_s : 0;
    if (part->unit->cloud != NULL)
        return;
    sum->energy_j += took.energy_j;
    sum->energy_price_per_j += took.energy_j * energy_price(r, part);
    sum->energy_price = GP_REF(energy_at(r, part), gp_site_energy, price_per_j);
}

/* Means of the parts. */
static void close_sum(const rates *r, gp_work_input *sum) {
    sum->machine_per_gpu_s /= gp_num_max(sum->gpu_s, 1);
    sum->other_per_gpu_s /= gp_num_max(sum->gpu_s, 1);
    sum->energy_price_per_j /= gp_num_max(sum->energy_j, 1);
    sum->energy_fraction = r->energy_fraction;
}

static void set_work(const rates *r, const gp_case *c, bool known, gp_trace *trace) {
    gp_workload_plan *out = c->out;
    gp_work_plan *work = &out->work;
    gp_work_input sum = {.energy_price = GP_REF_NONE};
    *work = (gp_work_plan){.is_run = !out->is_serving || out->is_offline, .tokens = tokens_of(c)};
    sum.of_run = work->is_run;
    sum.tokens = work->tokens;
    for (int k = 0; k < part_count(&out->chosen); k++)
        add_part(r, out, part_of(&out->chosen, k), work, &sum);
    const bool counted = work->is_run || (work->tokens > 0 && out->traffic.mean_per_s > 0);
    work->priced = known && counted && sum.gpu_s > 0;
    if (!work->priced)
        return;
    close_sum(r, &sum);
    work->cost = gp_work_cost_of(&sum, trace);
}

void gp_work_costs_of(gp_plan_context *plan, const gp_ledger *ledger) {
    rates r = {.plan = plan, .ledger = ledger};
    const bool known = gp_costs_known(plan->result) && plan->result->site.cost.total_per_s > 0;
    set_rates(&r);
    for (size_t i = 0; i < plan->case_count; i++)
        set_work(&r, &plan->cases[i], known,
                 plan->options->brief ? NULL : &plan->cases[i].out->trace_chosen);
}
