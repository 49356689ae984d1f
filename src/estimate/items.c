/*
 * Work that is no stream of tokens: pictures and clips that a denoiser makes in many passes, and
 * items that are scored by a fixed amount of arithmetic and look-ups. FLOP follow from the shape of
 * the model and from what is asked for; the rates are those of prompts, less what plain modules
 * lose (docs/formulas.md, "Pictures, clips and scores").
 */
#include "base/num.h"
#include "estimate/serve.h"

static double at_least(int64_t value, double least) {
    return gp_num_max((double)value, least);
}

/* Tokens of a picture or clip: latent cells by the edge, frames by the model's compression. */
static double tokens_of(const gp_diffusion *d, const gp_generate *asked) {
    double edge = at_least(d->edge, 1) * at_least(d->patch, 1);
    double columns = (double)gp_num_ceil_count((double)asked->width / edge);
    double rows = (double)gp_num_ceil_count((double)asked->height / edge);
    double latent = 1;
    if (d->frames > 0 && asked->frames > 1) {
        latent += (double)gp_num_ceil_count((double)(asked->frames - 1) / (double)d->frames);
        latent = (double)gp_num_ceil_count(latent / at_least(d->frame_patch, 1));
    }
    return columns * rows * latent;
}

static void set_denoiser(const gp_shape *shape, const gp_generate *asked, gp_item *item) {
    const gp_diffusion *d = &shape->model->diffusion;
    double count = gp_num_max(asked->per_request, 1);
    double passes = count * (asked->guidance ? at_least(d->passes, 1) : 1);
    double tokens = tokens_of(d, asked), text = (double)d->text_tokens;
    double sequence = tokens + (d->joined ? text : 0);
    double attending = shape->layers + (double)d->twin_layers;
    double pairs = d->linear ? 0 : attending * sequence * sequence;
    pairs += d->joined ? 0 : shape->layers * tokens * text;
    item->passes = asked->steps > 0 ? (double)asked->steps : (double)d->steps;
    item->tokens = sequence;
    double modules = shape->layers * (d->joined ? 2 : 2 + 1) + (double)d->twin_layers;
    double numbers = passes * sequence * shape->hidden;
    item->modules = modules + 2 * (double)d->double_layers;
    item->elements = numbers * modules;
    item->exchange_bytes =
        4 * 2 * numbers * shape->layers; /* q, k, v, what comes of them: 16 bit */
    item->pixels = (double)(asked->width * asked->height) * at_least(asked->frames, 1);
    item->flop = passes * 2 * shape->linear_parameters * sequence;
    item->attention_flop = passes * 4 * shape->attention_width * pairs;
    if (d->pass_flop > 0) {
        item->flop = passes * d->pass_flop * item->pixels / d->pass_pixels;
        item->attention_flop = item->modules = item->elements = item->exchange_bytes = 0;
    }
    item->pixels *= count;
    item->text_flop = passes * 2 * d->text_parameters * text;
    item->decoder_flop = item->pixels * d->decoder_flop;
}

void gp_item_of(const gp_shape *shape, const gp_traffic *traffic, gp_item *ret) {
    const gp_model *model = shape->model;
    *ret = (gp_item){0};
    if (model->diffusion.steps > 0) {
        set_denoiser(shape, &traffic->generate, ret);
    } else if (model->scoring.flop > 0) {
        double items = gp_num_max(traffic->candidates, 1);
        ret->passes = 1;
        ret->flop = items * model->scoring.flop;
        ret->lookups = items * (double)(model->scoring.lookups * model->scoring.width);
    }
}

/* Products over the rate of prompts: convolutions and small products reach less of it. */
static double product_share(const gp_serve_cost *cost) {
    const gp_model *model = cost->job->shape->model;
    const gp_constants *k = cost->constants;
    return model->scoring.lookups > 0 ? k->item_scoring_fraction
           : model->scoring.flop > 0 || model->diffusion.pass_flop > 0
               ? k->item_convolution_fraction
               : k->item_product_fraction;
}

static double attention_s(const gp_serve_cost *cost) {
    const gp_machine *machine = cost->machine;
    const gp_efficiency *row = machine->efficiency[GP_PRECISION_BF16] != NULL
                                   ? machine->efficiency[GP_PRECISION_BF16]
                                   : machine->efficiency[GP_PRECISION_FP16];
    double share = row != NULL && row->denoise_attention_fraction > 0
                       ? row->denoise_attention_fraction
                       : cost->constants->item_attention_fraction;
    double peak = gp_num_max(machine->peak_flop_per_s[GP_PRECISION_BF16],
                             machine->peak_flop_per_s[GP_PRECISION_FP16]);
    return cost->job->item.attention_flop / (peak * share);
}

/* One pass, shared by all GPUs of the replica: every layer turns its tokens from one GPU's part of
 * the sequence to the others', and what is split is worked on less well. */
