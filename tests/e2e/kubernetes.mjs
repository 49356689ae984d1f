// Holds objects (a line of JSON each, on standard input) to the schemas of the built-in kinds.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

const folder = join(process.argv[2], 'node_modules/kubernetes-models/_schemas');
const schemas = {
    'apps/v1 Deployment': 'IoK8sApiAppsV1Deployment',
    'policy/v1 PodDisruptionBudget': 'IoK8sApiPolicyV1PodDisruptionBudget',
    'autoscaling/v2 HorizontalPodAutoscaler': 'IoK8sApiAutoscalingV2HorizontalPodAutoscaler',
    'batch/v1 Job': 'IoK8sApiBatchV1Job',
};
const validators = {};
for (const [kind, name] of Object.entries(schemas)) {
    validators[kind] = (await import(pathToFileURL(join(folder, name + '.js')))).validate;
}
let checked = 0;
for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
    const item = JSON.parse(line);
    // What a JobSet replicates is a Job, and held to it.
    const jobs = item.kind === 'JobSet' ? item.spec.replicatedJobs.map(job => (
        {apiVersion: 'batch/v1', kind: 'Job', metadata: {name: job.name}, spec: job.template.spec})) : [item];
    for (const one of jobs) {
        const validate = validators[one.apiVersion + ' ' + one.kind];
        if (!validate)
            continue;
        checked++;
        if (!validate(one))
            console.log(one.kind, one.metadata.name, JSON.stringify(validate.errors));
    }
}
if (checked === 0)
    console.log('no object of a built-in kind');
