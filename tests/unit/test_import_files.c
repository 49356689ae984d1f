/* Readers of machines and prices, and locks: what is damaged, cut short or hostile is refused or
 * read, with any amount of memory; what is written reads back as the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "import/import.h"
#include "model/lock.h"

typedef struct file_case {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
} file_case;

static void case_open(file_case *c) {
    c->arena = gp_arena_new((size_t)256 << 20);
    assert_non_null(c->arena);
    gp_diags_init(&c->diags, c->arena);
    gp_catalog_open(c->arena, &c->diags, &c->catalog);
}

static const char *messages(file_case *c) {
    const char *all = "";
    for (size_t i = 0; i < c->diags.count; i++) {
        const char *one = NULL;
        assert_int_equal(gp_diag_format(c->arena, &c->diags.items[i], &one), GP_OK);
        all = gp_arena_printf(c->arena, "%s%s", all, one);
    }
    return all;
}

static size_t read_file(const char *path, char *data, size_t room) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(data, 1, room - 1, file);
    data[len] = '\0';
    fclose(file);
    return len;
}

/* ---- the readers in one form: a text in, a status out */

typedef gp_status read_text(file_case *c, const gp_text *text);

static const char *gpu_words[] = {"h100=h100-sxm"};

static gp_status read_hwloc(file_case *c, const gp_text *text) {
    gp_import_pools pools;
    gp_import_pool_options options = {.gpus = {1, gpu_words}};
    return gp_import_hwloc_read(c->arena, text, c->catalog, &options, &c->diags, &pools);
}

static gp_status read_slurm(file_case *c, const gp_text *text) {
    gp_import_pools pools;
    gp_import_pool_options options = {.gpus = {1, gpu_words}};
    return gp_import_slurm_read(c->arena, text, c->catalog, &options, &c->diags, &pools);
}

static gp_status finish_book(gp_price_book *book) {
    gp_price_list list;
    gp_status st = gp_price_book_finish(book, "list", "a test", "2027-01-02", &list);
    return st == GP_ERR_NOT_FOUND ? GP_OK : st;
}

static gp_status read_azure(file_case *c, const gp_text *text) {
    gp_price_options options = {.provider = "azure", .region = "eastus", .tier = -1};
    gp_price_book *book = NULL;
    const char *next = NULL;
    gp_status st = gp_price_book_new(c->arena, c->catalog, &options, &book);
    if (st == GP_OK) {
        st = gp_price_azure_add(book, text, &c->diags, &next);
    }
    return st == GP_OK ? finish_book(book) : st;
}

static gp_status read_skypilot(file_case *c, const gp_text *text) {
    gp_price_options options = {.provider = "aws", .region = "us-east-1", .tier = -1};
    gp_price_book *book = NULL;
    gp_status st = gp_price_book_new(c->arena, c->catalog, &options, &book);
    if (st == GP_OK) {
        st = gp_price_skypilot_add(book, text, &c->diags);
    }
    return st == GP_OK ? finish_book(book) : st;
}

static gp_status read_lock(file_case *c, const gp_text *text) {
    gp_lock *lock = NULL;
    gp_status st = gp_lock_read(c->arena, text, &c->diags, &lock);
    if (st == GP_OK) {
        gp_catalog_add_lock(c->catalog, lock);
    }
    return st;
}

static const struct {
    const char *path;
    read_text *read;
} readers[] = {
    {"tests/samples/machines/lstopo.xml", read_hwloc},
    {"tests/samples/machines/gres.conf", read_slurm},
    {"tests/samples/machines/nodes.txt", read_slurm},
    {"tests/samples/prices/azure_1.json", read_azure},
    {"tests/samples/prices/vms.csv", read_skypilot},
    {"tests/samples/lock/gpuplan.lock", read_lock},
};
enum { READERS = sizeof readers / sizeof readers[0], ROOM = 64 * 1024 };

static gp_status run_reader(size_t index, const char *data, size_t len) {
    file_case c;
    gp_text *text = NULL;
    case_open(&c);
    gp_status st = gp_text_init(c.arena, "file", data, len, &text);
    if (st == GP_OK) {
        st = readers[index].read(&c, text);
    }
    bool told = c.diags.errors > 0 || st != GP_ERR_INPUT;
    gp_arena_free(c.arena);
    assert_true(told);
    return st;
}

