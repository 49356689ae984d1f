/*
 * The rules: what a finding's id means, how grave it is and which of the five checks it counts for.
 * This table is printed in the documentation and by `gpuplan help ID`.
 */
#include <gpuplan/report.h>

#include "base/str.h"

static const char resources[] = "resources";
static const char network[] = "network";
static const char software[] = "software";
static const char power_cooling[] = "powerCooling";
static const char scalability[] = "scalability";

const gp_report_rule gp_report_rules[] = {
    {.id = "GP2001",
     .level = "warning",
     .title = "Memory is borderline",
     .check = resources,
     .help = "The estimate lies in the range where some measured runs fit and others ran out of "
             "memory. Use a smaller micro-batch, more recomputation, more sharding or a larger "
             "GPU. Only a note unless the spec declares the layout."},
    {.id = "GP2002",
     .level = "error",
     .title = "No candidate is enough",
     .check = resources,
     .help = "No allowed machine, in any number up to the limit, runs the workload within its "
             "goals and the limits of the site (in a check: none of the declared machines does). "
             "The finding names what the nearest candidate lacks."},
    {.id = "GP2003",
     .level = "warning",
     .title = "Less memory headroom than asked for",
     .check = resources,
     .help = "The layout fits, but leaves a smaller share of memory free than "
             "defaults.headroom.memory asks for."},
    {.id = "GP2004",
     .level = "note",
     .title = "Hosts fall short",
     .check = resources,
     .help = "Page cache, data loaders, staged checkpoints and offloaded state need more host "
             "memory, cores or local drives than the machine has."},
    {.id = "GP2005",
     .level = "note",
     .title = "Hosts not stated",
     .check = resources,
     .help = "The catalogue or the spec does not state the memory, cores or drives of the machine; "
             "the finding names what the workload needs."},
    {.id = "GP3001",
     .level = "warning",
     .title = "Goal met at the expected value only",
     .check = resources,
     .unless = "GP3003",
     .help = "The goal holds for the expected value, but not at the edge of the error band that "
             "defaults.confidence names. A measured run narrows the band."},
    {.id = "GP3002",
     .level = "error",
     .title = "Goal not met",
     .check = resources,
     .unless = "GP3003",
     .help = "Not even the expected value meets the goal."},
    {.id = "GP3003",
     .level = "warning",
     .title = "No goal: sized to memory or rate only",
     .check = resources,
     .is_open = true,
     .help = "Without a deadline, rate or latency there is no goal for speed: the answer is the "
             "smallest machine that the workload fits on. A service without traffic is sized to "
             "memory; where goals are stated they are not judged, which is an error. One with "
             "traffic but no goal is sized to the "
             "rate alone. Add workloads[].goal and workloads[].traffic."},
    {.id = "GP3004",
     .level = "warning",
     .title = "Software alone would save GPUs",
     .check = software,
     .needs = "workloads[].software",
     .help =
         "A change of precision, packing, tuning or engine saves a tenth of the GPUs or more, or "
         "makes new machines unnecessary; the most effective one is named. Try it before buying "
         "hardware. The software check warns of it whether or not the spec states its software; "
         "without such a change, and with no software stated, the check is not assessed."},
    {.id = "GP3005",
     .level = "warning",
     .title = "Outdated release",
     .check = software,
     .needs = "workloads[].software",
     .help = "A newer release of the declared framework or engine was measured to be faster."},
    {.id = "GP3006",
     .level = "note",
     .title = "More than needed",
     .check = resources,
     .help = "The workload would meet its goals with less than it has."},
    {.id = "GP3007",
     .level = "note",
     .title = "Tuning class assumed",
     .check = software,
     .help = "Published figures come from tuned runs; how far a run falls short of them depends on "
             "its tuning, which the spec does not state. Set software.tuning or "
             "software.efficiency, or calibrate."},
    {.id = "GP3008",
     .level = "warning",
     .title = "Verdict inside the error band",
     .check = resources,
     .help =
         "The verdict changes at a value that lies within the error of the figure that decides. "
         "Measure before buying."},
    {.id = "GP3009",
     .level = "warning",
     .title = "Declared layout does not work",
     .check = resources,
     .help = "The declared parallelism does not match the available machines, does not fit, or "
             "misses the goal. A declared layout is binding, so no other was planned. Correct "
             "workloads[].parallelism, or leave it to `auto`."},
    {.id = "GP3010",
     .level = "note",
     .title = "No growth stated",
     .check = scalability,
     .help = "Without growth, when limits are reached is unknown. Add growth.horizon and "
             "growth.scenarios."},
    {.id = "GP3011",
     .level = "warning",
     .title = "Growth exceeds a limit",
     .check = scalability,
     .needs = "growth",
     .help = "Within the horizon the plan outgrows a limit of the site or the available machines. "
             "Start raising the limit one lead time ahead; the finding names the day by which to "
             "order machines."},
    {.id = "GP3012",
     .level = "note",
     .title = "A better plan may exist",
     .check = resources,
     .help = "Plans of up to eight workloads are searched exhaustively. For larger ones the report "
             "gives the best plan found and the most that a better one could save."},
    {.id = "GP3013",
     .level = "note",
     .title = "Batch does not divide",
     .check = resources,
     .threshold = 0.01,
     .help = "The sequences of a step do not fill the micro-batches of all replicas: the last "
             "round takes as long as a full one. A globalBatch that divides evenly trains more in "
             "the same time."},
    {.id = "GP3014",
     .level = "warning",
     .title = "Too few spare machines",
     .check = resources,
     .threshold = 0.01,
     .help = "After failures the run waits for repairs because all spare machines are in use, for "
             "more than the threshold share of its time. Keep more of them in cluster.reserve."},
    {.id = "GP3015",
     .level = "warning",
     .check = resources,
     .title = "Simulation does not confirm the replicas",
     .help =
         "A goal limits a percentile, and a short simulation misses it with the chosen replicas "
         "and with half as many more, or some requests are longer than a replica has room for. "
         "`gpuplan simulate` shows what happens over time."},
    {.id = "GP3016",
     .level = "note",
     .title = "Simulation needs more than the formula",
     .help = "Bursts and long requests raise the percentile above what the formula predicts: "
             "replicas were added until the simulation met every goal."},
    {.id = "GP3017",
     .level = "note",
     .title = "The high scenario exceeds a limit",
     .check = scalability,
     .needs = "growth",
     .help =
         "The expected demand stays within the limit over the whole horizon; the demand of "
         "growth.scenarios.high does not. Find out how to raise the limit before it is needed."},
    {.id = "GP3018",
     .level = "note",
     .title = "A nearby batch takes fewer machines",
     .help = "A layout can only use a batch that it divides. The stated globalBatch is binding, "
             "and one within a few per cent of it would divide on fewer machines."},
    {.id = "GP3021",
     .level = "warning",
     .title = "Declared replicas are too few",
     .check = resources,
     .help = "The declared replicas do not carry the load or miss the availability; the plan shows "
             "how many are needed."},
    {.id = "GP3022",
     .level = "note",
     .title = "More replicas than needed",
     .help = "Fewer replicas than declared would carry the load with its headroom."},
    {.id = "GP3023",
     .level = "note",
     .title = "Workloads share machines",
     .help = "Workloads that leave GPUs of their machines free share machines of the same type. "
             "placement.exclusive gives a workload machines of its own."},
    {.id = "GP3024",
     .level = "warning",
     .title = "Time alone decides",
     .check = resources,
     .help = "Under objective minTime every machine that makes a run shorter is taken. Nothing "
             "stated limits them: give the site's power, a budget, or the most machines."},
    {.id = "GP3031",
     .level = "note",
     .title = "Runs in turn",
     .check = resources,
     .help = "Too few machines are free at once, but there is enough time: the workload starts "
             "when others are done, takes turns with them, or runs in hours when services leave "
             "machines idle. The wait counts towards its goal."},
    {.id = "GP3032",
     .level = "warning",
     .title = "Runs wait too long for a slot",
     .check = resources,
     .help = "Randomly arriving runs queue when all slots are taken; at the 95th percentile the "
             "wait and the run together exceed goal.maxDuration."},
    {.id = "GP3033",
     .level = "note",
     .title = "Idle hours are enough",
     .check = resources,
     .help = "A service on the same type of machine leaves enough of them idle at night and at "
             "weekends. placement.timeSharing lets the job run there; it stops when the service "
             "needs its machines back."},
    {.id = "GP3041",
     .level = "error",
     .title = "Team beyond its quota",
     .check = resources,
     .help = "The workloads of a team need more GPUs than its quota plus what it may borrow; a "
             "scheduler with these limits will not start all of them."},
    {.id = "GP3042",
     .level = "warning",
     .title = "Services on borrowed GPUs",
     .check = resources,
     .help = "Services and seats of a team need more than its quota. Borrowed GPUs may be "
             "reclaimed at any time: runs resume from a checkpoint, services fail."},
    {.id = "GP3043",
     .level = "warning",
     .title = "Quotas exceed the available GPUs",
     .check = resources,
     .help = "The quotas of all teams add up to more GPUs than are installed or rented; not every "
             "team can use its quota at once."},
    {.id = "GP4001",
     .level = "warning",
     .title = "Communication takes a large share of the step",
     .check = network,
     .threshold = 0.3,
     .needs = "cluster.fabrics",
     .help = "More than the threshold share of the step is spent waiting for communication. The "
             "table of step times by network rate shows whether a faster network would help."},
    {.id = "GP4002",
     .level = "note",
     .title = "Network test to run",
     .check = network,
     .help = "The plan assumes a bus bandwidth between machines. Run the nccl-tests command and "
             "compare before accepting the cluster."},
    {.id = "GP4003",
     .level = "warning",
     .title = "Oversubscribed fabric under collective traffic",
     .check = network,
     .needs = "cluster.fabrics",
     .help = "Collectives between machines load all links at once; an oversubscribed leaf switch "
             "reduces their bandwidth."},
    {.id = "GP4004",
     .level = "note",
     .title = "No fabric declared for a workload across machines",
     .check = network,
     .help = "The workload spans machines, but the spec states no network: the ports of the "
             "machine and a non-blocking fabric were assumed. Add cluster.fabrics."},
    {.id = "GP4005",
     .level = "note",
     .title = "Collectives between machines not calibrated",
     .check = network,
     .help =
         "Few measurements of collectives between machines are published, and fabrics differ: "
         "their times are good to within 30 % until calibrated with nccl-tests from this cluster."},
    {.id = "GP5001",
     .level = "error",
     .title = "Power beyond the site's capacity",
     .check = power_cooling,
     .needs = "site.power.itCapacity",
     .unless = "GP5012",
     .help = "The largest sustained power exceeds site.power.itCapacity."},
    {.id = "GP5002",
     .level = "error",
     .title = "Heat beyond the cooling capacity",
     .check = power_cooling,
     .needs = "site.cooling",
     .unless = "GP5012",
     .help = "The heat to air or to coolant exceeds the capacity stated for it."},
    {.id = "GP5003",
     .level = "warning",
     .title = "Dense racks on air",
     .check = power_cooling,
     .help = "Air-cooled racks of this power are rare; they need contained aisles and high flow. "
             "Spread the machines over more racks or use liquid cooling."},
    {.id = "GP5004",
     .level = "error",
     .title = "More racks than the site has",
     .check = power_cooling,
     .needs = "site.racks.count",
     .help = "The machines need more racks than site.racks.count."},
    {.id = "GP5005",
     .level = "note",
     .title = "Site not described",
     .check = power_cooling,
     .help = "Limits of power, cooling or space that are not stated were not judged."},
    {.id = "GP5006",
     .level = "note",
     .title = "A rack needs several circuits",
     .check = power_cooling,
     .help = "The machines of one rack exceed what one circuit of site.power.circuits carries "
             "continuously. The bill counts as many as needed, redundancy included."},
    {.id = "GP5007",
     .level = "warning",
     .title = "Supply air or water outside what is allowed",
     .check = power_cooling,
     .help = "The supply air lies outside what site.cooling.air.class or a machine on site allows; "
             "above 900 m the allowance of the class falls with altitude. Or the facility water "
             "lies outside site.cooling.liquid.class, or is so warm that coolant would enter the "
             "racks as warm as it may leave them."},
    {.id = "GP5008",
     .level = "warning",
     .title = "A lost feed overloads the rest",
     .check = power_cooling,
     .help = "If one circuit of the fullest rack fails (2N: one feed), the others would carry more "
             "than their continuous rating, so site.power.redundancy is not met."},
    {.id = "GP5009",
     .level = "warning",
     .title = "Storage falls short",
     .check = resources,
     .help = "On the declared storage, writing checkpoints takes more than its share of the time, "
             "restarts and cold starts take longer than planned, or the data does not fit."},
    {.id = "GP5010",
     .level = "note",
     .title = "Less energy for the same work",
     .check = power_cooling,
     .threshold = 0.1,
     .help = "Another allowed machine type does the same work with less energy, by at least the "
             "threshold."},
    {.id = "GP5011",
     .level = "warning",
     .title = "Machines per rack not judged",
     .check = power_cooling,
     .help = "A machine states no height, or no weight although site.racks.maxWeight is stated, so "
             "its racks were planned from the known limits only. State it in the catalogue row of "
             "the system."},
    {.id = "GP5012",
     .level = "warning",
     .title = "Power of a machine is unknown",
     .check = power_cooling,
     .help = "Neither a machine nor its GPU states a power, so the power, cooling and energy of "
             "the site are unknown and their limits were not judged. Such a machine is not bought "
             "where others can be. State maxPower of the machine, or tdp of the GPU."},
    {.id = "GP5013",
     .level = "error",
     .title = "A machine is too much for a rack",
     .check = power_cooling,
     .help = "One machine needs more power, air, height or weight than site.racks and "
             "site.cooling.air.perRack allow a rack. Such a machine is not bought; a rack-scale "
             "system is a rack by itself and is held to the same limits, but for the height."},
    {.id = "GP6001",
     .level = "note",
     .title = "Prices missing",
     .help = "The named items have no price, so the cost per year is not given and was not "
             "minimized. Add a Prices document, or site.energy.price."},
    {.id = "GP6002",
     .level = "error",
     .title = "Budget exceeded",
     .needs = "costs.budget",
     .unless = "GP6006",
     .help = "The plan costs more than costs.budget allows."},
    {.id = "GP6003",
     .level = "note",
     .title = "Another objective would change a verdict",
     .help = "The best plan depends on what is minimized, which the spec leaves open. State "
             "candidates.objective."},
    {.id = "GP6004",
     .level = "error",
     .title = "The objective needs a price",
     .help = "candidates.objective is minCost, but an item that may be bought or rented has no "
             "price. Add it to a Prices document, or choose another objective."},
    {.id = "GP6005",
     .level = "note",
     .title = "A workload is placed in a cloud",
     .help = "A cloud of candidates.allow runs it: renting is cheaper for the time it computes, or "
             "the site has no room for its machines. recommendation.placement compares both."},
    {.id = "GP6006",
     .level = "warning",
     .title = "Budget not judged",
     .help = "Something that the plan buys or runs has no price, so whether costs.budget is met is "
             "unknown. Add a Prices document, or site.energy.price."},
    {.id = "GP6007",
     .level = "warning",
     .title = "No spot machines allowed",
     .help = "candidates.spotInterruptedEvery is stated, but candidates.allow names no spot "
             "machines. An instance is rented on demand; on spot it has an id of its own, which "
             "ends in /spot. `gpuplan catalog list clouds` has them."},
    {.id = "GP6008",
     .level = "warning",
     .title = "Prices have expired",
     .help = "validUntil of a price list is before the day of --now, so the costs rest on a quote "
             "that no longer stands. Ask for a new one. Without --now it is not judged."},
    {.id = "GP7001",
     .level = "note",
     .title = "Figures rest on unverified data",
     .help = "Some catalogue figures behind the answer were not read at a primary source or are "
             "assumptions. `gpuplan explain` shows which."},
    {.id = "GP7002",
     .level = "note",
     .title = "Efficiencies inherited from the architecture",
     .help = "The catalogue has no measurements of this GPU: those of its architecture were used, "
             "so the error is likely larger."},
    {.id = "GP7003",
     .level = "note",
     .title = "Part of the spec is not estimated yet",
     .help = "The field is validated, but no estimate uses it yet: the answer would be the same "
             "without it."},
    {.id = "GP7005",
     .level = "warning",
     .check = resources,
     .title = "Beyond the model's context",
     .help = "Sequences or requests are longer than the context of the model: the sizing is valid, "
             "but engines refuse such requests. They are judged by their p95 lengths where given, "
             "else by their means."},
    {.id = "GP7011",
     .level = "error",
     .title = "Expired waiver",
     .help = "A waiver of a policy has expired: the waived findings count again. Fix them, or "
             "state a new date and reason."},
    {.id = "GP7012",
     .level = "warning",
     .title = "Policy rule not judged",
     .is_open = true,
     .help = "The rule selects no workload, its figure is absent, or a workload that fails is not "
             "in it or has only that of its nearest candidate, so it was not applied: of the "
             "level of the rule, since what was not judged is not kept. "
             "Correct its select or its metric, state the inputs of the figure, or make the plan "
             "hold first."},
    {.id = "GP7013",
     .level = "note",
     .title = "Waiver without effect",
     .help = "No finding matches the rule, paths and workloads of the waiver. Remove it."},
};
const size_t gp_report_rule_count = GP_COUNT_OF(gp_report_rules);

const gp_report_rule *gp_report_rule_named(const char *id) {
    return GP_NAMED_OF(gp_report_rules, gp_report_rule_count, id, id);
}
