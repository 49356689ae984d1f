/* Pieces of a page. */
#include "render/html.h"

#include <string.h>

#include "base/str.h"
#include "render/gate.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--paper:#fff;"
    "--tint:#f6f8fa;--ok:#1a7f37;--warning:#9a6700;--fail:#b3261e;--note:#0550ae;"
    "--c0:#0072b2;--c1:#e69f00;--c2:#009e73;--c3:#cc79a7;--c4:#56b4e9;--c5:#d55e00;--c6:#7a7a7a;"
    "--c7:#b8ac00}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#a3adb8;--line:#3d444d;"
    "--paper:#0d1117;--tint:#161b22;--ok:#4ac26b;--warning:#e3b341;--fail:#ff8a80;--note:#79c0ff;"
    "--c6:#9a9a9a}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:66rem;margin:0 auto;padding:1.5rem 1rem 4rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .75rem;padding-top:.5rem;border-top:2px solid "
    "var(--line)}\n"
    "h3{font-size:1rem;margin:1.5rem 0 .5rem}\n"
    "p{margin:.5rem 0;max-width:46rem}\n"
    ".lead{font-size:1.1rem}.soft{color:var(--soft)}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.93rem}\n"
    "caption{text-align:left;color:var(--soft);padding:.25rem 0}\n"
    "th,td{padding:.3rem .75rem .3rem 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line);overflow-wrap:break-word}\n"
    "thead th{font-size:.82rem;color:var(--soft);font-weight:600}\n"
    "tbody th{font-weight:600;white-space:nowrap}tbody td{min-width:4.5rem;max-width:26rem}\n"
    ".r{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "td.r+td{padding-left:.75rem}\n"
    "dl.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;"
    "margin:1rem 0}\n"
    "dl.tiles div{background:var(--tint);border:1px solid var(--line);border-radius:6px;"
    "padding:.6rem .75rem}\n"
    "dl.tiles dt{color:var(--soft);font-size:.82rem}\n"
    "dl.tiles dd{margin:0;font-size:1.15rem;font-weight:600;font-variant-numeric:tabular-nums}\n"
    "dl.facts{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.2rem 1rem;"
    "margin:.5rem 0 1rem}\n"
    "dl.facts dt{color:var(--soft)}dl.facts dd{margin:0;overflow-wrap:anywhere}\n"
    ".level{font-weight:600;white-space:nowrap}\n"
    ".ok,.met{color:var(--ok)}.warning,.metAtExpected{color:var(--warning)}\n"
    ".fail,.error,.missed{color:var(--fail)}.note,.notAssessed{color:var(--note)}\n"
    "figure{margin:.75rem 0 1.25rem}figcaption{color:var(--soft);font-size:.9rem}\n"
    "svg{display:block;max-width:100%;height:auto}\n"
    "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg .soft{fill:var(--soft)}svg .axis{stroke:var(--line)}svg .target{stroke:var(--ink);"
    "stroke-width:2}svg .limit{stroke:var(--fail);stroke-width:2;stroke-dasharray:6 4}\n"
    "svg .box{fill:var(--tint);stroke:var(--line)}svg .wire{stroke:var(--soft)}\n"
    "svg .free{fill:none;stroke:var(--line)}svg .bad{fill:var(--fail)}svg .good{fill:var(--ok)}\n"
    ".c0{fill:var(--c0);background:var(--c0)}.c1{fill:var(--c1);background:var(--c1)}"
    ".c2{fill:var(--c2);background:var(--c2)}.c3{fill:var(--c3);background:var(--c3)}"
    ".c4{fill:var(--c4);background:var(--c4)}.c5{fill:var(--c5);background:var(--c5)}"
    ".c6{fill:var(--c6);background:var(--c6)}.c7{fill:var(--c7);background:var(--c7)}\n"
    "ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:"
    ".4rem 0;font-size:.88rem}\n"
    "ul.legend span{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border:1px solid "
    "var(--line)}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}\n"
    "code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}\n"
    "@media print{body{font-size:11px}main{max-width:none;padding:0}h2{break-after:avoid}"
    "section,figure,tr{break-inside:avoid}section.sheet{break-before:page;break-inside:auto}"
    "details>*{display:block}.c0,.c1,.c2,.c3,.c4,.c5,.c6,.c7{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}}\n";

