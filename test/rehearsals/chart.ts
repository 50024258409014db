// Renders the chart by helm, and checks what comes of it: `npm run rehearse -- chart`. With `write` it writes
// deploy/helm/rendered anew.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { headerOfRendered, PRODUCTION, REFUSED_VALUES, RENDERED } from '../deploy/rendered-chart.js';
import { CHART, Helm } from './chart/helm.js';
import { KubernetesTypes, manifestsOf } from './chart/kubernetes-types.js';
import { Rehearsal } from './rehearsal.js';

interface Rules {
  readonly groups: readonly { readonly name: string }[];
}
const BASE = 'https://runbook.example/';
const VARIANTS: readonly string[][] = [
  ['prometheusRule.enabled=true', `prometheusRule.runbookBase=${BASE}`],
  ['api.autoscaling.enabled=false', 'networkPolicy.enabled=false', 'serviceMonitor.enabled=false'],
  ['operator.jobs.partitions.schedule=0 2 * * *', 'operator.jobs.partitions.arguments={partitions}'].concat(
    'operator.jobs.partitions.as=owner',
  ),
  [`image.digest=sha256:${'ab'.repeat(32)}`, 'api.image.tag=0.0.9', 'image.pullSecrets[0].name=registry'],
  ['serviceAccountName=payments', 'api.nodeSelector.pool=payments', 'ingress.enabled=false'],
];
await Rehearsal.run(async (rehearsal) => {
  const helm = Helm.install();
  helm.lint([PRODUCTION]);
  rehearsal.step('helm, built by Go, finds no fault in the chart.');

  const rendered = headerOfRendered() + helm.template([PRODUCTION]);
  if (process.argv.includes('write')) writeFileSync(RENDERED, rendered);
  rehearsal.demand(
    readFileSync(RENDERED, 'utf8') === rendered,
    `${RENDERED} is what helm renders; otherwise: npm run rehearse -- chart write`,
  );
  rehearsal.step(`${RENDERED} is what helm renders.`);

  const types = KubernetesTypes.install();
  const variants = VARIANTS.map((settings) => manifestsOf(helm.template([PRODUCTION], settings)));
  const examples = manifestsOf(readFileSync(`${CHART}/examples/cloudnative-pg.yaml`, 'utf8'));
  const all = [...manifestsOf(rendered), ...variants.flat(), ...examples];
  const faults = types.faultsOf(all);
  rehearsal.demand(faults.length === 0, `no manifest has a fault:\n${faults.join('\n')}`);
  rehearsal.step(
    `${all.length} manifests of ${VARIANTS.length + 1} renderings fit the types of Kubernetes and of two operators.`,
  );

  const rule = variants[0]!.find(({ kind }) => kind === 'PrometheusRule') as unknown as { spec: Rules };
  const delivered = readFileSync('deploy/prometheus/alerts.yml', 'utf8');
  const expected = parse(delivered.replaceAll('runbook_url: ', `runbook_url: ${BASE}`)) as Rules;
  rehearsal.demand(
    isDeepStrictEqual(rule.spec.groups.slice(0, -1), expected.groups),
    'the PrometheusRule has the groups of deploy/prometheus/alerts.yml',
  );
  rehearsal.step('The PrometheusRule has the rules of deploy/prometheus/alerts.yml, and one for jobs.');

  for (const [wrong, values] of REFUSED_VALUES) {
    const file = join(rehearsal.folder, 'values.yaml');
    writeFileSync(file, stringify(values));
    rehearsal.demand(isRefused(helm, file), `helm refuses ${wrong}`);
  }
  rehearsal.step(`helm refuses ${REFUSED_VALUES.length} wrong values by the schema.`);
});

function isRefused(helm: Helm, file: string): boolean {
  try {
    helm.template([PRODUCTION, file]);
    return false;
  } catch (error) {
    return (error as Error).message.includes("values don't meet the specifications of the schema");
  }
}
