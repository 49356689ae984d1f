/* Resolution of one workload: its model from the catalogue, spec.defaults where it is silent, the
 * defaults of the groups that its type uses, and formats that follow from the model. */
#include <string.h>

#include "base/num.h"
#include "base/str.h"
#include "catalog/words.h"
#include "model/fields.h"
#include "model/resolve.h"
#include "schema/bind.h"
#include "schema/diag_ids.h"
#include "schema/scalar.h"

/* Copies a scalar member with its origin where `dst` lacks it. */
#define INHERIT(dst, src, type, member)                                                            \
    do {                                                                                           \
        if (!GP_GIVEN(dst, type, member) && GP_GIVEN(src, type, member)) {                         \
            (dst)->member = (src)->member;                                                         \
            copy_origin(&(dst)->meta, &(src)->meta, offsetof(type, member));                       \
        }                                                                                          \
    } while (0)

static void copy_origin(gp_meta *to, const gp_meta *from, size_t offset) {
    int row = gp_field_at(to->type, offset);
    to->origins[row] = *gp_origin_at(from, offset);
}

static void mark_default(gp_meta *meta, size_t offset) {
    int row = gp_field_at(meta->type, offset);
    meta->origins[row] = (gp_origin){.kind = GP_ORIGIN_DEFAULT};
}

static bool trains(const gp_workload *workload) {
    return workload->type != GP_WORKLOAD_INFERENCE && workload->type != GP_WORKLOAD_SEATS;
}

/* ---- spec.defaults --------------------------------------------------------------------------- */

/* The names are for one role each, and the release belongs to the name. */
static void inherit_software(gp_workload *workload, const gp_software *defaults) {
    gp_software *own = &workload->software;
    bool serving = !trains(workload);
    bool named = serving ? own->engine != NULL : own->framework != NULL;
    /* Engines of language models make no pictures. */
    named = named || (serving && gp_engine_role(&workload->model) != GP_STACK_SERVING);
    if (!named && serving) {
        INHERIT(own, defaults, gp_software, engine);
    } else if (!named) {
        INHERIT(own, defaults, gp_software, framework);
    }
    bool inherited = !named && (serving ? own->engine : own->framework);
    if (inherited)
        INHERIT(own, defaults, gp_software, release);
    /* A workload that says how it is tuned does not take another's factor. */
    if (!GP_GIVEN(own, gp_software, tuning))
        INHERIT(own, defaults, gp_software, efficiency);
    INHERIT(own, defaults, gp_software, tuning);
}

static void inherit_precision(gp_workload *workload, const gp_defaults *defaults) {
    gp_precision_spec *own = &workload->precision;
    if (!GP_GIVEN(own, gp_precision_spec, compute)) {
        own->compute = defaults->precision;
        int row = gp_field_at(own->meta.type, offsetof(gp_precision_spec, compute));
        own->meta.origins[row] = *GP_ORIGIN_OF(defaults, gp_defaults, precision);
    }
}

/* ---- formats --------------------------------------------------------------------------------- */

typedef struct format_pair {
    gp_precision precision;
    gp_format format;
} format_pair;

/* Storage format of weights that are computed with in a narrow precision, and back. */
static const format_pair narrow[] = {
    {GP_PRECISION_FP8, GP_FORMAT_FP8},   {GP_PRECISION_FP8, GP_FORMAT_FP8_BLOCK},
    {GP_PRECISION_MXFP8, GP_FORMAT_FP8}, {GP_PRECISION_INT8, GP_FORMAT_INT8},
    {GP_PRECISION_FP4, GP_FORMAT_NVFP4}, {GP_PRECISION_FP16, GP_FORMAT_FP16},
};

enum { NARROW_COUNT = GP_COUNT_OF(narrow) };

static void derive_weights(gp_precision_spec *precision, int format) {
    if (!GP_GIVEN(precision, gp_precision_spec, weights)) {
        precision->weights = format;
        gp_origin_derive(&precision->meta, offsetof(gp_precision_spec, weights));
    }
}

