/* Configurations of published models against the rows of the built-in catalogue, which were made
 * from the same files by hand: shape, share and format of the weights. What cannot be read must be
 * refused with a reason. A folder of further configurations may be given as argument. */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "estimate/estimate.h"
#include "import/import.h"

#include "base/str.h"
#include "catalog/words.h"

static const char *folder = "tests/samples/hf";
static bool told; /* print a line for each model */

typedef struct import_case {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    gp_constants constants;
} import_case;

static int set_up(void **state) {
    import_case *c = calloc(1, sizeof *c);
    c->arena = gp_arena_new((size_t)1 << 30);
    gp_diags_init(&c->diags, c->arena);
    assert_int_equal(gp_catalog_open(c->arena, &c->diags, &c->catalog), GP_OK);
    assert_int_equal(gp_constants_load(c->catalog, &c->diags, &c->constants), GP_OK);
    *state = c;
    return 0;
}

static int tear_down(void **state) {
    import_case *c = *state;
    gp_arena_free(c->arena);
    free(c);
    return 0;
}

static const gp_text *text_of(import_case *c, const char *name, const char *data) {
    gp_text *text = NULL;
    assert_int_equal(gp_text_init(c->arena, name, data, strlen(data), &text), GP_OK);
    return text;
}

/* The file of the folder, or NULL. */
static const gp_text *file_of(import_case *c, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *data = gp_arena_alloc(c->arena, 1u << 20, 1);
    size_t len = fread(data, 1, (1u << 20) - 1, file);
    data[len] = '\0';
    fclose(file);
    return text_of(c, gp_arena_strndup(c->arena, name, strlen(name)), data);
}

static const char *messages(import_case *c) {
    const char *all = "";
    for (size_t i = 0; i < c->diags.count; i++) {
        const char *one = NULL;
        assert_int_equal(gp_diag_format(c->arena, &c->diags.items[i], &one), GP_OK);
        all = gp_arena_printf(c->arena, "%s%s", all, one);
    }
    return all;
}

static gp_status import_text(import_case *c, const char *config, const char *quantization,
                             const char *index, gp_import_model *ret) {
    gp_import_model_input input = {.name = "org/Name",
                                   .source = "a test",
                                   .date = "2027-01-02",
                                   .config = text_of(c, "config.json", config)};
    input.quantization = quantization ? text_of(c, "hf_quant_config.json", quantization) : NULL;
    input.index = index ? text_of(c, "model.safetensors.index.json", index) : NULL;
    gp_diags_init(&c->diags, c->arena);
    return gp_import_model_read(c->arena, &input, &c->diags, ret);
}

/* ---- against the catalogue */