void gp_html_text(gp_form_out *out, const char *text) {
    gp_gate_xml(out->buf, gp_form_or(text, ""));
}

void gp_html_element(gp_form_out *out, const char *tag, const char *class_name, const char *text) {
    gp_buf_printf(out->buf, "<%s", tag);
    if (class_name != NULL)
        gp_buf_printf(out->buf, " class=\"%s\"", class_name);
    gp_buf_char(out->buf, '>');
    gp_html_text(out, text);
    gp_buf_printf(out->buf, "</%s>\n", tag);
}

void gp_html_open(gp_form_out *out, const char *title) {
    gp_buf_str(out->buf, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; style-src 'unsafe-inline'\">\n");
    gp_html_element(out, "title", NULL, title);
    gp_buf_str(out->buf, "<style>\n");
    gp_buf_str(out->buf, style);
    gp_buf_str(out->buf, "</style>\n</head>\n<body>\n<main>\n");
}

void gp_html_close(gp_form_out *out) {
    gp_buf_str(out->buf, "</main>\n</body>\n</html>\n");
}

void gp_html_section(gp_form_out *out, int level, const char *heading) {
    gp_buf_str(out->buf, "<section>\n");
    gp_html_element(out, level <= 2 ? "h2" : "h3", NULL, heading);
}

void gp_html_section_end(gp_form_out *out) {
    gp_buf_str(out->buf, "</section>\n");
}

gp_html_table gp_html_table_open(gp_form_out *out, const char *caption,
                                 const char *const *headers) {
    gp_html_table table = {.out = out};
    gp_buf_str(out->buf, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    gp_html_text(out, caption);
    gp_buf_str(out->buf, "\"><table>\n");
    gp_html_element(out, "caption", NULL, caption);
    gp_buf_str(out->buf, "<thead><tr>");
    for (; headers[table.columns] != NULL && table.columns < GP_HTML_COLUMNS; table.columns++) {
        const char *text = headers[table.columns];
        const bool right = *text == '>';
        table.right[table.columns] = right;
        gp_buf_printf(out->buf, "<th scope=\"col\"%s>", right ? " class=\"r\"" : "");
        gp_html_text(out, right ? text + 1 : text);
        gp_buf_str(out->buf, "</th>");
    }
    gp_buf_str(out->buf, "</tr></thead>\n<tbody>\n");
    return table;
}

void gp_html_row(const gp_html_table *table, const char *const *cells) {
    gp_buf *buf = table->out->buf;
    gp_buf_str(buf, "<tr>");
    for (size_t i = 0; i < table->columns; i++) {
        const char *tag = i == 0 ? "th" : "td";
        gp_buf_printf(buf, "<%s%s%s>", tag, i == 0 ? " scope=\"row\"" : "",
                      table->right[i] ? " class=\"r\"" : "");
        gp_html_text(table->out, cells[i]);
        gp_buf_printf(buf, "</%s>", tag);
    }
    gp_buf_str(buf, "</tr>\n");
}

void gp_html_table_end(const gp_html_table *table) {
    gp_buf_str(table->out->buf, "</tbody></table></div>\n");
}

void gp_html_facts_open(gp_form_out *out) {
    gp_buf_str(out->buf, "<dl class=\"facts\">\n");
}

void gp_html_fact(gp_form_out *out, const char *label, const char *text) {
    if (text == NULL || *text == '\0' || gp_str_equal(text, "-"))
        return;
    gp_html_element(out, "dt", NULL, label);
    gp_html_element(out, "dd", NULL, text);
}

void gp_html_facts_end(gp_form_out *out) {
    gp_buf_str(out->buf, "</dl>\n");
}

void gp_html_level(gp_form_out *out, const char *level, const char *text) {
    gp_html_element(out, "span", gp_form_text(out, "level %s", gp_form_or(level, "note")), text);
}