/* Serving: the workload's own compute precision asks for weights of that width, else the
 * checkpoint's format stands, and with it the precision it is made for. int8 checkpoints are
 * mostly weight-only, so they do not change the precision of the products. */
static void derive_serving(gp_workload *workload) {
    gp_precision_spec *precision = &workload->precision;
    const gp_weights *checkpoint = &workload->model.weights;
    bool own_compute = GP_GIVEN(precision, gp_precision_spec, compute);
    for (int i = 0; own_compute && i < NARROW_COUNT; i++)
        if (precision->compute == (int)narrow[i].precision && checkpoint->format <= GP_FORMAT_FP16)
            derive_weights(precision, (int)narrow[i].format);
    derive_weights(precision, checkpoint->format);
    for (int i = 0; !own_compute && i < NARROW_COUNT; i++) {
        if (precision->weights == (int)narrow[i].format && precision->weights != GP_FORMAT_INT8) {
            precision->compute = (int)narrow[i].precision;
            gp_origin_derive(&precision->meta, offsetof(gp_precision_spec, compute));
            break;
        }
    }
    if (!GP_GIVEN(precision, gp_precision_spec, kv_cache) &&
        GP_GIVEN(checkpoint, gp_weights, kv_cache)) {
        precision->kv_cache = checkpoint->kv_cache;
        gp_origin_derive(&precision->meta, offsetof(gp_precision_spec, kv_cache));
    }
}

static void derive_adapter(gp_workload *workload) {
    gp_adapter *adapter = &workload->adapter;
    if (!GP_GIVEN(adapter, gp_adapter, base)) {
        bool qlora = adapter->method == GP_ADAPTER_QLORA;
        adapter->base = qlora ? (int)GP_FORMAT_NF4 : workload->model.weights.format;
        gp_origin_derive(&adapter->meta, offsetof(gp_adapter, base));
    }
    if (workload->type == GP_WORKLOAD_LORA)
        derive_weights(&workload->precision, adapter->base);
}

/* ---- groups and layout ----------------------------------------------------------------------- */

/* Of reinforcement learning only where one is stated. */
static bool has_adapter(const gp_workload *workload) {
    return workload->type == GP_WORKLOAD_LORA ||
           (workload->type == GP_WORKLOAD_RL && GP_GIVEN(workload, gp_workload, adapter));
}

/* Defaults of a group count for the types that use it, written or not. */
static void fill_groups(gp_resolver *r, gp_workload *workload) {
    if (trains(workload)) {
        gp_defaults_fill(r->arena, r->diags, &workload->data);
        gp_defaults_fill(r->arena, r->diags, &workload->checkpoint);
    } else {
        gp_defaults_fill(r->arena, r->diags, &workload->traffic);
        gp_defaults_fill(r->arena, r->diags, &workload->scaling);
    }
    if (has_adapter(workload))
        gp_defaults_fill(r->arena, r->diags, &workload->adapter);
}

static bool has_degree(const gp_parallelism *p) {
    return p->tp || p->pp || p->vpp || p->dp || p->cp || p->ep || p->shard_group ||
           p->micro_batch || GP_GIVEN(p, gp_parallelism, zero);
}

static void default_words(gp_workload *workload) {
    gp_parallelism *parallelism = &workload->parallelism;
    if (!parallelism->mode && has_degree(parallelism)) {
        parallelism->mode = "explicit";
        gp_origin_derive(&parallelism->meta, offsetof(gp_parallelism, mode));
    } else if (!parallelism->mode) {
        parallelism->mode = "auto";
        mark_default(&parallelism->meta, offsetof(gp_parallelism, mode));
    }
    if (!GP_GIVEN(&workload->placement, gp_placement, exclusive)) {
        workload->placement.exclusive = trains(workload) && workload->type != GP_WORKLOAD_LORA;
        mark_default(&workload->placement.meta, offsetof(gp_placement, exclusive));
    }
    if (workload->type != GP_WORKLOAD_INFERENCE)
        return;
    if (!workload->disaggregated) {
        workload->disaggregated = "auto";
        mark_default(&workload->meta, offsetof(gp_workload, disaggregated));
    }
    gp_profile *profile = &workload->traffic.profile;
    if (!profile->name && !profile->trace && profile->hourly.count == 0) {
        profile->name = "flat";
        mark_default(&profile->meta, offsetof(gp_profile, name));
    }
}