static bool near_to(double a, double b, double share) {
    return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

static void assert_same(const char *name, const char *what, double imported, double row,
                        double share) {
    if (near_to(imported, row, share)) {
        return;
    }
    if (told) {
        printf("%s: %s is %.10g imported and %.10g in the catalogue\n", name, what, imported, row);
    } else {
        fail_msg("%s: %s is %.10g imported and %.10g in the catalogue", name, what, imported, row);
    }
}

static void compare_shapes(import_case *c, const char *name, const gp_model *imported,
                           const gp_model *row) {
    gp_shape a, b;
    assert_int_equal(gp_shape_derive(imported, &c->constants, NULL, &a), GP_OK);
    assert_int_equal(gp_shape_derive(row, &c->constants, NULL, &b), GP_OK);
    bool vision = (imported->vision.layers > 0) == (row->vision.layers > 0);
#define SAME(member) assert_same(name, #member, a.member, b.member, 1e-12)
    SAME(layers);
    SAME(hidden);
    SAME(heads);
    SAME(head_dim);
    SAME(vocab);
    SAME(attention_layers);
    SAME(window_layers);
    SAME(window_tokens);
    SAME(mamba_layers);
    SAME(linear_layers);
    SAME(dense_layers);
    SAME(moe_layers);
    SAME(experts);
    SAME(top_k);
    SAME(active_parameters);
    SAME(attention_parameters);
    SAME(dense_mlp_parameters);
    SAME(expert_parameters);
    SAME(norm_parameters);
    SAME(kv_elements);
    SAME(window_kv_elements);
    SAME(state_bytes);
    SAME(context_limit);
    SAME(index_width);
    if (vision) {
        SAME(parameters);
        SAME(vision_parameters);
    }
#undef SAME
    assert_same(name, "context", (double)imported->context, (double)row->context, 0);
    assert_same(name, "mtp", (double)imported->mtp, (double)row->mtp, 0);
    assert_same(name, "positions", (double)imported->positions, (double)row->positions, 0);
}

static void compare_weights(const char *name, const gp_model *imported, const gp_model *row) {
    const gp_weights *a = &imported->weights, *b = &row->weights;
    assert_same(name, "weights.format", a->format, b->format, 0);
    if (b->quantized_fraction > 0) {
        assert_same(name, "quantizedFraction", a->quantized_fraction, b->quantized_fraction, 0.002);
    }
}

static void check_model(import_case *c, const char *name, const char *stem) {
    gp_import_model model;
    const void *row = NULL;
    gp_import_model_input input = {
        .name = name,
        .source = "a test",
        .date = "2027-01-02",
        .config = file_of(c, gp_arena_printf(c->arena, "%s_config.json", stem)),
        .quantization = file_of(c, gp_arena_printf(c->arena, "%s_hf_quant_config.json", stem)),
    };
    gp_diags_init(&c->diags, c->arena);
    if (gp_import_model_read(c->arena, &input, &c->diags, &model) != GP_OK) {
        fail_msg("%s is refused:\n%s", name, messages(c));
    }
    if (gp_catalog_find(c->catalog, GP_CATALOG_MODELS, name, &row, NULL, NULL) != GP_OK) {
        fail_msg("the catalogue has no %s", name);
    }
    compare_shapes(c, name, model.model, row);
    compare_weights(name, model.model, row);
    if (told) {
        const gp_weights *weights = &model.model->weights;
        printf("| %s | `%s` | %.4g B | %s", name, model.architecture, model.parameters / 1e9,
               gp_format_words[weights->format]);
        if (weights->quantized_fraction > 0) {
            printf(" %.1f %%", 100 * weights->quantized_fraction);
        }
        printf("%s |", weights->kv_cache == GP_FORMAT_FP8 ? ", KV fp8" : "");
        for (size_t i = 0; i < model.notes.count; i++) {
            printf(" %s", model.notes.items[i]);
        }
        printf(" |\n");
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_published_configurations(void **state) {
    static const char suffix[] = "_config.json", other[] = "_hf_quant_config.json";
    import_case *c = *state;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    char *names[512];
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (gp_str_ends(entry->d_name, suffix) && !gp_str_ends(entry->d_name, other)) {
            assert_true(count < 512);
            names[count++] = gp_arena_strndup(c->arena, entry->d_name, strlen(entry->d_name));
        }
    }
    closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        char *stem = names[i];
        stem[strlen(stem) - strlen(suffix)] = '\0';
        char *dashes = strstr(stem, "--");
        assert_non_null(dashes);
        check_model(c, gp_arena_printf(c->arena, "%.*s/%s", (int)(dashes - stem), stem, dashes + 2),
                    stem);
    }
    assert_true(count >= 20);
}

/* ---- small configurations */

#define SMALL                                                                                      \
    "\"hidden_size\":1024,\"num_hidden_layers\":8,\"num_attention_heads\":8,"                      \
    "\"num_key_value_heads\":2,\"intermediate_size\":4096,\"vocab_size\":32000,"

static void test_infinity_and_size(void **state) {
    import_case *c = *state;
    gp_import_model model;
    const char *config = "{\"model_type\":\"llama\"," SMALL
                         "\"time_step_limit\":[0.0,Infinity],\"tie_word_embeddings\":true}";
    assert_int_equal(import_text(c, config, NULL, NULL, &model), GP_OK);
    double bytes = 2 * model.parameters;
    assert_true(near_to(model.expected_bytes, bytes, 1e-9));
    assert_int_equal(model.notes.count, 0);
    const char *index = gp_arena_printf(
        c->arena, "{\"metadata\":{\"total_size\":%lld},\"weight_map\":{\"a\":\"b\"}}",
        (long long)bytes + 1000);
    assert_int_equal(import_text(c, config, NULL, index, &model), GP_OK);
    assert_int_equal(model.notes.count, 0);
    assert_true(near_to(model.model->weights.bytes, bytes + 1000, 1e-12));
    index =
        gp_arena_printf(c->arena, "{\"metadata\":{\"total_size\":%lld}}", (long long)(bytes * 0.9));
    assert_int_equal(import_text(c, config, NULL, index, &model), GP_OK);
    assert_int_equal(model.notes.count, 1);
    assert_non_null(strstr(model.notes.items[0], "11.1 % above the published"));
    assert_non_null(strstr(model.document, "11.1 % above the published"));
}

static void test_formats(void **state) {
    import_case *c = *state;
    const struct {
        const char *quantization;
        gp_format format;
    } rows[] = {
        {"{\"quant_method\":\"gptq\",\"bits\":4}", GP_FORMAT_INT4},
        {"{\"quant_method\":\"awq\",\"bits\":4}", GP_FORMAT_INT4},
        {"{\"quant_method\":\"bitsandbytes\",\"load_in_4bit\":true}", GP_FORMAT_NF4},
        {"{\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"g\":{\"weights\":"
         "{\"num_bits\":8,\"type\":\"int\"}}},\"ignore\":[\"lm_head\"]}",
         GP_FORMAT_INT8},
        {"{\"quant_method\":\"fp8\"}", GP_FORMAT_FP8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gp_import_model model;
        const char *config = gp_arena_printf(
            c->arena, "{\"model_type\":\"llama\"," SMALL "\"quantization_config\":%s}",
            rows[i].quantization);
        if (import_text(c, config, NULL, NULL, &model) != GP_OK) {
            fail_msg("%s", messages(c));
        }
        assert_int_equal(model.model->weights.format, rows[i].format);
        assert_true(model.model->weights.quantized_fraction > 0.5);
        assert_true(model.expected_bytes < 2 * model.parameters);
    }
}

static void test_refused(void **state) {
    import_case *c = *state;
    const struct {
        const char *config, *id, *says;
    } rows[] = {
        {"{\"model_type\":\"mamba9\"," SMALL "\"a\":1}", "GP1013",
         "write the model out under model:"},
        {"{" SMALL "\"a\":1}", "GP1009", "model_type"},
        {"{\"model_type\":\"lama\"," SMALL "\"a\":1}", "GP1013", "nearest: llama"},
        {"{\"model_type\":\"llama\",\"hidden_size\":64}", "GP1009", "num_hidden_layers"},
        {"{\"model_type\":\"llama\"," SMALL "\"head_dim\":-1}", "GP1004", "whole number"},
        {"{\"model_type\":\"llama\"," SMALL "\"head_dim\":1e9}", "GP1012", "larger than"},
        {"{\"model_type\":\"llama\"," SMALL "\"head_dim\":\"12\"}", "GP1004", "whole number"},
        {"{\"model_type\":\"qwen3_moe\"," SMALL "\"num_experts\":8}", "GP1009",
         "num_experts_per_tok"},
        {"{\"model_type\":\"gemma4_text\"," SMALL "\"num_kv_shared_layers\":2}", "GP1019",
         "share the keys"},
        {"{\"model_type\":\"llama\"," SMALL "\"quantization_config\":{\"quant_method\":\"x\"}}",
         "GP1019", "quantized in a way"},
        {"{\"model_type\":\"nemotron_h\"," SMALL "\"hybrid_override_pattern\":\"MXM\"}", "GP1019",
         "order of its layers"},
        {"{\"model_type\":\"nemotron-nas\"," SMALL "\"block_configs\":[1]}", "GP1019",
         "every layer"},
        {"{\"model_type\":\"llama\"," SMALL "\"vision_config\":{\"size\":1}}", "GP1019",
         "vision tower"},
        {"{\"model_type\":\"deepseek_v3\"," SMALL "\"moe_layer_freq\":[0,1,0],"
         "\"n_routed_experts\":8,\"num_experts_per_tok\":2,\"moe_intermediate_size\":64}",
         "GP1019", "between layers"},
        {"[1]", "GP1004", "no JSON object"},
        {"<html>", "GP1001", "JSON syntax"},
        {"", "GP1007", "empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        gp_import_model model;
        gp_status st = import_text(c, rows[i].config, NULL, NULL, &model);
        const char *all = messages(c);
        if (st != GP_ERR_INPUT || !strstr(all, rows[i].id) || !strstr(all, rows[i].says)) {
            fail_msg("%s: status %d, %s", rows[i].config, st, all);
        }
    }
}

/* A name is only ever text: in the row it cannot become a key or another document. */
static void test_hostile_name(void **state) {
    import_case *c = *state;
    gp_import_model model;
    gp_import_model_input input = {
        .name = "a: b\n---\nkind: \"x\" # \x1b[31m",
        .source = "}\n- *x",
        .date = "2027-01-02",
        .config = text_of(c, "config.json", "{\"model_type\":\"llama\"," SMALL "\"a\":1}"),
    };
    gp_diags_init(&c->diags, c->arena);
    assert_int_equal(gp_import_model_read(c->arena, &input, &c->diags, &model), GP_OK);
    assert_string_equal(model.model->aliases.items[0], input.name);
    assert_string_equal(model.model->source, input.source);
    assert_null(strchr(model.document, 27));
}

/* Every byte cut off and every byte changed is read or refused, never worse. */
static void test_damaged(void **state) {
    import_case *c = *state;
    static const char config[] = "{\"model_type\":\"llama\"," SMALL
                                 "\"quantization_config\":{\"quant_method\":\"fp8\",\"ignore\":"
                                 "[\"model.layers.3.mlp*\",\"lm_head\"]}}";
    for (size_t i = 0; i < sizeof config - 1; i++) {
        gp_import_model model;
        char copy[sizeof config];
        gp_arena_mark mark = gp_arena_set_mark(c->arena);
        memcpy(copy, config, sizeof config);
        copy[i] = i % 3 == 0 ? '9' : i % 3 == 1 ? '[' : '\0';
        (void)import_text(c, gp_arena_strndup(c->arena, copy, strlen(copy)), NULL, NULL, &model);
        gp_arena_release(c->arena, mark);
    }
}

static void test_families_are_listed(void **state) {
    import_case *c = *state;
    for (size_t i = 0; gp_import_architectures[i]; i++) {
        gp_import_model model;
        const char *config =
            gp_arena_printf(c->arena, "{\"model_type\":\"%s\"}", gp_import_architectures[i]);
        assert_true(import_text(c, config, NULL, NULL, &model) == GP_ERR_INPUT);
        assert_null(strstr(messages(c), "is not known"));
        assert_true(i == 0 ||
                    strcmp(gp_import_architectures[i - 1], gp_import_architectures[i]) < 0);
    }
}

int main(int argc, char **argv) {
    if (argc > 1) {
        folder = argv[1];
        told = true;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_published_configurations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_infinity_and_size, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_formats, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_families_are_listed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