static void test_samples_are_read(void **state) {
    (void)state;
    char data[ROOM];
    for (size_t i = 0; i < READERS; i++) {
        size_t len = read_file(readers[i].path, data, sizeof data);
        if (run_reader(i, data, len) != GP_OK) {
            fail_msg("%s is refused", readers[i].path);
        }
    }
}

static void test_damage(void **state) {
    (void)state;
    char data[ROOM], copy[ROOM];
    static const char bad[] = {'<', '[', '=', '"', '9', '{', ' '};
    for (size_t i = 0; i < READERS; i++) {
        size_t len = read_file(readers[i].path, data, sizeof data);
        for (size_t at = 0; at < len; at += 1 + len / 60) {
            memcpy(copy, data, at);
            copy[at] = '\0';
            gp_status cut = run_reader(i, copy, at);
            memcpy(copy, data, len + 1);
            copy[at] = bad[at % sizeof bad];
            gp_status changed = run_reader(i, copy, len);
            assert_true(cut == GP_OK || cut == GP_ERR_INPUT);
            assert_true(changed == GP_OK || changed == GP_ERR_INPUT);
        }
    }
}

/* ---- machines */

static void slurm_says(const char *text, const char *wanted) {
    file_case c;
    gp_text *source = NULL;
    gp_import_pools pools;
    gp_import_pool_options options = {.gpus = {1, gpu_words}};
    case_open(&c);
    assert_int_equal(gp_text_init(c.arena, "gres.conf", text, strlen(text), &source), GP_OK);
    gp_status st = gp_import_slurm_read(c.arena, source, c.catalog, &options, &c.diags, &pools);
    const char *told = st == GP_OK ? pools.fragment : messages(&c);
    if (strstr(told, wanted) == NULL) {
        fail_msg("%s: %s, wanted %s", text, told, wanted);
    }
    gp_arena_free(c.arena);
}

static void test_slurm_lists(void **state) {
    (void)state;
    slurm_says("NodeName=a[1-3]b[01-04] Name=gpu Type=h100 Count=8", "count: 12");
    slurm_says("NodeName=a,b,c[5,7-9] Name=gpu Type=l40s File=/dev/nvidia[0-3]", "count: 6");
    slurm_says("NodeName=a Name=gpu Type=l40s File=/dev/nvidia[0-1],/dev/nvidia5", "gpus: 3");
    slurm_says("Name=gpu Type=l40s Count=2", "count: 1");
    slurm_says("NodeName=a[1-999999999999] Name=gpu Type=h100 Count=8", "no list of hosts");
    slurm_says("NodeName=a[9-1] Name=gpu Type=h100 Count=8", "no list of hosts");
    slurm_says("NodeName=a[1 Name=gpu Type=h100 Count=8", "no list of hosts");
    slurm_says("NodeName=a Name=gpu Type=h100 Count=99999", "how many GPUs");
    slurm_says("NodeName=a Name=gpu Type=h100 Count=4\nNodeName=a Name=gpu Type=l40s Count=4",
               "several kinds");
    slurm_says("NodeName=a Name=gpu Type=quantum Count=4", "no GPU \"quantum\"");
    slurm_says("AutoDetect=nvml", "no machine with GPUs");
    slurm_says("NodeName=a Gres=gpu:h100:8 State=IDLE\nNodeName=b Gres=gpu:h100:8(S:0)",
               "count: 2");
}

/* ---- locks */

static const char row[] = "id: a/b\naliases: [A/B]\nlayers: 2\nhidden: 64\nheads: 4\nffn: 256\n"
                          "vocab: 1000\nsource: s\ndate: 2027-01-02\nevidence: datasheet\n";

