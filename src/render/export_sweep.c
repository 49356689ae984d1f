/*
 * A sweep for a cluster: an array of jobs that size a part each, and a job behind them that merges
 * the parts. A part without a feasible point is an answer, too: exit status 1 is no failure.
 */
#include <string.h>

#include "render/export.h"

enum { SWEEP_MAX_BYTES = 16 << 20 };

static const char no_image[] = "registry.invalid/set-the-image:pinned";

/* What one job runs; `spec`, `part` and `parts` are words of the shell as they are. */
static void sweep_command(gp_buf *buf, const gp_sweep_order *order, const char *spec,
                          const char *folder, const char *index) {
    gp_buf_str(buf, "gpuplan sweep ");
    gp_buf_str(buf, spec);
    for (size_t i = 0; i < order->argument_count; i++) {
        gp_buf_char(buf, ' ');
        gp_buf_shell(buf, order->arguments[i]);
    }
    gp_buf_printf(buf, " --shard \"%s/%lld\" -q -o \"%s%s.json\" || [ $? -eq 1 ]", index,
                  (long long)order->parts, folder, index);
}

/* ---- Slurm */

static void write_slurm(gp_export_out *out, const gp_sweep_order *order) {
    gp_buf *buf = out->form.buf;
    const char *name = gp_export_label(out, order->name);
    const char *folder = gp_form_text(&out->form, "%s-parts/", name);
    gp_buf_printf(
        buf,
        "#!/bin/bash\n# Made by gpuplan %s: %lld points in %lld parts. `bash FILE` submits the "
        "array\n# and then the merge; the result is %s.json and %s.html.\n#SBATCH "
        "--job-name=%s\n#SBATCH --requeue\nset -eu\ncase ${1-submit} in\nsubmit)\n    mkdir -p "
        "%s\n    array=$(sbatch --parsable --array=1-%lld \"$0\" part)\n    sbatch --parsable "
        "--dependency=\"afterok:${array%%%%;*}\" \"$0\" merge\n    ;;\npart)\n    ",
        order->version, (long long)order->points, (long long)order->parts, name, name, name, folder,
        (long long)order->parts);
    sweep_command(buf, order, gp_form_shell(&out->form, order->spec->name), folder,
                  "$SLURM_ARRAY_TASK_ID");
    gp_buf_printf(buf,
                  "\n    ;;\nmerge)\n"
                  "    gpuplan merge $(seq 1 %lld | sed 's|.*|%s&.json|') -q -o %s.json "
                  "-o %s.html ||\n"
                  "        [ $? -eq 1 ]\n    ;;\nesac\n",
                  (long long)order->parts, folder, name, name);
}

/* ---- Kubernetes */

/* The spec as it is, as a block of lines. */
static void write_block(gp_buf *buf, const gp_text *text, int depth) {
    const char *end = text->data + text->len;
    for (const char *line = text->data; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        const size_t len = (size_t)((stop == NULL ? end : stop) - line);
        gp_buf_repeat(buf, ' ', len > 0 ? depth : 0);
        gp_buf_add(buf, line, len);
        gp_buf_char(buf, '\n');
        line += len + 1;
    }
}

static void write_container(gp_export_out *out, const char *kind, const char *image,
                            const gp_buf *script) {
    gp_buf *buf = out->form.buf;
    gp_buf_printf(buf, "        - name: %s\n          image: ", kind);
    gp_export_quote(out, image);
    gp_buf_str(buf, "\n          workingDir: /sweep\n          command: [\"/bin/sh\", \"-c\", ");
    gp_json_quote(buf, script->data != NULL ? script->data : "");
    gp_buf_str(buf, "]\n          volumeMounts:\n"
                    "            - {name: spec, mountPath: /spec}\n"
                    "            - {name: parts, mountPath: /sweep}\n");
}

static void write_job(gp_export_out *out, const char *name, const char *kind, int64_t parts) {
    gp_buf *buf = out->form.buf;
    gp_buf_printf(buf, "---\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: %s-%s\nspec:\n",
                  name, kind);
    if (parts > 0)
        gp_buf_printf(buf, "  completionMode: Indexed\n  completions: %lld\n  parallelism: %lld\n",
                      (long long)parts, (long long)parts);
    gp_buf_printf(buf,
                  "  template:\n    spec:\n      restartPolicy: OnFailure\n      volumes:\n"
                  "        - {name: spec, configMap: {name: %s-spec}}\n"
                  "        - {name: parts, persistentVolumeClaim: {claimName: %s-parts}}\n",
                  name, name);
}

/* A part is renamed to its name when it is whole: where all are there, they can be merged. */
static void write_k8s(gp_export_out *out, const gp_sweep_order *order) {
    gp_buf *buf = out->form.buf;
    gp_arena *arena = buf->arena;
    const char *name = gp_export_label(out, order->name);
    const char *image = gp_form_or(order->image, no_image);
    const long long parts = (long long)order->parts;
    gp_buf part = GP_BUF(arena, SWEEP_MAX_BYTES);
    gp_buf wait = GP_BUF(arena, SWEEP_MAX_BYTES);
    gp_buf merge = GP_BUF(arena, SWEEP_MAX_BYTES);
    gp_buf_str(&part, "index=$((JOB_COMPLETION_INDEX + 1)); ");
    sweep_command(&part, order, "/spec/plan.yaml", "", "$index");
    gp_buf_printf(&wait, "for i in $(seq 1 %lld); do until [ -e $i.json ]; do sleep 2; done; done",
                  parts);
    gp_buf_printf(&merge,
                  "gpuplan merge $(seq 1 %lld | sed 's/$/.json/') -q -o %s.json "
                  "-o %s.html || [ $? -eq 1 ]",
                  parts, name, name);
    gp_buf_printf(buf,
                  "# Made by gpuplan %s: %lld points in %lld parts, and a job that merges them\n"
                  "# into %s.json and %s.html on the volume.\n"
                  "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s-spec\ndata:\n"
                  "  plan.yaml: |2\n",
                  order->version, (long long)order->points, parts, name, name, name);
    write_block(buf, order->spec, 4);
    gp_buf_printf(buf,
                  "---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata:\n  name: %s-parts\n"
                  "spec:\n  accessModes: [ReadWriteMany]\n  resources: {requests: "
                  "{storage: 4Gi}}\n",
                  name);
    write_job(out, name, "parts", order->parts);
    gp_buf_str(buf, "      containers:\n");
    write_container(out, "sweep", image, &part);
    write_job(out, name, "merge", 0);
    gp_buf_str(buf, "      initContainers:\n");
    write_container(out, "wait", image, &wait);
    gp_buf_str(buf, "      containers:\n");
    write_container(out, "merge", image, &merge);
}

gp_status gp_export_sweep(gp_arena *arena, const gp_export *kind, const gp_sweep_order *order,
                          const char **ret_text, size_t *ret_len) {
    gp_buf buf = GP_BUF(arena, SWEEP_MAX_BYTES);
    gp_export_out out = {.form = {.buf = &buf, .width = 80}};
    if (kind == &gp_export_slurm)
        write_slurm(&out, order);
    else if (kind == &gp_export_k8s)
        write_k8s(&out, order);
    else
        return GP_ERR_NOT_FOUND;
    return gp_buf_finish(&buf, ret_text, ret_len);
}