static void derive_traffic(gp_traffic *traffic) {
    gp_distribution *lengths[] = {&traffic->input_tokens, &traffic->output_tokens,
                                  &traffic->thought_tokens};
    for (size_t i = 0; i < GP_COUNT_OF(lengths); i++)
        gp_mean_derive(lengths[i]);
}

/* An encoder writes nothing, whether that is said or not. */
static void derive_output(gp_workload *workload) {
    gp_distribution *output = &workload->traffic.output_tokens;
    if (workload->model.bidirectional && !trains(workload) &&
        !GP_GIVEN(output, gp_distribution, mean)) {
        output->mean = 0;
        gp_origin_derive(&output->meta, offsetof(gp_distribution, mean));
    }
}

static void derive_data(gp_data *data) {
    if (!GP_GIVEN(data, gp_data, tokens) && data->samples > 0 && data->tokens_per_sample > 0) {
        data->tokens = data->samples * data->tokens_per_sample;
        gp_origin_derive(&data->meta, offsetof(gp_data, tokens));
    }
    if (GP_GIVEN(data, gp_data, global_batch_range) && !GP_GIVEN(data, gp_data, global_batch)) {
        data->global_batch = (data->global_batch_range.min + data->global_batch_range.max) / 2;
        gp_origin_derive(&data->meta, offsetof(gp_data, global_batch));
    }
}

/* Sequence length and tokens per step where the spec is silent: usual choices of each kind of
 * training, listed among the assumptions of the report. */
static const struct {
    double sequence_length, global_batch;
} data_defaults[GP_WORKLOAD_TYPE_COUNT] = {
    [GP_WORKLOAD_TRAINING] = {8192, 4194304},
    [GP_WORKLOAD_FINETUNE] = {4096, 524288},
    [GP_WORKLOAD_LORA] = {2048, 131072},
};

/* Sizes that nobody states, where the count of tokens hangs on them. */
static void default_images(gp_workload *workload) {
    enum { EDGE = 1024, WIDTH = 1280, HEIGHT = 720 };
    gp_images *images = &workload->traffic.images, *videos = &workload->traffic.videos;
    const gp_vision *vision = &workload->model.vision;
    if (vision->processor.rule == GP_IMAGE_NONE || vision->processor.rule == GP_IMAGE_FIXED)
        return;
    if (images->per_request > 0 && images->edge <= 0 && images->width <= 0) {
        images->edge = EDGE;
        mark_default(&images->meta, offsetof(gp_images, edge));
    }
    if (videos->per_request > 0 && videos->width <= 0 && videos->height <= 0) {
        videos->width = WIDTH;
        videos->height = HEIGHT;
        mark_default(&videos->meta, offsetof(gp_images, width));
        mark_default(&videos->meta, offsetof(gp_images, height));
    }
}

static void default_data(gp_workload *workload) {
    gp_data *data = &workload->data;
    if (!trains(workload))
        return;
    /* Pre-training that is gone on with is pre-training. */
    int type = workload->method.kind == GP_METHOD_CONTINUED ? GP_WORKLOAD_TRAINING : workload->type;
    if (!GP_GIVEN(data, gp_data, sequence_length)) {
        data->sequence_length = data_defaults[type].sequence_length;
        mark_default(&data->meta, offsetof(gp_data, sequence_length));
    }
    if (!GP_GIVEN(data, gp_data, global_batch)) {
        double wanted = data_defaults[type].global_batch;
        data->global_batch = gp_num_max(wanted, data->sequence_length);
        mark_default(&data->meta, offsetof(gp_data, global_batch));
    }
}

