/*
 * Compiles the catalogue's files into the C source of catalog/compiled.h, on standard output, so
 * that the program neither parses nor binds what it is built with.
 *
 *   compiler ROOT FILE...    names in the image are relative to ROOT; order is kept
 *
 * It is built from the floors below the planner and run by the Makefile, on the machine that the
 * program is for. What is wrong in a file is told as gpuplan would and ends the build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/sha256.h"
#include "base/str.h"
#include "catalog/compiled.h"
#include "catalog/tables.h"
#include "schema/field.h"

enum { WORD = sizeof(uintptr_t), PER_LINE = 12 };

typedef struct words {
    uintptr_t *items;
    size_t count, cap;
} words;

typedef struct numbers {
    uint32_t *items;
    size_t count, cap;
} numbers;

typedef struct compiler {
    gp_arena *arena;
    gp_diags diags;
    gp_catalog *catalog;
    const gp_text **texts;
    size_t text_count;
    const gp_struct *types[GP_COMPILED_TYPES_MAX];
    size_t type_count;
    gp_index string_index;
    char *strings;
    size_t string_len, string_cap;
    /* of the present kind */
    words words;
    numbers rows;
    numbers addresses[GP_COMPILED_PARTS];
} compiler;

static void fail(const char *what) {
    (void)fprintf(stderr, "catalogue: %s\n", what);
    exit(EXIT_FAILURE);
}

static void *checked(void *memory) {
    if (memory == NULL)
        fail("out of memory");
    return memory;
}

static void add_number(compiler *c, numbers *list, size_t number) {
    list->items =
        checked(gp_arena_grow(c->arena, list->items, list->count, &list->cap, sizeof *list->items));
    list->items[list->count++] = (uint32_t)number;
}

/* Memory of a struct or an array in the image; the word that it begins at. */
static size_t place(compiler *c, const void *memory, size_t size) {
    size_t at = c->words.count;
    if (size % WORD != 0)
        fail("a struct is no whole number of words");
    for (size_t i = 0; i < size / WORD; i++) {
        c->words.items = checked(gp_arena_grow(c->arena, c->words.items, c->words.count,
                                               &c->words.cap, sizeof *c->words.items));
        memcpy(&c->words.items[c->words.count++], (const char *)memory + i * WORD, WORD);
    }
    return at;
}

/* The address in a word stands for item `number` of that part. */
static void set_address(compiler *c, size_t word, gp_compiled_part part, size_t number) {
    c->words.items[word] = number;
    add_number(c, &c->addresses[part], word);
}

static void set_string(compiler *c, size_t word, const char *text) {
    bool added = true;
    size_t at = 0;
    if (text == NULL)
        return;
    const size_t len = strlen(text);
    gp_index_add(&c->string_index, text, len, c->string_len, &added, &at);
    if (added) {
        at = c->string_len;
        size_t cap = c->string_cap;
        while (c->string_len + len + 1 > cap)
            cap = 2 * cap + 4096;
        c->strings = checked(gp_arena_resize(c->arena, c->strings, c->string_cap, cap));
        c->string_cap = cap;
        memcpy(c->strings + c->string_len, text, len + 1);
        c->string_len += len + 1;
    }
    set_address(c, word, GP_COMPILED_STRINGS, at);
}

static void set_text(compiler *c, size_t word, const gp_text *text) {
    for (size_t i = 0; text != NULL && i < c->text_count; i++) {
        if (c->texts[i] == text) {
            set_address(c, word, GP_COMPILED_TEXTS, i);
            return;
        }
    }
    if (text != NULL)
        fail("a place in an unknown text");
}

static void set_type(compiler *c, size_t word, const gp_struct *type) {
    for (size_t i = 0; i < c->type_count; i++) {
        if (c->types[i] == type) {
            set_address(c, word, GP_COMPILED_TYPES, i);
            return;
        }
    }
    fail("a struct of an unknown type");
}

/* ---- structs */

#define AT(T, member) (offsetof(T, member) / WORD)

static void set_meta(compiler *c, size_t word, const gp_meta *meta) {
    const size_t count = meta->type->field_count;
    set_type(c, word + AT(gp_meta, type), meta->type);
    set_text(c, word + AT(gp_meta, span.text), meta->span.text);
    set_text(c, word + AT(gp_meta, key_span.text), meta->key_span.text);
    size_t origins = place(c, meta->origins, count * sizeof *meta->origins);
    set_address(c, word + AT(gp_meta, origins), GP_COMPILED_ROWS, origins);
    for (size_t i = 0; i < count; i++) {
        const size_t origin = origins + i * (sizeof(gp_origin) / WORD);
        set_text(c, origin + AT(gp_origin, span.text), meta->origins[i].span.text);
        set_string(c, origin + AT(gp_origin, source), meta->origins[i].source);
        set_string(c, origin + AT(gp_origin, date), meta->origins[i].date);
    }
}

static void set_struct(compiler *c, size_t word, const void *object);

static void set_entry(compiler *c, size_t word, const gp_entry *entry) {
    set_string(c, word + AT(gp_entry, key), entry->key);
    set_string(c, word + AT(gp_entry, text), entry->text);
    set_text(c, word + AT(gp_entry, span.text), entry->span.text);
}

