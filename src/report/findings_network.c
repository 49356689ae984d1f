/* Rules about the network under one workload. */
#include "base/str.h"
#include "report/findings.h"

/* That of the site that the workload runs at. */
static const gp_fabric *fabric_of(const gp_findings *findings) {
    return gp_build_compute_fabric(findings->build->result, findings->plan->chosen.unit);
}

static bool across_machines(const gp_findings *findings) {
    return findings->plan->chosen.feasible && findings->figures->network.multi_node;
}

static gp_ref fabric_rate(const gp_findings *findings) {
    const gp_fabric *fabric = fabric_of(findings);
    return fabric != NULL ? GP_REF(fabric, gp_fabric, rate_bits_per_s) : GP_REF_NONE;
}

static void communication_share(gp_findings *findings) {
    const gp_report_network *network = &findings->figures->network;
    double threshold = gp_report_rule_named("GP4001")->threshold;
    if (!across_machines(findings) || !(network->communication_fraction > threshold))
        return;
    gp_findings_say(findings, "GP4001", fabric_rate(findings),
                    GP_FOUND("network.communicationFraction", network->communication_fraction,
                             threshold, GP_DIM_FRACTION, true),
                    "use a faster network, a larger scale-up domain or a larger batch",
                    "%s of the step is spent waiting for communication, most of it %s",
                    GP_FINDING_QUANTITY(findings, network->communication_fraction, GP_DIM_FRACTION),
                    gp_str_equal(network->bottleneck, "scaleUp") ? "inside the machines"
                                                                 : "between machines");
}

static const char built_in[] = "<catalog>/";
static const char calibrated[] = "<calibration ";

static const char *bottleneck_words(const char *bottleneck) {
    static const gp_wording rows[] = {{"scaleUp", "the links inside the machines"},
                                      {"leaf", "the leaf switches"},
                                      {"spine", "the spine switches"},
                                      {"core", "the core switches"}};
    return GP_WORDING(rows, bottleneck, "none of the links");
}

static void network_test(gp_findings *findings) {
    const gp_report_network_test *test = findings->figures->network.test;
    if (!across_machines(findings) || test == NULL)
        return;
    gp_findings_say(
        findings, "GP4002", fabric_rate(findings),
        GP_FOUND("network.test.busBandwidthBytesPerS", GP_REPORT_NO_REAL,
                 test->bus_bandwidth_bytes_per_s, GP_DIM_BYTES_PER_S, false),
        GP_FINDING_TEXT(findings, "run: %s", test->command),
        "the plan assumes a bus bandwidth of %s between machines",
        GP_FINDING_QUANTITY(findings, test->bus_bandwidth_bytes_per_s, GP_DIM_BYTES_PER_S));
}

static void oversubscribed(gp_findings *findings) {
    const gp_fabric *fabric = fabric_of(findings);
    if (!across_machines(findings) || fabric == NULL || !(fabric->oversubscription > 1))
        return;
    gp_findings_say(
        findings, "GP4003", GP_REF(fabric, gp_fabric, oversubscription),
        GP_FOUND("network.oversubscription", fabric->oversubscription, 1, GP_DIM_NONE, true),
        "build the compute fabric non-blocking",
        "the fabric is oversubscribed %s to 1 under collective traffic",
        GP_FINDING_QUANTITY(findings, fabric->oversubscription, GP_DIM_NONE));
}

static void no_fabric(gp_findings *findings) {
    if (!across_machines(findings) || fabric_of(findings) != NULL)
        return;
    gp_findings_say(findings, "GP4004",
                    GP_FINDING_AT(&findings->build->result->document->spec.cluster),
                    GP_FOUND_AT("network.rateBitsPerS"),
                    "add cluster.fabrics with kind, rate and oversubscription",
                    "no fabric is declared; %s per GPU and no oversubscription were assumed",
                    GP_FINDING_QUANTITY(findings, findings->figures->network.rate_bits_per_s,
                                        GP_DIM_BITS_PER_S));
}

static bool is_own(const gp_origin *origin) {
    return origin->span.text != NULL && origin->span.text->name != NULL &&
           !gp_str_starts(origin->span.text->name, built_in);
}

/* Collectives between machines rest on few measurements until the site brings its own. */
static void not_calibrated(gp_findings *findings) {
    const gp_constants *k = findings->build->result->constants;
    const gp_origin *rate = GP_ORIGIN_OF(k, gp_constants, network_scale_out_fraction);
    const gp_origin *band = GP_ORIGIN_OF(k, gp_constants, network_scale_out_error_fraction);
    /* A calibration without a band knows ports, and no collectives. */
    const bool ports = !is_own(band) && rate->span.text != NULL &&
                       gp_str_starts(rate->span.text->name, calibrated);
    const bool own = is_own(rate) && !ports;
    if (!across_machines(findings) || own)
        return;
    gp_findings_say(
        findings, "GP4005", fabric_rate(findings),
        GP_FOUND("network.communicationTimeS", findings->figures->network.communication_time_s,
                 GP_REPORT_NO_REAL, GP_DIM_TIME, false),
        "run nccl-tests on the cluster and calibrate network.scale-out.efficiency",
        "collective times between machines are based on %s and good to within %s; the bottleneck "
        "is %s, at %s of the step",
        gp_build_count(findings->build, (int64_t)k->network_scale_out_count, "measured collective"),
        GP_FINDING_QUANTITY(findings, k->network_scale_out_error_fraction, GP_DIM_FRACTION),
        bottleneck_words(findings->figures->network.bottleneck),
        GP_FINDING_QUANTITY(findings, findings->figures->network.communication_fraction,
                            GP_DIM_FRACTION));
}

gp_rule_function *const gp_rules_network[] = {
    communication_share, network_test, oversubscribed, no_fabric, not_calibrated, NULL,
};