static gp_text *put(file_case *c, const gp_text *old, const char *name, const char *kind,
                    const char *payload) {
    const gp_lock_source source = {
        .url = "https://host/a b?x=\"1\"", .etag = "W/\"x\"", .sha256 = "00", .bytes = 7};
    const gp_lock_new entry = {.name = name,
                               .date = "2027-01-02",
                               .revision = "main",
                               .sources = &source,
                               .source_count = 1,
                               .kind = kind,
                               .payload = payload};
    const char *data = NULL;
    gp_text *text = NULL;
    assert_int_equal(gp_lock_put(c->arena, old, &entry, &c->diags, &data), GP_OK);
    assert_int_equal(gp_text_init(c->arena, "gpuplan.lock", data, strlen(data), &text), GP_OK);
    return text;
}

static void test_lock_round_trip(void **state) {
    (void)state;
    file_case c;
    gp_lock *lock = NULL;
    case_open(&c);
    gp_text *text = put(&c, NULL, "hf:Z/z", "model", row);
    text = put(&c, text, "list", "prices",
               "currency: EUR\nitems:\n  - {item: \"cloud:x\", price: 2.5 EUR/h}\n");
    text = put(&c, text, "hf:A/B", "model", row);
    const gp_text *before = text;
    text = put(&c, text, "hf:a/b", "model", row); /* the same name in other letters: replaced */
    assert_int_equal(gp_lock_read(c.arena, text, &c.diags, &lock), GP_OK);
    assert_int_equal(lock->entries.count, 3);
    assert_string_equal(lock->entries.items[0].name, "hf:Z/z");
    assert_string_equal(lock->entries.items[1].name, "hf:a/b");
    assert_null(gp_lock_broken(lock));
    const gp_lock_entry *entry = gp_lock_find(lock, "hf:A/b");
    assert_non_null(entry);
    assert_true(gp_lock_is_model(entry) && !gp_lock_is_prices(entry));
    assert_string_equal(entry->sources.items[0].url, "https://host/a b?x=\"1\"");
    assert_string_equal(entry->sources.items[0].etag, "W/\"x\"");
    assert_int_equal(entry->sources.items[0].bytes, 7);
    assert_true(gp_lock_is_prices(gp_lock_find(lock, "list")));
    /* Writing what is there changes nothing. */
    const gp_text *again = put(&c, text, "hf:a/b", "model", row);
    assert_string_equal(again->data, text->data);
    assert_true(before->len == text->len);
    gp_arena_free(c.arena);
}

static void test_lock_before_rows(void **state) {
    (void)state;
    file_case c;
    gp_lock *lock = NULL;
    const void *found = NULL;
    case_open(&c);
    const gp_text *text = put(&c, NULL, "hf:Qwen/Qwen3-8B", "model", row);
    assert_int_equal(gp_lock_read(c.arena, text, &c.diags, &lock), GP_OK);
    gp_catalog_add_lock(c.catalog, lock);
    assert_int_equal(
        gp_catalog_find(c.catalog, GP_CATALOG_MODELS, "hf:qwen/qwen3-8b", &found, NULL, NULL),
        GP_OK);
    const gp_model *model = found;
    assert_int_equal(model->layers, 2);
    assert_int_equal(model->head_dim, 16);
    assert_true(model->gated);
    assert_int_equal(GP_ORIGIN_OF(model, gp_model, layers)->kind, GP_ORIGIN_CATALOG);
    assert_string_equal(GP_ORIGIN_OF(model, gp_model, layers)->source, "s");
    assert_null(gp_catalog_unlocked_name(c.catalog));
    /* Without hf: it is the built-in row, and a name of no lock is told. */
    assert_int_equal(
        gp_catalog_find(c.catalog, GP_CATALOG_MODELS, "Qwen/Qwen3-8B", &found, NULL, NULL), GP_OK);
    assert_int_equal(((const gp_model *)found)->layers, 36);
    assert_int_equal(
        gp_catalog_find(c.catalog, GP_CATALOG_MODELS, "hf:Qwen/Qwen3-32B", &found, NULL, NULL),
        GP_OK);
    assert_string_equal(gp_catalog_unlocked_name(c.catalog), "Qwen/Qwen3-32B");
    gp_arena_free(c.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_are_read), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_slurm_lists),      cmocka_unit_test(test_lock_round_trip),
        cmocka_unit_test(test_lock_before_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
