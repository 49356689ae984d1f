/*
 * Prompts of a mean length, and what unequal lengths make of them: attention grows with the square
 * of a prompt, so that a service whose prompts differ works more than prompts of the mean would
 * ask for, and its queue meets services that differ by more than the lengths do
 * (docs/formulas.md, "Unequal prompts").
 */
#include "base/num.h"
#include "estimate/serve.h"

double gp_serve_output_cv2(const gp_serve_job *job, const gp_constants *constants) {
    double spread = constants->serving_output_cv;
    return job->output_cv2 > 0 ? job->output_cv2 : spread * spread;
}

double gp_serve_fresh_tokens(const gp_serve_job *job, double input) {
    return gp_num_max(input * (1 - job->prefix_hit_fraction), 1);
}

void gp_serve_prompt_of(const gp_serve_cost *cost, double input, gp_serve_prefill *ret) {
    const gp_serve_job *job = cost->job;
    if (job->prefilled) {
        *ret = (gp_serve_prefill){0};
        return;
    }
    double tokens = gp_serve_fresh_tokens(job, input);
    double images = gp_num_min(job->image_tokens, tokens);
    gp_serve_prefill_of(cost, tokens, gp_num_max(input - tokens, 0), images, ret);
}

double gp_serve_prompt_fixed_s(const gp_serve_cost *cost, const gp_serve_prefill *prefill) {
    double fixed_s = cost->groups > 1 ? cost->slowdown * prefill->overhead_s / (double)cost->groups
                                      : prefill->total_s - prefill->work_s;
    return gp_num_max(fixed_s, 0);
}

/* Work w(n) = a n + b n^2 through w(mean) and w(2 mean), on the shape of a law with variance
 * cv2 mean^2: E w = w(mean) + cv2 b mean^2, and the slope a + 2 b mean carries the lengths' spread
 * over to the work. */
void gp_serve_prompts_of(const gp_serve_cost *cost, double input, gp_serve_prompts *ret) {
    const gp_constants *constants = cost->constants;
    double cv2 = cost->job->input_cv2;
    *ret = (gp_serve_prompts){.cv2 = constants->serving_input_cv * constants->serving_input_cv};
    gp_serve_prompt_of(cost, input, &ret->mean);
    ret->work_s = ret->mean.work_s;
    if (cost->job->item.passes > 0) { /* all of one size */
        ret->cv2 = 0;
        return;
    }
    if (!(cv2 > 0) || !cost->supported || cost->job->prefilled)
        return;
    gp_serve_prefill twice;
    gp_serve_prompt_of(cost, 2 * input, &twice);
    double square = gp_num_max(0.5 * twice.work_s - ret->mean.work_s, 0);
    ret->work_s += cv2 * square;
    /* At least the lengths' own: what the square adds to the spread of long tails is left out. */
    double slope = gp_num_max((ret->mean.work_s + square) / ret->work_s, 1);
    ret->cv2 = cv2 * slope * slope;
}