static size_t item_size(const gp_field *field) {
    return field->kind == GP_FIELD_MAP      ? sizeof(gp_entry)
           : field->nested != NULL          ? field->nested->size
           : field->item == GP_FIELD_STRING ? sizeof(const char *)
                                            : sizeof(double);
}

static void set_list(compiler *c, size_t word, const void *object, const gp_field *field) {
    const gp_any_list list = gp_list_get(object, field);
    const size_t size = item_size(field);
    if (list.items == NULL)
        return;
    size_t items = place(c, list.items, list.count * size);
    set_address(c, word + AT(gp_any_list, items), GP_COMPILED_ROWS, items);
    for (size_t i = 0; i < list.count; i++) {
        const char *item = (const char *)list.items + i * size;
        const size_t at = items + i * (size / WORD);
        if (field->kind == GP_FIELD_MAP) {
            set_entry(c, at, (const gp_entry *)(const void *)item);
        } else if (field->nested != NULL) {
            set_struct(c, at, item);
        } else if (field->item == GP_FIELD_STRING) {
            const char *text;
            memcpy(&text, item, sizeof text);
            set_string(c, at, text);
        }
    }
}

/* The addresses of a struct that is in place. */
static void set_struct(compiler *c, size_t word, const void *object) {
    gp_meta meta;
    memcpy(&meta, object, sizeof meta);
    set_meta(c, word, &meta);
    for (size_t i = 0; i < meta.type->field_count; i++) {
        const gp_field *field = &meta.type->fields[i];
        const char *member = (const char *)object + field->offset;
        const size_t at = word + field->offset / WORD;
        const char *text;
        switch (field->kind) {
        case GP_FIELD_STRING:
            memcpy(&text, member, sizeof text);
            set_string(c, at, text);
            break;
        case GP_FIELD_STRUCT: set_struct(c, at, member); break;
        case GP_FIELD_LIST:
        case GP_FIELD_MAP: set_list(c, at, object, field); break;
        case GP_FIELD_ENUM:
        case GP_FIELD_BOOL:
        case GP_FIELD_COUNT:
        case GP_FIELD_QUANTITY:
        case GP_FIELD_DATE: break;
        }
    }
}

/* ---- output */

static void print_words(const compiler *c, int kind) {
    (void)printf("static const uintptr_t words_%d[] = {", kind);
    for (size_t i = 0; i < c->words.count; i++) {
        const uintptr_t word = c->words.items[i];
        (void)printf(word < 10 ? "%s%ju," : "%s%#jx,", i % PER_LINE == 0 ? "\n" : "",
                     (uintmax_t)word);
    }
    (void)printf("0};\n");
}

static void print_numbers(const char *name, int kind, const numbers *list) {
    (void)printf("static const uint32_t %s_%d[] = {", name, kind);
    for (size_t i = 0; i < list->count; i++)
        (void)printf("%s%u,", i % PER_LINE == 0 ? "\n" : "", (unsigned)list->items[i]);
    (void)printf("0};\n");
}

/* Bytes, not string literals: compilers only promise 4095 characters in one of those. */
static void print_bytes(const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        (void)printf("%s%d,", i % (PER_LINE * 2) == 0 ? "\n" : "", (signed char)bytes[i]);
}

static const char *const part_names[GP_COMPILED_PARTS] = {"own", "strings", "texts", "types"};

static bool in_folder(const gp_text *text, const char *folder) {
    const char *slash = strchr(text->name, '/');
    const size_t len = strlen(folder);
    return slash != NULL && strncmp(slash + 1, folder, len) == 0 && slash[1 + len] == '/';
}

static const char *id_at(const compiler *c, uint32_t row) {
    const uintptr_t at = c->words.items[row + AT(gp_row_head, id)];
    return c->strings + at;
}

/* By their ids, of which there is one each: nobody sorts them again. */
static void put_in_order(compiler *c) {
    uint32_t *rows = c->rows.items;
    for (size_t i = 1; i < c->rows.count; i++)
        for (size_t k = i; k > 0; k--) {
            const int order = strcmp(id_at(c, rows[k - 1]), id_at(c, rows[k]));
            const uint32_t moved = rows[k];
            if (order == 0)
                fail(id_at(c, moved));
            if (order < 0)
                break;
            rows[k] = rows[k - 1];
            rows[k - 1] = moved;
        }
}

/* Rows in the folder of their kind. */
static void compile_kind(compiler *c, int kind) {
    const gp_field *field = &gp_catalog_spec_type.fields[kind];
    c->words = (words){.count = 0};
    c->rows = (numbers){.count = 0};
    memset(c->addresses, 0, sizeof c->addresses);
    for (size_t i = 0; i < c->catalog->user_count; i++) {
        const gp_catalog_document *document = c->catalog->users[i];
        const gp_any_list list = gp_list_get(&document->spec, field);
        for (size_t k = 0; in_folder(document->meta.span.text, field->key) && k < list.count; k++) {
            const void *row = gp_list_item(list, field, k);
            size_t at = place(c, row, field->nested->size);
            add_number(c, &c->rows, at);
            set_struct(c, at, row);
        }
    }
    put_in_order(c);
    print_words(c, kind);
    print_numbers("rows", kind, &c->rows);
    for (int part = 0; part < GP_COMPILED_PARTS; part++)
        print_numbers(part_names[part], kind, &c->addresses[part]);
}

