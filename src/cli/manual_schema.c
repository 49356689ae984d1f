/*
 * Manual pages of the documents, section 5: the reference that `gpuplan schema -f markdown` prints,
 * read line by line and written as roff.
 */
#include "cli/cli.h"

#include <string.h>

#include "model/model.h"

typedef struct manual_row {
    const char *kind; /* as `gpuplan schema` calls it */
    const char *title;
    const char *about; /* after "gpuplan-KIND \-" */
    const char *text;
} manual_row;

static const manual_row manuals[] = {
    {"spec", "GPUPLAN\\-SPEC", "specs of GPU clusters, sites and workloads",
     "A spec (plan.yaml, *.plan.yaml) is a YAML document of kind Plan. Quantities are strings of a "
     "number and a unit; absent keys have the defaults below or are derived, and the report lists "
     "what was assumed."},
    {"policy", "GPUPLAN\\-POLICY", "what checks demand beyond the goals of a plan",
     "A policy is a YAML document of kind Policy: rules over figures of the report, changed levels "
     "of built\\-in rules, and waivers with a reason and an expiry date. It is read by gpuplan "
     "check and gpuplan diff."},
    {"calibration", "GPUPLAN\\-CALIBRATION", "factors from measured runs, applied to the catalogue",
     "A calibration is a YAML document of kind Calibration, written by gpuplan calibrate and read "
     "by every command with the option \\-\\-calibration."},
    {"config", "GPUPLAN\\-CONFIG", "settings of a project and of a user",
     "The file .gpuplan.yaml at the root of a repository, a YAML document of kind Config, names "
     "the specs, policies, catalogues and price lists of a project. The user's "
     "$XDG_CONFIG_HOME/gpuplan/config.yaml has the same form and may only set color, width and "
     "detail."},
};

enum { CELLS = 5, CELL_KEY = 0, CELL_VALUE, CELL_RANGE, CELL_DEFAULT, CELL_MEANING };

typedef struct cell {
    const char *text;
    size_t len;
} cell;

/* The text of a cell or paragraph: without the marks of Markdown, with those of roff escaped. */
static void put_plain(gp_buf *page, const char *text, size_t len) {
    for (size_t i = 0; i < len; i++) {
        const bool link_end = text[i] == ']' && i + 1 < len && text[i + 1] == '(';
        if (link_end) {
            const char *end = memchr(text + i, ')', len - i);
            i = end == NULL ? i : (size_t)(end - text);
        } else if (text[i] == '\\' && i + 1 < len && text[i + 1] == '|') {
            continue;
        } else if (text[i] == '\\') {
            gp_buf_str(page, "\\e");
        } else if (text[i] == '-') {
            gp_buf_str(page, "\\-");
        } else if (text[i] != '`' && text[i] != '[') {
            gp_buf_char(page, text[i]);
        }
    }
}

/* "| a | b |" to its cells; false for the rule below the heads of a table. */
static bool split_row(const char *line, size_t len, cell *cells) {
    size_t count = 0;
    size_t from = 2;
    for (size_t i = 2; i < len && count < CELLS; i++) {
        if (line[i] == '|' && line[i - 1] != '\\') {
            size_t end = i > from ? i - 1 : i;
            cells[count++] = (cell){line + from, end > from ? end - from : 0};
            from = i + 2;
        }
    }
    return count == CELLS && strncmp(cells[0].text, "---", 3) != 0 &&
           strncmp(cells[0].text, "Key ", 4) != 0;
}

static void put_row(gp_buf *page, const cell *cells) {
    gp_buf_str(page, ".TP\n\\fB");
    put_plain(page, cells[CELL_KEY].text, cells[CELL_KEY].len);
    gp_buf_str(page, "\\fR: ");
    put_plain(page, cells[CELL_VALUE].text, cells[CELL_VALUE].len);
    if (cells[CELL_RANGE].len > 0) {
        gp_buf_str(page, " (");
        put_plain(page, cells[CELL_RANGE].text, cells[CELL_RANGE].len);
        gp_buf_str(page, ")");
    }
    if (cells[CELL_DEFAULT].len > 0) {
        const bool required = strncmp(cells[CELL_DEFAULT].text, "required", 8) == 0;
        gp_buf_str(page, required ? "; " : "; default ");
        put_plain(page, cells[CELL_DEFAULT].text, cells[CELL_DEFAULT].len);
    }
    gp_buf_str(page, "\n");
    put_plain(page, cells[CELL_MEANING].text, cells[CELL_MEANING].len);
    gp_buf_str(page, "\n");
}

static void put_line(gp_buf *page, const char *line, size_t len) {
    cell cells[CELLS];
    if (len == 0 || (len > 1 && line[0] == '#' && line[1] == ' '))
        return;
    if (line[0] == '#') {
        gp_buf_str(page, ".SS ");
        put_plain(page, line + 3, len - 3);
        gp_buf_str(page, "\n");
    } else if (line[0] != '|') {
        put_plain(page, line, len);
        gp_buf_str(page, "\n");
    } else if (split_row(line, len, cells)) {
        put_row(page, cells);
    }
}

gp_status gp_manual_write_schema(gp_buf *page, const char *kind) {
    const manual_row *row = NULL;
    const char *text = NULL;
    for (size_t i = 0; i < GP_COUNT_OF(manuals); i++)
        row = strcmp(manuals[i].kind, kind) == 0 ? &manuals[i] : row;
    gp_status st = row == NULL ? GP_ERR_NOT_FOUND : gp_schema_markdown(page->arena, kind, &text);
    if (st != GP_OK)
        return st;
    gp_buf_printf(page,
                  ".TH %s 5 \"\" \"gpuplan " GP_VERSION "\" \"File Formats\"\n"
                  ".SH NAME\ngpuplan\\-%s \\- %s\n.SH DESCRIPTION\n%s\n.SH KEYS\n",
                  row->title, kind, row->about, row->text);
    for (const char *line = text; *line != '\0';) {
        size_t len = strcspn(line, "\n");
        put_line(page, line, len);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    gp_buf_str(page, ".SH SEE ALSO\n\\fBgpuplan\\fR(1)\n");
    return GP_OK;
}
