/* CSV texts as tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "source/csv_tree.h"

static const gp_source_limits default_limits = GP_SOURCE_LIMITS_INIT;

typedef struct fixture {
    gp_arena *arena;
    gp_diags diags;
    gp_csv csv;
    gp_status st;
} fixture;

static void read_with(fixture *f, const char *data, const gp_source_limits *limits) {
    gp_text *text = NULL;
    f->arena = gp_arena_new((size_t)1 << 27);
    gp_diags_init(&f->diags, f->arena);
    assert_int_equal(gp_text_init(f->arena, "t.csv", data, strlen(data), &text), GP_OK);
    f->st = gp_csv_read(f->arena, text, limits, &f->diags, &f->csv);
}

static void read_text(fixture *f, const char *data) {
    read_with(f, data, &default_limits);
}

static void done(fixture *f) {
    gp_arena_free(f->arena);
}

static void assert_cell(const fixture *f, size_t row, size_t column, const char *text) {
    const gp_csv_cell *cell = gp_csv_at(&f->csv, row, column);
    assert_string_equal(cell->text, text);
    assert_int_equal(cell->len, strlen(text));
}

static void tables_are_read(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "\xef\xbb\xbfid,name,\"note, long\"\r\n"
                  "1,,\"say \"\"hi\"\"\"\r\n"
                  "\r\n"
                  "2,\"two\nlines\",x y\n"
                  "3,\xc3\xa9,\"\"");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.csv.columns, 3);
    assert_int_equal(f.csv.rows, 3);
    assert_int_equal(gp_csv_column(&f.csv, "id"), 0);
    assert_int_equal(gp_csv_column(&f.csv, "note, long"), 2);
    assert_int_equal(gp_csv_column(&f.csv, "none"), -1);
    assert_cell(&f, 0, 1, "");
    assert_cell(&f, 0, 2, "say \"hi\"");
    assert_cell(&f, 1, 1, "two\nlines");
    assert_cell(&f, 1, 2, "x y");
    assert_cell(&f, 2, 1, "\xc3\xa9");
    assert_cell(&f, 2, 2, "");
    gp_place place = gp_span_place(gp_csv_span(&f.csv, gp_csv_at(&f.csv, 1, 2)));
    assert_int_equal(place.line, 5);
    assert_int_equal(place.column, 8);
    assert_int_equal(place.end_column, 11);
    done(&f);
    read_text(&f, "only,a,header");
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.csv.rows, 0);
    done(&f);
}

static void mistakes_are_reported(void **state) {
    (void)state;
    static const struct {
        const char *data, *id;
        uint32_t line, column, related_line;
        size_t rows;
    } cases[] = {
        {"", "GP1007", 1, 1, 0, 0},
        {"\n\r\n", "GP1007", 1, 1, 0, 0},
        {"a,b\n1\n2,3\n", "GP1001", 2, 1, 0, 1},
        {"a,b\n1,2,3\n", "GP1001", 2, 1, 0, 0},
        {"a,b,a\n1,2,3\n", "GP1002", 1, 5, 1, 1},
        {"a,b\n1,\"x\n3,4\n", "GP1001", 3, 4, 2, 0},
        {"a,b\n1,\"x\"y\n3,4\n", "GP1001", 2, 6, 2, 1},
        {"a,b\n1,x\"y\n3,4\n", "GP1001", 2, 4, 0, 1},
        {"a,\"b\n", "GP1001", 1, 5, 1, 0},
        {"a,b\n\xff,1\n", "GP1006", 2, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        read_text(&f, cases[i].data);
        assert_int_equal(f.st, GP_ERR_INPUT);
        assert_int_equal(f.diags.count, 1);
        const gp_diag *diag = &f.diags.items[0];
        gp_place place = gp_span_place(diag->span);
        uint32_t related = diag->related.text ? gp_span_place(diag->related).line : 0;
        if (strcmp(diag->id, cases[i].id) != 0 || place.line != cases[i].line ||
            place.column != cases[i].column || related != cases[i].related_line) {
            fail_msg("case %zu: %u:%u %s, related %u", i, place.line, place.column, diag->id,
                     related);
        }
        assert_int_equal(f.csv.rows, cases[i].rows);
        done(&f);
    }
}

static void all_faulty_rows_are_reported(void **state) {
    (void)state;
    fixture f;
    read_text(&f, "a,b,a\n1\n2,3,\"x\"y\n4,5,6\n7,8\n");
    assert_int_equal(f.diags.count, 4);
    assert_int_equal(f.csv.rows, 1);
    assert_cell(&f, 0, 2, "6");
    done(&f);
}

static void limits_hold(void **state) {
    (void)state;
    gp_source_limits limits = default_limits;
    limits.max_rows = 2;
    limits.max_columns = 3;
    limits.max_scalar_bytes = 4;
    fixture f;
    read_with(&f, "a,b,c\n1,2,1234\n1,2,3\n", &limits);
    assert_int_equal(f.st, GP_OK);
    done(&f);
    static const char *const beyond[] = {"a,b,c\n1,2,3\n1,2,3\n1,2,3\n", "a,b,c,d\n", "a,b,12345\n",
                                         "a,b,\"12345\"\n", "a\n1,2,3,4\n"};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        read_with(&f, beyond[i], &limits);
        assert_int_equal(f.st, GP_ERR_LIMIT);
        assert_string_equal(f.diags.items[0].id, "GP1005");
        done(&f);
    }
}

static void large_tables_are_read(void **state) {
    (void)state;
    static char data[1000000];
    size_t len = (size_t)snprintf(data, sizeof data, "a,b,c\n");
    for (int i = 0; i < 50000; i++) {
        len += (size_t)snprintf(data + len, sizeof data - len, "%d,x,\"\"\"\"\n", i);
    }
    fixture f;
    read_text(&f, data);
    assert_int_equal(f.st, GP_OK);
    assert_int_equal(f.csv.rows, 50000);
    assert_cell(&f, 49999, 0, "49999");
    assert_cell(&f, 49999, 2, "\"");
    done(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(mistakes_are_reported),
        cmocka_unit_test(all_faulty_rows_are_reported),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(large_tables_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