static double pass_s(const gp_serve_cost *cost, gp_serve_prefill *ret) {
    const gp_item *item = &cost->job->item;
    const gp_constants *k = cost->constants;
    double ranks = (double)(cost->tp * cost->pp);
    double split = (1 + k->item_split_fraction * gp_num_log2(ranks)) / ranks;
    double bytes = k->item_element_bytes * item->elements +
                   gp_format_bytes(k, cost->job->weights) * item->lookups;
    ret->gemm_s = split * (item->flop / (cost->flop_per_s * product_share(cost)) +
                           bytes / cost->weight_bytes_per_s);
    ret->attention_s = split * attention_s(cost);
    double sent = item->exchange_bytes * (ranks - 1) / (ranks * ranks);
    double link = cost->machine->link_bytes_per_s;
    ret->communication_s = ranks > 1 && link > 0 ? sent / link : 0;
    return ret->gemm_s + ret->attention_s + ret->communication_s;
}

/* Encoders of the prompt and the decoder of pixels, which every GPU runs by itself. */
static double once_s(const gp_serve_cost *cost) {
    const gp_item *item = &cost->job->item;
    const gp_constants *k = cost->constants;
    return item->text_flop / (cost->flop_per_s * k->item_product_fraction) +
           item->decoder_flop / (cost->flop_per_s * k->item_decoder_fraction);
}

double gp_serve_items_s(const gp_serve_cost *cost, double batch, gp_serve_prefill *ret) {
    const gp_item *item = &cost->job->item;
    double work_s = batch * pass_s(cost, ret);
    const gp_stack *stack = cost->job->stack;
    bool whole = stack != NULL && stack->kernels == GP_KERNELS_FUSED; /* one graph of kernels */
    double launch_s = whole ? 0 : item->modules * cost->constants->item_launch_s;
    ret->overhead_s = gp_num_max(launch_s - work_s, 0);
    ret->total_s =
        cost->slowdown * (item->passes * (work_s + ret->overhead_s) + batch * once_s(cost));
    ret->work_s = ret->total_s;
    return ret->total_s;
}

/* A replica of items has no steps to share. With an item's own time in their place its batch is the
 * number of items in it, waiting and worked on: rho / (1 - rho). */
void gp_serve_item_cost(gp_serve_cost *cost) {
    gp_serve_prefill alone;
    if (cost->supported)
        cost->step_s = gp_serve_items_s(cost, 1, &alone) / cost->slowdown;
}

double gp_item_activation_bytes(const gp_serve_job *job, const gp_constants *constants) {
    return job->item.pixels * constants->item_pixel_bytes;
}

void gp_serve_item_trace(const gp_serve_cost *cost, const gp_serve_prefill *prefill,
                         gp_trace *trace) {
    const gp_item *item = &cost->job->item;
    const gp_constants *k = cost->constants;
    const gp_gpu *gpu = cost->machine->gpu;
    const gp_model *model = cost->job->shape->model;
    const bool scores = model->scoring.flop > 0;
    const bool looks = model->scoring.lookups > 0;
    const bool whole = model->diffusion.pass_flop > 0 || (scores && !looks);
    GP_TRACE(trace, GP_TERM_SERVE_ITEM_FLOP, item->passes * (item->flop + item->attention_flop),
             GP_SERVE_REF(cost->job, traffic.generate, gp_generate, width),
             GP_SERVE_REF(cost->job, traffic.generate, gp_generate, height),
             GP_SERVE_REF(cost->job, traffic.generate, gp_generate, frames),
             GP_SERVE_REF(cost->job, traffic.generate, gp_generate, steps),
             GP_SERVE_REF(cost->job, traffic, gp_traffic, candidates),
             GP_REF_IF(scores, &model->scoring, gp_scoring, flop),
             GP_REF_IF(whole && !scores, &model->diffusion, gp_diffusion, pass_flop),
             GP_REF(model, gp_model, layers), GP_REF(model, gp_model, hidden));
    GP_TRACE(trace, GP_TERM_SERVE_ITEM_PASS,
             prefill->gemm_s + prefill->attention_s + prefill->communication_s +
                 prefill->overhead_s,
             GP_REF_TERM(GP_TERM_SERVE_ITEM_FLOP), gp_peak_ref(gpu, cost->job->compute),
             GP_REF(gpu, gp_gpu, memory_bytes_per_s),
             GP_REF_IF(looks, k, gp_constants, item_scoring_fraction),
             GP_REF_IF(whole, k, gp_constants, item_convolution_fraction),
             GP_REF_IF(!scores && !whole, k, gp_constants, item_product_fraction),
             GP_REF_IF(!scores, k, gp_constants, item_element_bytes),
             GP_REF_IF(!scores, k, gp_constants, item_launch_s),
             GP_REF_IF(!scores && !whole, k, gp_constants, item_attention_fraction),
             GP_REF_IF(cost->tp > 1, k, gp_constants, item_split_fraction));
    GP_TRACE(trace, GP_TERM_SERVE_PREFILL, prefill->total_s, GP_REF_TERM(GP_TERM_SERVE_ITEM_PASS),
             GP_REF_IF(!scores, &model->diffusion, gp_diffusion, decoder_flop),
             GP_REF_IF(!scores, &model->diffusion, gp_diffusion, text_parameters),
             GP_REF_IF(!scores, k, gp_constants, item_decoder_fraction),
             GP_SERVE_REF(cost->job, software, gp_software, tuning));
}