static void print_image(const compiler *c, int kind) {
    (void)printf("    {.word_count = sizeof words_%d / sizeof words_%d[0] - 1, .words = words_%d,\n"
                 "     .row_count = sizeof rows_%d / sizeof rows_%d[0] - 1, .rows = rows_%d,\n"
                 "     .counts = {",
                 kind, kind, kind, kind, kind, kind);
    for (int part = 0; part < GP_COMPILED_PARTS; part++)
        (void)printf("sizeof %s_%d / 4 - 1, ", part_names[part], kind);
    (void)printf("},\n     .addresses = {");
    for (int part = 0; part < GP_COMPILED_PARTS; part++)
        (void)printf("%s_%d, ", part_names[part], kind);
    (void)printf("}},\n");
    (void)c;
}

static void print_text(const gp_text *text, size_t i) {
    (void)printf("static const char data_%zu[] = {", i);
    print_bytes(text->data, text->len);
    (void)printf("0};\nstatic const uint32_t lines_%zu[] = {", i);
    for (uint32_t line = 0; line < text->line_count; line++)
        (void)printf("%s%u,", line % PER_LINE == 0 ? "\n" : "", (unsigned)text->line_starts[line]);
    (void)printf("0};\n");
}

static void print_texts(const compiler *c) {
    char hex[GP_SHA256_HEX];
    gp_sha256 hash;
    gp_sha256_init(&hash);
    for (size_t i = 0; i < c->text_count; i++) {
        print_text(c->texts[i], i);
        gp_sha256_add(&hash, c->texts[i]->data, c->texts[i]->len + 1);
    }
    gp_sha256_finish(&hash, hex);
    (void)printf("const gp_text gp_catalog_texts[] = {\n");
    for (size_t i = 0; i < c->text_count; i++)
        (void)printf("    {.name = \"%s\", .data = data_%zu, .len = sizeof data_%zu - 1,\n"
                     "     .line_starts = lines_%zu, .line_count = %u},\n",
                     c->texts[i]->name, i, i, i, (unsigned)c->texts[i]->line_count);
    (void)printf("};\nconst size_t gp_catalog_text_count = %zu;\n"
                 "const char gp_catalog_texts_sha256[] = \"%s\";\n",
                 c->text_count, hex);
}

/* ---- input */

static const gp_text *read_file(compiler *c, const char *path, const char *name) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        fail(path);
    const long end = ftell(file);
    const size_t len = end > 0 ? (size_t)end : 0;
    char *data = checked(gp_arena_alloc(c->arena, len + 1, 1));
    gp_text *text = NULL;
    rewind(file);
    if (fread(data, 1, len, file) != len)
        fail(path);
    (void)fclose(file);
    name = checked(gp_arena_printf(c->arena, "<catalog>/%s", name));
    if (gp_text_init(c->arena, name, data, len, &text) != GP_OK)
        fail("out of memory");
    return text;
}

static void tell_and_fail(compiler *c) {
    for (size_t i = 0; i < c->diags.count; i++) {
        const char *text = "";
        (void)gp_diag_format(c->arena, &c->diags.items[i], &text);
        (void)fprintf(stderr, "%s\n", text);
    }
    fail("the files are wrong");
}

int main(int argc, char **argv) {
    compiler c = {.arena = gp_arena_new((size_t)1 << 30)};
    const size_t root_len = argc > 1 ? strlen(argv[1]) : 0;
    c.texts = checked(GP_NEW_ARRAY(checked(c.arena), const gp_text *, (size_t)argc));
    c.type_count = gp_catalog_row_types(c.types);
    gp_diags_init(&c.diags, c.arena);
    gp_index_init(&c.string_index, c.arena);
    if (c.type_count == GP_COMPILED_TYPES_MAX)
        fail("more struct types than there is room for");
    gp_catalog_open(c.arena, &c.diags, &c.catalog);
    for (int i = 2; i < argc; i++) {
        c.texts[c.text_count] = read_file(&c, argv[i], argv[i] + root_len + 1);
        if (gp_catalog_add(c.catalog, c.texts[c.text_count++]) != GP_OK)
            tell_and_fail(&c);
    }
    (void)printf("/* Generated from the catalogue's files; do not edit. */\n"
                 "#include \"catalog/compiled.h\"\n\n");
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++)
        compile_kind(&c, kind);
    (void)printf("const gp_compiled_rows gp_catalog_compiled[GP_CATALOG_KIND_COUNT] = {\n");
    for (int kind = 0; kind < GP_CATALOG_KIND_COUNT; kind++)
        print_image(&c, kind);
    (void)printf("};\nconst char gp_catalog_strings[] = {");
    print_bytes(c.strings, c.string_len);
    (void)printf("0};\n");
    print_texts(&c);
    gp_arena_free(c.arena);
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
