/* What a run is launched with beside the degrees of its layout. */
#include "base/num.h"
#include "catalog/words.h"
#include "model/fields.h"
#include "report/build.h"

void gp_build_launch(gp_build *build, const gp_workload_plan *plan, gp_report_workload *ret) {
    const gp_train_job *job = &plan->train;
    const gp_layout *layout = &plan->chosen.layout;
    const gp_software *software = &plan->workload->software;
    if (plan->is_serving || !plan->chosen.feasible)
        return;
    gp_report_launch *out = GP_NEW(build->arena, gp_report_launch);
    *out = (gp_report_launch){
        .framework = software->framework,
        .rules = gp_layout_rules_words[job->rules],
        .sequence_length = (int64_t)job->sequence_length,
        .global_batch_sequences = (int64_t)gp_train_step_sequences(job, layout),
        .asked_sequences = job->global_batch / job->sequence_length,
        .layers = (int64_t)job->shape->layers,
        .experts = (int64_t)job->shape->experts,
        .first_stage_layers = layout->first_layers,
        .stage_layers = layout->stage_layers,
        .last_stage_layers = layout->last_layers,
        .compute = gp_precision_words[job->compute],
        .gradients = gp_format_words[job->gradients],
        .optimizer = gp_optimizer_words[job->optimizer],
        .drives = layout->on_drives,
    };
    if (plan->is_rl) {
        out->asked_sequences = plan->rl.sequences / gp_num_max(plan->rl.updates, 1);
        out->global_batch_sequences = gp_num_floor_count(out->asked_sequences);
        out->asked_sequences = (double)out->global_batch_sequences;
    }
    ret->launch = out;
}
