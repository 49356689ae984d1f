"""Holds manifests to field paths and counts; writes each object as a line of JSON.

usage: kubernetes.py MANIFESTS.yaml REPORT.json OBJECTS.jsonl
Complaints go to standard output. The table names every field that an export may set, so that a field
that is misspelt, which the schemas let pass, is caught; `*` is the item of a list, `@` any key.
"""
import json
import re
import sys

import yaml

POD = """metadata.labels.@ spec.restartPolicy spec.nodeSelector.@ spec.tolerations.*.key
spec.tolerations.*.operator spec.tolerations.*.effect
spec.topologySpreadConstraints.*.maxSkew spec.topologySpreadConstraints.*.topologyKey
spec.topologySpreadConstraints.*.whenUnsatisfiable
spec.topologySpreadConstraints.*.labelSelector.matchLabels.@ spec.containers.*.name
spec.containers.*.image spec.containers.*.env.*.name spec.containers.*.env.*.value
spec.containers.*.args.* spec.volumes.*.configMap.name
spec.containers.*.resources.limits.@ spec.containers.*.volumeMounts.*.name
spec.containers.*.volumeMounts.*.mountPath spec.volumes.*.name spec.volumes.*.emptyDir.medium
""".split()
BEHAVIOR = """behavior.scaleUp.stabilizationWindowSeconds
behavior.scaleDown.stabilizationWindowSeconds""".split()
META = ["metadata.name", "metadata.labels.@", "metadata.annotations.@"]


def below(prefix, paths):
    return [prefix + "." + path for path in paths]


