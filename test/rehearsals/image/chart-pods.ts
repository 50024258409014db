import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { RENDERED } from '../../deploy/rendered-chart.js';

interface Mount {
  readonly name: string;
  readonly mountPath: string;
}
export interface ChartContainer {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly securityContext: {
    readonly allowPrivilegeEscalation: boolean;
    readonly readOnlyRootFilesystem: boolean;
    readonly capabilities: { readonly drop: readonly string[] };
  };
  readonly volumeMounts: readonly Mount[];
  readonly livenessProbe?: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
}
export interface ChartPod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: Readonly<Record<'runAsUser' | 'runAsGroup' | 'fsGroup', number>>;
  readonly containers: readonly [ChartContainer];
  readonly volumes: readonly {
    readonly name: string;
    readonly emptyDir?: { readonly sizeLimit: string };
    readonly projected?: object;
  }[];
}
interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template?: { readonly spec: ChartPod }; readonly jobTemplate?: Manifest };
  readonly metadata: { readonly name: string };
}

/** The pod that the rendered chart has for a part: `api`, `worker`, `migrate`, `verify`. */
export function chartPod(part: string): ChartPod {
  const manifests = parseAllDocuments(readFileSync(RENDERED, 'utf8')).map((one) => one.toJS() as Manifest);
  const kinds = ['Deployment', 'Job', 'CronJob'];
  const found = manifests.find(
    ({ kind, metadata }) => kinds.includes(kind) && metadata.name.endsWith(`-${part}`),
  );
  if (found === undefined) throw new Error(`The rendered chart has no pods for ${part}.`);
  const { template, jobTemplate } = found.spec;
  return (template ?? jobTemplate!.spec.template!).spec;
}

/** The words of `podman run` by which a container is as confined as the chart's pod. @param secrets a folder of its files */
export function wordsOfPod(pod: ChartPod, secrets: string): string[] {
  const [{ securityContext: own, resources, volumeMounts }] = pod.containers;
  const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
  const volumes = volumeMounts.flatMap(({ name, mountPath }) => {
    const { emptyDir } = pod.volumes.find((one) => one.name === name)!;
    if (emptyDir === undefined) return ['--volume', `${secrets}:${mountPath}:ro`];
    return ['--tmpfs', `${mountPath}:rw,mode=1777,size=${unitOf(emptyDir.sizeLimit)}`];
  });
  return [
    ...['--user', `${runAsUser}:${runAsGroup}`, '--group-add', String(fsGroup)],
    ...(own.readOnlyRootFilesystem ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(own.allowPrivilegeEscalation ? [] : ['--security-opt', 'no-new-privileges']),
    ...own.capabilities.drop.flatMap((name) => ['--cap-drop', name]),
    ...['--memory', unitOf(resources.limits.memory), ...volumes],
  ];
}

/** Kubernetes writes 64Mi for what others call 64m. */
function unitOf(quantity: string): string {
  return quantity.replace('Mi', 'm').replace('Gi', 'g');
}