/* ---- references ------------------------------------------------------------------------------ */

/* Frameworks that people train with and that no row measures: taken by name, with no release, no
 * factor and no rules of their own. */
static const char *const other_frameworks[] = {
    "colossalai",      "composer", "fairseq",   "gigatron",     "gpt-neox",
    "internevo",       "jax",      "levanter",  "lightning",    "megatron-core",
    "mesh-tensorflow", "metaseq",  "mindspore", "mosaicml",     "nanotron",
    "olmo-core",       "pathways", "t5x",       "t5x/pathways",
};

static bool is_other_framework(const char *name) {
    for (size_t i = 0; i < GP_COUNT_OF(other_frameworks); i++)
        if (gp_str_equal_nocase(other_frameworks[i], name))
            return true;
    return false;
}

/* What the rows of a role say of a name. */
typedef struct stack_search {
    bool named, released;
    const char *near_name, *near_release;
} stack_search;

static gp_status find_stack(gp_resolver *r, const char *name, const char *release, int role,
                            stack_search *ret) {
    const void *const *rows = NULL;
    size_t count = 0;
    *ret = (stack_search){.named = false};
    gp_status st = name ? gp_catalog_rows(r->catalog, GP_CATALOG_STACKS, &rows, &count) : GP_OK;
    for (size_t i = 0; !st && i < count; i++) {
        const gp_stack *stack = rows[i];
        if (stack->role != role || !stack->name)
            continue;
        if (!gp_str_equal_nocase(stack->name, name)) {
            bool near = gp_str_distance(name, strlen(name), stack->name) >= 0;
            ret->near_name = near ? stack->name : ret->near_name;
            continue;
        }
        ret->named = true;
        ret->released = ret->released || (release && gp_str_equal(stack->release, release));
        /* Rows stand in the order of their releases: the last one not near is the newest. */
        bool near = release && gp_str_distance(release, strlen(release), stack->release) >= 0;
        ret->near_release = near || !ret->near_release ? stack->release : ret->near_release;
    }
    return st;
}

/* A framework or engine that some stack row of its role has for a name. */
static void check_stack(gp_resolver *r, const stack_search *found, const char *name, int role,
                        gp_span span, bool *ret_ok) {
    bool other = name && role == GP_STACK_TRAINING && is_other_framework(name);
    if (!name || found->named || other)
        return;
    *ret_ok = false;
    gp_diags_error(r->diags, GP_ID_UNKNOWN_REFERENCE, span,
                   "a name from `gpuplan catalog list stacks`", found->near_name,
                   "the catalogue has no %s stack \"%s\"", gp_stack_role_words[role],
                   gp_shown(r->arena, name, strlen(name)));
}

static gp_status check_stacks(gp_resolver *r, const gp_workload *workload, bool *ret_ok) {
    const gp_software *software = &workload->software;
    const int role = (int)gp_engine_role(&workload->model);
    stack_search framework, engine;
    gp_status st = find_stack(r, software->framework, NULL, GP_STACK_TRAINING, &framework);
    st = st ? st : find_stack(r, software->engine, NULL, role, &engine);
    if (!st) {
        check_stack(r, &framework, software->framework, GP_STACK_TRAINING,
                    GP_PLACE(software, gp_software, framework), ret_ok);
        check_stack(r, &engine, software->engine, role, GP_PLACE(software, gp_software, engine),
                    ret_ok);
    }
    return st;
}