# (apiVersion, kind): required paths, permitted paths
KINDS = {
    ("apps/v1", "Deployment"): (
        ["spec.replicas", "spec.selector.matchLabels.@"],
        ["spec.strategy.type", "spec.strategy.rollingUpdate.maxUnavailable",
         "spec.strategy.rollingUpdate.maxSurge"] + below("spec.template", POD)),
    ("v1", "ConfigMap"): (["data.@"], []),
    ("policy/v1", "PodDisruptionBudget"): (
        ["spec.maxUnavailable", "spec.selector.matchLabels.@"], []),
    ("autoscaling/v2", "HorizontalPodAutoscaler"): (
        ["spec.scaleTargetRef.apiVersion", "spec.scaleTargetRef.kind", "spec.scaleTargetRef.name",
         "spec.minReplicas", "spec.maxReplicas", "spec.metrics.*.type",
         "spec.metrics.*.pods.metric.name", "spec.metrics.*.pods.target.type",
         "spec.metrics.*.pods.target.averageValue"], below("spec", BEHAVIOR)),
    ("batch/v1", "Job"): (
        ["spec.completions", "spec.parallelism", "spec.completionMode", "spec.backoffLimit",
         "spec.template.spec.restartPolicy"], below("spec.template", POD)),
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): (
        ["spec.replicatedJobs.*.name", "spec.replicatedJobs.*.replicas",
         "spec.failurePolicy.maxRestarts", "spec.network.enableDNSHostnames",
         "spec.network.subdomain"]
        + below("spec.replicatedJobs.*.template.spec",
                ["completions", "parallelism", "completionMode", "backoffLimit",
                 "template.spec.restartPolicy"]),
        below("spec.replicatedJobs.*.template.spec.template", POD)),
    ("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"): (
        ["spec.replicas", "spec.leaderWorkerTemplate.size"],
        ["spec.startupPolicy", "spec.rolloutStrategy.type",
         "spec.rolloutStrategy.rollingUpdateConfiguration.maxUnavailable",
         "spec.rolloutStrategy.rollingUpdateConfiguration.maxSurge",
         "spec.leaderWorkerTemplate.restartPolicy"]
        + below("spec.leaderWorkerTemplate.workerTemplate", POD)),
    ("keda.sh/v1alpha1", "ScaledObject"): (
        ["spec.scaleTargetRef.apiVersion", "spec.scaleTargetRef.kind", "spec.scaleTargetRef.name",
         "spec.minReplicaCount", "spec.maxReplicaCount", "spec.triggers.*.type",
         "spec.triggers.*.metricType", "spec.triggers.*.metadata.serverAddress",
         "spec.triggers.*.metadata.query", "spec.triggers.*.metadata.threshold"],
        ["spec.pollingInterval", "spec.fallback.failureThreshold", "spec.fallback.replicas",
         "spec.triggers.*.metadata.ignoreNullValues"]
        + below("spec.advanced.horizontalPodAutoscalerConfig", BEHAVIOR)),
    ("kueue.x-k8s.io/v1beta1", "ResourceFlavor"): (
        ["spec.nodeLabels.@"],
        ["spec.tolerations.*.key", "spec.tolerations.*.operator", "spec.tolerations.*.effect"]),
    ("kueue.x-k8s.io/v1beta1", "ClusterQueue"): (
        ["spec.resourceGroups.*.coveredResources.*", "spec.resourceGroups.*.flavors.*.name",
         "spec.resourceGroups.*.flavors.*.resources.*.name",
         "spec.resourceGroups.*.flavors.*.resources.*.nominalQuota"],
        ["spec.namespaceSelector", "spec.queueingStrategy", "spec.cohort",
         "spec.preemption.reclaimWithinCohort", "spec.preemption.withinClusterQueue",
         "spec.resourceGroups.*.flavors.*.resources.*.borrowingLimit"]),
    ("v1", "ResourceQuota"): (["spec.hard.@"], []),
    ("kueue.x-k8s.io/v1beta1", "LocalQueue"): (["spec.clusterQueue"], []),
}
WORDS = {
    "startupPolicy": {"LeaderCreated", "LeaderReady"},
    "restartPolicy": {"RecreateGroupOnPodRestart", "Never"},
    "queueingStrategy": {"BestEffortFIFO", "StrictFIFO"},
    "reclaimWithinCohort": {"Any", "LowerPriority", "Never"},
    "withinClusterQueue": {"LowerPriority", "LowerOrNewerEqualPriority", "Never"},
    "metricType": {"AverageValue", "Value"},
    "completionMode": {"Indexed"},
    "operator": {"Exists"},
    "effect": {"NoSchedule"},
}
LABEL = re.compile(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?")
OPEN = {"labels", "annotations", "matchLabels", "nodeSelector", "limits", "nodeLabels", "data",
        "hard"}


def paths(node, at=""):
    """Every leaf as (path, value)."""
    if isinstance(node, dict) and node:
        for key, value in node.items():
            step = "@" if at.rpartition(".")[2] in OPEN else key
            yield from paths(value, f"{at}.{step}" if at else step)
    elif isinstance(node, list):
        for value in node:
            yield from paths(value, at + ".*")
    else:
        yield at, node


def check(item):
    kind = (item["apiVersion"], item["kind"])
    if kind not in KINDS:
        yield f"{kind} is no object that is known"
        return
    required, permitted = KINDS[kind]
    seen = set()
    for path, value in paths({k: v for k, v in item.items() if k not in ("apiVersion", "kind")}):
        seen.add(path)
        last = path.rpartition(".")[2]
        if path not in META + required + permitted:
            yield f"{kind[1]}: {path} is no field of it"
        if last in WORDS and value not in WORDS[last]:
            yield f"{kind[1]}: {path} is {value!r}"
        if ".metadata." in path and "triggers" in path and not isinstance(value, str):
            yield f"{kind[1]}: {path} is no text"
        if path.endswith((".env.*.value", ".args.*", "nominalQuota", "limits.@")) and not isinstance(value, str):
            yield f"{kind[1]}: {path} is no text"
    for path in required:
        if path not in seen:
            yield f"{kind[1]}: {path} is missing"
    if not LABEL.fullmatch(item["metadata"]["name"]):
        yield f"{kind[1]}: {item['metadata']['name']!r} is no DNS label"
    if "gpuplan/plan-digest" not in item["metadata"].get("annotations", {}):
        yield f"{kind[1]}: no digest"


def gpus(item):
    """Replicas x pods x GPUs of one object."""
    spec = item["spec"]
    jobs = spec.get("replicatedJobs", [{}])[0]
    counts = {
        "JobSet": lambda: (jobs["replicas"], jobs["template"]["spec"]["parallelism"],
                           jobs["template"]["spec"]["template"]),
        "Deployment": lambda: (spec["replicas"], 1, spec["template"]),
        "Job": lambda: (1, spec["parallelism"], spec["template"]),
        "LeaderWorkerSet": lambda: (spec["replicas"], spec["leaderWorkerTemplate"]["size"],
                                    spec["leaderWorkerTemplate"]["workerTemplate"]),
    }
    if item["kind"] not in counts:
        return 0
    replicas, pods, template = counts[item["kind"]]()
    if not isinstance(replicas, int) or not isinstance(pods, int):
        return 0
    each = sum(int(v) for c in template["spec"]["containers"]
               for v in c["resources"]["limits"].values())
    return replicas * pods * each


def main():
    manifests, report_path, objects_path = sys.argv[1:]
    with open(manifests, encoding="utf-8") as file:
        items = [item for item in yaml.safe_load_all(file) if item is not None]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    with open(objects_path, "w", encoding="utf-8") as file:
        for item in items:
            file.write(json.dumps(item) + "\n")
    for item in items:
        for complaint in check(item):
            print(complaint)
    names = [(item["kind"], item["metadata"]["name"]) for item in items]
    for name in sorted(set(names)):
        if names.count(name) > 1:
            print(f"{name} is there more than once")
    wanted = sum(w["recommendation"]["chosen"]["gpus"] for w in report["workloads"])
    if any(item["kind"] == "ClusterQueue" for item in items):
        counted = sum(int(r["nominalQuota"]) for item in items if item["kind"] == "ClusterQueue"
                      for g in item["spec"]["resourceGroups"] for f in g["flavors"]
                      for r in f["resources"])
    else:
        counted = sum(gpus(item) for item in items)
    if counted != wanted or not items:
        print(f"{counted} GPUs in {len(items)} objects, {wanted} in the report")


main()
