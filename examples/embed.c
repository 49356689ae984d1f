/*
 * gpuplan within another program: plans a spec and prints who needs what, or the whole report in a
 * form of your choice.
 *
 *   cc -o embed embed.c $(pkg-config --cflags --libs gpuplan)
 *   ./embed plan.yaml            a line per workload
 *   ./embed plan.yaml json       what `gpuplan size plan.yaml -f json` prints
 */
#include <stdio.h>
#include <stdlib.h>

#include <gpuplan/gpuplan.h>

enum { SPEC_MAX = 1 << 20, MEMORY_MAX = 512 << 20 };

static size_t read_spec(const char *path, char *data) {
    FILE *file = fopen(path, "rb");
    const size_t len = file == NULL ? 0 : fread(data, 1, SPEC_MAX, file);
    if (file != NULL)
        fclose(file);
    return len;
}

/* Counts the figures that are there, as an example of what a walk sees. */
static gp_status count_figures(void *context, const gp_report_event *event) {
    size_t *count = context;
    *count += event->kind == GP_REPORT_VALUE && !event->value.absent ? 1 : 0;
    return GP_OK;
}

static void print_workloads(const gp_report *report) {
    for (size_t i = 0; i < report->workloads.count; i++) {
        const gp_report_workload *it = &report->workloads.items[i];
        gp_report_value nodes = {.absent = true};
        gp_report_find(&gp_report_workload_type, it, "recommendation.chosen.nodes", &nodes, NULL);
        printf("%s: scale %s", it->name, it->recommendation.scale);
        if (!nodes.absent)
            printf(", %lld nodes", (long long)nodes.count);
        printf("\n");
    }
    size_t figures = 0;
    gp_report_walk(&gp_report_type, report, count_figures, &figures);
    printf("%s: %zu figures, by gpuplan %s\n", report->summary.plan, figures, gp_version());
}

static int print_form(gp_session *session, const gp_report_list *reports, const char *form) {
    const char *text = NULL;
    size_t len = 0;
    const gp_status st = gp_session_render(session, form, reports, NULL, &text, &len);
    if (st == GP_OK)
        fwrite(text, 1, len, stdout);
    else
        fprintf(stderr, "%s: %s\n", form, gp_status_name(st));
    return st == GP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv) {
    static char data[SPEC_MAX];
    const char *path = argc > 1 ? argv[1] : "examples/minimal.yaml";
    const size_t len = read_spec(path, data);
    gp_session *session = gp_session_new(MEMORY_MAX);
    gp_report_list reports = {0};
    int code = EXIT_SUCCESS;
    if (session == NULL)
        return EXIT_FAILURE;
    gp_status st = gp_session_add(session, path, data, len);
    if (st == GP_OK)
        st = gp_session_plan(session, GP_SESSION_SIZE, &path, 1, &reports);
    if (st != GP_OK) {
        const char *messages = "";
        gp_session_messages(session, &messages);
        fprintf(stderr, "%s%s: %s\n", messages, path, gp_status_name(st));
        code = EXIT_FAILURE;
    } else if (argc > 2) {
        code = print_form(session, &reports, argv[2]);
    } else {
        for (size_t i = 0; i < reports.count; i++)
            print_workloads(reports.items[i]);
    }
    gp_session_free(session);
    return code;
}
