/* Pieces of a page. */
#include "render/block.h"

#include "render/gate.h"

static const char colours[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--paper:#fff;"
    "--tint:#f6f8fa;--ok:#1a7f37;--warning:#9a6700;--fail:#b3261e;--note:#0550ae;"
    "--c0:#0072b2;--c1:#e69f00;--c2:#009e73;--c3:#cc79a7;--c4:#56b4e9;--c5:#d55e00;--c6:#6e6e6e;"
    "--c7:#b8ac00;--c8:#6a3d9a;--c9:#8c564b}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#a3adb8;--line:#3d444d;"
    "--paper:#0d1117;--tint:#161b22;--ok:#4ac26b;--warning:#e3b341;--fail:#ff8a80;--note:#79c0ff;"
    "--c8:#b79ae0;--c9:#c49c94}}\n";

static const char texts[] =
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:66rem;margin:0 auto;padding:1.5rem 1rem 4rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;margin:2.25rem 0 .75rem;padding-top:.5rem;border-top:2px solid "
    "var(--line);overflow-wrap:anywhere}\n"
    "h3{font-size:1.02rem;margin:1.5rem 0 .25rem}\n"
    "p{margin:.5rem 0;max-width:52rem;overflow-wrap:anywhere}\n"
    ".lead{font-size:1.1rem}.soft{color:var(--soft)}\n"
    "a{color:var(--note)}nav{margin:.75rem 0 1rem;font-size:.93rem;line-height:2}nav a{margin-"
    "right:1rem;white-space:nowrap;display:inline-block;max-width:100%;overflow:hidden;"
    "text-overflow:ellipsis;vertical-align:bottom}\n"
    "code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;font-weight:600}\n"
    ".level{font-weight:600;white-space:nowrap}\n"
    ".ok,.met{color:var(--ok)}.warning,.metAtExpected{color:var(--warning)}\n"
    ".fail,.error,.missed{color:var(--fail)}.note,.assessed{color:var(--note)}\n";

static const char parts[] =
    ".scroll{overflow-x:auto}.pair{display:grid;gap:0 2.5rem;"
    "grid-template-columns:repeat(auto-fit,minmax(min(18rem,100%),1fr))}\n"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.93rem}\n"
    "caption{text-align:left;color:var(--soft);padding:.25rem 0}\n"
    "th,td{padding:.3rem .9rem .3rem 0;text-align:left;vertical-align:top;"
    "border-bottom:1px solid var(--line);overflow-wrap:break-word}\n"
    "thead th{font-size:.82rem;color:var(--soft);font-weight:600;white-space:nowrap}\n"
    "tbody th{font-weight:600;max-width:16rem}"
    "tbody td{min-width:4rem;max-width:26rem}\n"
    ".n{white-space:nowrap}.r{text-align:right;font-variant-numeric:tabular-nums;white-space:"
    "nowrap}\n"
    "dl.facts{display:grid;grid-template-columns:minmax(7rem,max-content) 1fr;gap:.2rem 1rem;"
    "margin:.5rem 0 1rem}\n"
    "dl.facts dt{grid-column:1;color:var(--soft)}"
    "dl.facts dd{grid-column:2;margin:0;overflow-wrap:anywhere}\n"
    "ul.findings{list-style:none;padding:0;margin:.5rem 0}"
    "ul.findings li{padding:.5rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}\n"
    "ul.findings li:last-child{border:0}"
    "ul.findings p{margin:.1rem 0}ul.findings .soft{font-size:.93rem}\n";