/* The release is one of what the workload runs on; one for two at once is refused elsewhere. */
static gp_status check_release(gp_resolver *r, const gp_workload *workload, bool *ret_ok) {
    const gp_software *software = &workload->software;
    stack_search found;
    const char *release = software->release;
    const char *name = software->framework ? software->framework : software->engine;
    int role = software->framework ? (int)GP_STACK_TRAINING : (int)gp_engine_role(&workload->model);
    gp_status st = find_stack(r, name, release, role, &found);
    bool both = software->framework && software->engine;
    if (st || !release || both || found.released || (name && !found.named))
        return st;
    *ret_ok = false;
    gp_span span = GP_PLACE(software, gp_software, release);
    const char *shown = gp_shown(r->arena, release, strlen(release));
    if (name) {
        gp_diags_error(r->diags, GP_ID_UNKNOWN_REFERENCE, span,
                       "a release from `gpuplan catalog list stacks`", found.near_release,
                       "the catalogue has no release \"%s\" of %s", shown, name);
    } else {
        gp_diags_error(r->diags, GP_ID_UNKNOWN_REFERENCE, span, "a framework or engine with it",
                       NULL, "a release \"%s\" without a framework or engine", shown);
    }
    return st;
}

static void check_pool_name(gp_resolver *r, const char *name, gp_span span) {
    const char *nearest = NULL;
    for (size_t i = 0; name && i < r->spec->cluster.pools.count; i++) {
        const char *pool = r->spec->cluster.pools.items[i].name;
        if (!pool || gp_str_equal(pool, name)) {
            return; /* a pool whose name was refused may be the one */
        }
        nearest = gp_str_distance(name, strlen(name), pool) >= 0 ? pool : nearest;
    }
    if (name)
        gp_diags_error(r->diags, GP_ID_UNKNOWN_LOCAL, span,
                       "the name of a pool in spec.cluster.pools", nearest, "no pool \"%s\"",
                       gp_shown(r->arena, name, strlen(name)));
}

static void check_pool_names(gp_resolver *r, const gp_placement *placement) {
    check_pool_name(r, placement->pool, GP_PLACE(placement, gp_placement, pool));
    for (size_t i = 0; i < placement->shares.count; i++) {
        const gp_share *share = &placement->shares.items[i];
        check_pool_name(r, share->pool, GP_PLACE(share, gp_share, pool));
    }
}

gp_status gp_resolve_workload(gp_resolver *r, gp_workload *workload, bool *ret_ok) {
    const bool seats = workload->type == GP_WORKLOAD_SEATS;
    gp_status st = seats ? GP_OK : gp_resolve_model(r, workload->name, &workload->model, ret_ok);
    if (!st)
        st = check_stacks(r, workload, ret_ok);
    check_pool_names(r, &workload->placement);
    gp_check_site_names(r, workload);
    gp_check_team_name(r, workload);
    if (st)
        return st;
    fill_groups(r, workload);
    inherit_software(workload, &r->spec->defaults.software);
    st = check_release(r, workload, ret_ok);
    if (st)
        return st;
    if (workload->type == GP_WORKLOAD_RL) {
        st = gp_resolve_rl(r, workload, ret_ok);
    } else if (seats) {
        gp_resolve_seats(r, workload);
    } else if (GP_GIVEN(&workload->method, gp_method, teacher)) {
        st = gp_resolve_model(r, "teacher", &workload->method.teacher, ret_ok);
    }
    if (st)
        return st;
    derive_data(&workload->data);
    derive_traffic(&workload->traffic);
    if (workload->type == GP_WORKLOAD_INFERENCE && GP_GIVEN(workload, gp_workload, traffic))
        gp_derive_kind(workload);
    derive_output(workload);
    default_data(workload);
    default_images(workload);
    default_words(workload);
    if (workload->type == GP_WORKLOAD_INFERENCE) {
        /* A narrow precision that the plan asks of all is as good as the workload's own word. */
        if (r->spec->defaults.precision >= (int)GP_PRECISION_FP8)
            inherit_precision(workload, &r->spec->defaults);
        derive_serving(workload);
    } else if (has_adapter(workload)) {
        derive_adapter(workload);
    }
    if (trains(workload) && workload->type != GP_WORKLOAD_LORA)
        derive_weights(&workload->precision, GP_FORMAT_BF16);
    inherit_precision(workload, &r->spec->defaults);
    gp_defaults_fill(r->arena, r->diags, workload);
    return GP_OK;
}
