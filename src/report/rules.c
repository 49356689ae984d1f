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
     .help = "The estimate lies in the band in which some measured runs ran and others ran out of "
             "memory. Use a smaller micro-batch, more recomputation, more sharding or a larger "
             "GPU. A note where the layout was gpuplan's own choice and can still give way."},
    {.id = "GP2002",
     .level = "error",
     .title = "No candidate is enough",
     .check = resources,
     .help =
         "No allowed machine, in any count up to the limit (in a check: nothing that is declared), "
         "runs the workload within its goals "
         "and the limits of the site. The finding names what the nearest candidate lacks."},
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
     .help = "Page cache, loaders, staged checkpoints and what is offloaded ask for more host "
             "memory, cores or local drives than the machine has."},
    {.id = "GP2005",
     .level = "note",
     .title = "Hosts not stated",
     .check = resources,
     .help = "The catalogue or the spec does not say how much memory, how many cores or which "
             "drives the machine has; the finding names what the workload needs."},
    {.id = "GP3001",
     .level = "warning",
     .title = "Goal met by the expected value only",
     .check = resources,
     .help = "The goal holds for the expected value, but not at the edge of the error band that "
             "defaults.confidence names. A measured run narrows the band."},
    {.id = "GP3002",
     .level = "error",
     .title = "Goal not met",
     .check = resources,
     .help = "Not even the expected value meets the goal."},
    {.id = "GP3003",
     .level = "warning",
     .title = "No goal: sized to memory or rate only",
     .check = resources,
     .help = "Without a deadline, a rate or a latency there is nothing to size time by: the answer "
             "is the smallest machine that holds the workload. A service without its traffic is "
             "sized to memory and its goals are not judged; one with traffic and no goal is sized "
             "to the rate alone. Add workloads[].goal and workloads[].traffic."},
    {.id = "GP3004",
     .level = "warning",
     .title = "Software alone would save GPUs",
     .check = software,
     .help = "A change of precision, packing, tuning or engine saves a tenth of the GPUs or more, "
             "or makes new machines unnecessary; the one that does most is named. Try it before "
             "buying hardware. The software check counts it whatever the spec says of software; "
             "where there is none and the spec says nothing, the check is not assessed."},
    {.id = "GP3005",
     .level = "warning",
     .title = "Outdated release",
     .check = software,
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
     .help =
         "Published figures are those of tuned runs; how far a run stays behind them depends on "
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
     .help = "The parallelism that the spec declares does not make up the machines that are there, "
             "does not fit, or misses the goal. It binds, so nothing else was planned. Correct "
             "workloads[].parallelism, or leave it to `auto`."},
    {.id = "GP3010",
     .level = "note",
     .title = "No growth stated",
     .check = scalability,
     .help = "Without growth there is no saying when limits are reached. Add growth.horizon and "
             "growth.scenarios."},
    {.id = "GP3011",
     .level = "warning",
     .title = "Growth passes a limit",
     .check = scalability,
     .help = "Within the horizon the plan outgrows a limit of the site, or the machines that are "
             "there. Start to lift the limit its lead time earlier; machines are ordered by the "
             "day that is named."},
    {.id = "GP3012",
     .level = "note",
     .title = "A better choice is not ruled out",
     .check = resources,
     .help = "Plans of up to eight workloads are searched whole. Of larger ones the best choice "
             "found is given, with what a better one could save at most."},
    {.id = "GP3013",
     .level = "note",
     .title = "Batch does not divide",
     .check = resources,
     .threshold = 0.01,
     .help =
         "The sequences of a step do not fill the micro-batches of all replicas: the last round "
         "takes as long as a full one. A globalBatch that divides trains more in the same "
         "time."},
    {.id = "GP3014",
     .level = "warning",
     .title = "Too few spare machines",
     .check = resources,
     .threshold = 0.01,
     .help = "After a failure the run waits for a repair, because the spare machines are in use: "
             "more than the threshold of its time. Keep more of them in cluster.reserve."},
    {.id = "GP3015",
     .level = "warning",
     .check = resources,
     .title = "Simulation does not confirm the replicas",
     .help = "A goal bounds a percentile, and a short simulation of the chosen replicas misses it, "
             "as does one of half as many more. `gpuplan simulate` shows what happens over time."},
    {.id = "GP3016",
     .level = "note",
     .title = "Simulation needs more than the closed form",
     .help = "Bursts and long requests reach further into the percentile than the closed form "
             "says: replicas were added until the simulation met every goal."},
    {.id = "GP3017",
     .level = "note",
     .title = "The high scenario passes a limit",
     .check = scalability,
     .help = "The expected demand stays within the limit over the whole horizon, that of "
             "growth.scenarios.high does not. Know what lifts the limit before it is needed."},
    {.id = "GP3018",
     .level = "note",
     .title = "A nearby batch takes fewer machines",
     .help =
         "Batches are a lattice: layouts take only what they divide. A stated globalBatch binds, "
         "and one within a few per cent of it would divide on fewer machines."},
    {.id = "GP3021",
     .level = "warning",
     .title = "Declared replicas are too few",
     .check = resources,
     .help = "The replicas that run today miss the load or the availability; the plan shows how "
             "many it takes."},
    {.id = "GP3022",
     .level = "note",
     .title = "More replicas than needed",
     .help = "Fewer replicas than those that run today would hold the load with its headroom."},
    {.id = "GP3023",
     .level = "note",
     .title = "Workloads share machines",
     .help = "Workloads that leave GPUs of their machines free are put together on machines of the "
             "same kind. placement.exclusive keeps one to itself."},
    {.id = "GP3031",
     .level = "note",
     .title = "Runs by turns",
     .check = resources,
     .help = "The machines that are free at once are too few, but in time they are enough: the "
             "workload starts when others are done, takes turns with them, or runs in the hours "
             "that services leave idle. The wait counts towards its goal."},
    {.id = "GP3032",
     .level = "warning",
     .title = "Runs wait too long for a place",
     .check = resources,
     .help = "Runs that come at random queue when all places are taken; at the 95th percentile "
             "the wait and the run together pass goal.maxDuration."},
    {.id = "GP3033",
     .level = "note",
     .title = "Idle hours are enough",
     .check = resources,
     .help = "A service of the same kind of machine leaves enough of them idle at night and at "
             "weekends. placement.timeSharing lets the job run there; it stops when the service "
             "needs its machines back."},
    {.id = "GP3041",
     .level = "error",
     .title = "Team beyond its quota",
     .check = resources,
     .help = "The workloads of a team take more GPUs than its quota and what it may borrow; a "
             "scheduler with these limits does not start all of them."},
    {.id = "GP3042",
     .level = "warning",
     .title = "Services on borrowed GPUs",
     .check = resources,
     .help = "Services and seats of a team take more than its quota. GPUs that others lend may be "
             "taken back at any time; runs go on from a checkpoint then, services fail."},
    {.id = "GP3043",
     .level = "warning",
     .title = "Quotas promise more than there is",
     .check = resources,
     .help = "The quotas of all teams come to more GPUs than stand or are rented; not everybody "
             "can have his own at once."},
    {.id = "GP4001",
     .level = "warning",
     .title = "Communication takes a large share of the step",
     .check = network,
     .threshold = 0.3,
     .help = "More than the threshold of the step waits for communication. The table of times at "
             "other network rates says whether a faster network would help."},
    {.id = "GP4002",
     .level = "note",
     .title = "Network test to run",
     .check = network,
     .help = "The plan counts on a bus bandwidth between machines. Run the command of nccl-tests "
             "and compare before accepting the cluster."},
    {.id = "GP4003",
     .level = "warning",
     .title = "Oversubscribed fabric under collective traffic",
     .check = network,
     .help = "Collectives between machines load all links at once; an oversubscribed leaf divides "
             "their bandwidth."},
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
     .help = "Few measurements of collectives between machines are published, and fabrics differ: "
             "their times are good to 30 % either way until nccl-tests of this cluster were "
             "calibrated with."},
    {.id = "GP5001",
     .level = "error",
     .title = "Power beyond the site's capacity",
     .check = power_cooling,
     .help = "The largest sustained power exceeds site.power.itCapacity."},
    {.id = "GP5002",
     .level = "error",
     .title = "Heat beyond the cooling capacity",
     .check = power_cooling,
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
     .help = "The machines need more racks than site.racks.count."},
    {.id = "GP5005",
     .level = "note",
     .title = "Site not described",
     .check = power_cooling,
     .help = "Limits of power, cooling or space that are not stated were not judged."},
    {.id = "GP5006",
     .level = "note",
     .title = "A rack takes several circuits",
     .check = power_cooling,
     .help = "The machines of one rack exceed what one circuit of site.power.circuits carries "
             "continuously. The bill counts as many as it takes, redundancy included."},
    {.id = "GP5007",
     .level = "warning",
     .title = "Supply air outside the machines' class",
     .check = power_cooling,
     .help = "The inlet temperature lies outside what site.cooling.air.class allows; above 900 m "
             "the allowance falls with altitude."},
    {.id = "GP5008",
     .level = "warning",
     .title = "A lost feed overloads the rest",
     .check = power_cooling,
     .help = "With one circuit (2N: one feed) of the fullest rack lost, the others would carry "
             "more than they may for good, so site.power.redundancy does not hold."},
    {.id = "GP5009",
     .level = "warning",
     .title = "Storage falls short",
     .check = resources,
     .help = "Writing checkpoints takes more than its share of the time, restarts and starting "
             "replicas take longer than planned, or what is kept does not fit, on the storage "
             "that the cluster declares."},
    {.id = "GP5010",
     .level = "note",
     .title = "Less energy for the same work",
     .check = power_cooling,
     .threshold = 0.1,
     .help = "Another kind of machine that is allowed does the same work with at least so much "
             "less energy."},
    {.id = "GP5011",
     .level = "warning",
     .title = "What a rack holds is not judged",
     .check = power_cooling,
     .help = "A machine does not say how high it is, or what it weighs where site.racks.maxWeight "
             "is stated, so its racks are those of what is known. State it in the system's row."},
    {.id = "GP5012",
     .level = "warning",
     .title = "Power of a machine is not known",
     .check = power_cooling,
     .help = "Neither a machine nor its GPU states a power, so that of the site, its cooling and "
             "its energy are not known, and no limit on them is judged. Such a machine is not "
             "bought beside others. State maxPower of the machine, or tdp of the GPU."},
    {.id = "GP6001",
     .level = "note",
     .title = "Prices missing",
     .help = "What is named has no price, so the cost of a year is not given and was not "
             "minimized. Add a Prices document, or site.energy.price."},
    {.id = "GP6002",
     .level = "error",
     .title = "Budget exceeded",
     .help = "The plan costs more than costs.budget allows."},
    {.id = "GP6003",
     .level = "note",
     .title = "Another objective would change a verdict",
     .help = "What is best depends on what is minimized. State candidates.objective."},
    {.id = "GP6004",
     .level = "error",
     .title = "The objective needs a price",
     .help = "candidates.objective is minCost, but an item that may be bought or rented has no "
             "price. Add it to a Prices document, or choose another objective."},
    {.id = "GP6005",
     .level = "note",
     .title = "A workload is placed in a cloud",
     .help = "A cloud of candidates.allow carries it: renting is cheaper for as long as it "
             "computes, or the site has no room for machines of its own. "
             "recommendation.placement compares both."},
    {.id = "GP6006",
     .level = "warning",
     .title = "A budget is not judged",
     .help = "Something that the plan buys or runs has no price, so whether costs.budget holds is "
             "not known. Add a Prices document, or site.energy.price."},
    {.id = "GP7001",
     .level = "note",
     .title = "Figures rest on unverified data",
     .help = "Some catalogue figures beneath the answer were not read at a primary source or are "
             "assumptions. `gpuplan explain` shows which."},
    {.id = "GP7002",
     .level = "note",
     .title = "Efficiencies inherited from the architecture",
     .help = "No measurements of this GPU are in the catalogue: those of its architecture were "
             "used, so the error is likely larger."},
    {.id = "GP7003",
     .level = "note",
     .title = "Part of the spec is not estimated yet",
     .help = "The field was read and checked, but no estimator uses it: the answer would be the "
             "same without it."},
    {.id = "GP7005",
     .level = "warning",
     .title = "Beyond the model's context",
     .help = "Sequences or requests are longer than the context that the model was made for: the "
             "figures hold for the machines, the model may not. Requests count by their p95 "
             "lengths where given, else by the means."},
    {.id = "GP7011",
     .level = "error",
     .title = "Expired waiver",
     .help = "A waiver of a policy has passed its last day: what it accepted counts again. Mend "
             "what was waived, or state a new date and reason."},
    {.id = "GP7012",
     .level = "warning",
     .title = "Policy rule that was not judged",
     .help = "No workload is selected, or the figure is absent where the rule looked, so nothing "
             "was held to it there. Correct its select or its metric, or state what the figure is "
             "made of."},
    {.id = "GP7013",
     .level = "note",
     .title = "Waiver that waives nothing",
     .help = "No finding matches the rule, paths and workloads of the waiver. Remove it."},
};
const size_t gp_report_rule_count = sizeof gp_report_rules / sizeof gp_report_rules[0];

const gp_report_rule *gp_report_rule_named(const char *id) {
    for (size_t i = 0; i < gp_report_rule_count; i++)
        if (gp_str_equal(gp_report_rules[i].id, id))
            return &gp_report_rules[i];
    return NULL;
}