static const char charts[] =
    "figure{margin:.75rem 0 1.25rem}figcaption{color:var(--soft);font-size:.9rem;margin-bottom:"
    ".3rem}\n"
    "svg{display:block}svg.gpuplan{width:100%;min-width:40rem;height:auto}"
    "svg.plot{width:100%;min-width:40rem;max-width:760px;height:auto}\n"
    "svg.stack{width:100%;height:2.1rem}svg.bar{width:100%;height:1rem}\n"
    "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    "svg .soft{fill:var(--soft)}svg .inside{fill:var(--paper);font-weight:600}\n"
    "svg line.axis{stroke:var(--line)}svg .wire{stroke:var(--line);stroke-width:.6}"
    "svg .target{stroke:var(--ink);stroke-width:2;vector-effect:non-scaling-stroke}\n"
    "svg .front{stroke:var(--soft);stroke-dasharray:4 4}svg .curve{stroke:var(--c0);"
    "stroke-width:2.5}svg .rented{stroke:var(--c5);stroke-width:2.5;stroke-dasharray:8 4}\n"
    "svg .box{fill:var(--tint);stroke:var(--line)}svg .free{fill:none;stroke:var(--line)}"
    "svg .part{stroke:var(--paper);vector-effect:non-scaling-stroke}\n"
    ".bad{fill:var(--fail)}.good{fill:var(--ok)}.unsure{fill:var(--warning)}\n"
    ".c0{fill:var(--c0);background:var(--c0)}.c1{fill:var(--c1);background:var(--c1)}"
    ".c2{fill:var(--c2);background:var(--c2)}.c3{fill:var(--c3);background:var(--c3)}"
    ".c4{fill:var(--c4);background:var(--c4)}.c5{fill:var(--c5);background:var(--c5)}"
    ".c6{fill:var(--c6);background:var(--c6)}.c7{fill:var(--c7);background:var(--c7)}"
    ".c8{fill:var(--c8);background:var(--c8)}.c9{fill:var(--c9);background:var(--c9)}\n"
    "ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:"
    ".4rem 0;font-size:.88rem}\n"
    "ul.legend span{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border:1px solid "
    "var(--line)}\n"
    "ul.bars{list-style:none;padding:0;margin:0;font-size:.93rem}"
    "ul.bars li{display:grid;grid-template-columns:13rem 1fr 19rem;gap:0 .9rem;align-items:center;"
    "padding:.15rem 0}ul.bars span{overflow-wrap:anywhere}\n";

static const char media[] =
    "@media (max-width:44rem){body{font-size:14px}main{padding:1rem .75rem 3rem}"
    "ul.bars li{grid-template-columns:1fr;padding:.3rem 0}"
    "dl.facts{grid-template-columns:1fr;gap:0}dl.facts dt,dl.facts dd{grid-column:1}"
    "dl.facts dd{margin-bottom:.35rem}th,td{padding-right:.7rem}"
    "table{width:max-content;min-width:100%}section[id$=checks] table{width:100%}"
    "section[id$=checks] td{overflow-wrap:anywhere}section[id$=checks] .level{white-space:normal}"
    "tbody td{max-width:16rem}}\n"
    "@page{margin:12mm}\n"
    "@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#bbb;--paper:#fff;"
    "--tint:#f4f4f4;--ok:#1a7f37;--warning:#7d5300;--fail:#a01c16;--note:#0550ae}"
    "html{font-size:12px}body{font-size:9pt;line-height:1.32}main{max-width:none;padding:0}nav{"
    "display:none}"
    "h1{font-size:16pt}h2{font-size:12pt;margin:.7rem 0 .3rem}figure{margin:.4rem 0 "
    ".6rem}dl.facts{gap:.05rem "
    "1rem;font-size:8.5pt}svg.stack{height:1.3rem}h2,h3,figcaption,caption{break-"
    "after:avoid}figure,tr,li{break-inside:avoid}thead,tbody tr:first-child{break-"
    "after:avoid}tbody tr:last-child{break-before:avoid}"
    "thead{display:table-header-group}.scroll{overflow:visible}table{font-size:8.5pt}"
    "th,td{padding:.15rem .6rem .15rem 0}tbody td{min-width:0}svg.plot{min-width:0;max-width:125mm}"
    "ul.bars li{grid-template-columns:10rem 1fr 16rem}"
    "details,section:not(:has(>:not(h2,details))){display:none}"
    "svg *,ul.legend span{print-color-adjust:exact;"
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
    static const char *const sheets[] = {colours, texts, parts, charts, media};
    gp_buf_str(out->buf, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                         "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                         "'none'; style-src 'unsafe-inline'\">\n");
    gp_html_element(out, "title", NULL, title);
    gp_buf_str(out->buf, "<style>\n");
    for (size_t i = 0; i < GP_COUNT_OF(sheets); i++)
        gp_buf_str(out->buf, sheets[i]);
    gp_buf_str(out->buf, "</style>\n</head>\n<body>\n<main>\n");
}

void gp_html_scroll_open(gp_form_out *out, const char *label) {
    gp_buf_str(out->buf, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    gp_html_text(out, label);
    gp_buf_str(out->buf, "\">");
}

void gp_html_level(gp_form_out *out, const char *level) {
    gp_buf_printf(out->buf, "<span class=\"level %s\">", level);
    gp_html_text(out, level);
    gp_buf_str(out->buf, "</span>");
}
