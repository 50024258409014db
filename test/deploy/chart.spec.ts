import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments } from 'yaml';
import { CHART, headerOfRendered, laidOver, PRODUCTION, REFUSED_VALUES, RENDERED } from './rendered-chart.js';

interface Composed {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly read_only: boolean;
  readonly tmpfs: readonly string[];
  readonly cap_drop: readonly string[];
  readonly ports?: readonly string[];
  readonly restart: string;
  readonly stop_grace_period: string;
}
interface Block {
  readonly cidr: string;
  readonly except: readonly string[];
}
interface Rule {
  readonly to: readonly { readonly ipBlock: Block }[];
}
interface Egress {
  readonly egress: readonly Rule[];
}
/** Not in the types of ipaddr.js: a range, or a list of ranges, by name. */
interface Ranged {
  readonly prototype: { readonly SpecialRanges: Readonly<Record<string, readonly unknown[][]>> };
}
interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly image: string;
  readonly command: readonly string[];
  readonly env: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
}
interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly restartPolicy?: string;
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly emptyDir?: { readonly medium: string };
    readonly projected?: {
      readonly sources: readonly {
        readonly secret: { readonly items: readonly { readonly path: string }[] };
      }[];
    };
  }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: object;
}

const read = (path: string) => readFileSync(path, 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Composed>;
};
const manifests = parseAllDocuments(read(RENDERED)).map((document) => document.toJS() as Manifest);
const named = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === `payments-${name}`)!;
const podOf = ({ spec }: Manifest): Pod => {
  const { template, jobTemplate } = spec as { template?: { spec: Pod }; jobTemplate?: Manifest };
  return template?.spec ?? podOf(jobTemplate!);
};
const pods = {
  api: podOf(named('Deployment', 'api')),
  worker: podOf(named('Deployment', 'worker')),
  migrate: podOf(named('Job', 'migrate')),
  verify: podOf(named('CronJob', 'verify')),
};
const environmentOf = ({ containers: [{ env }] }: Pod) => new Map(env.map((one) => [one.name, one]));
const filesOf = ({ volumes }: Pod) =>
  volumes.flatMap(({ projected }) => projected?.sources.flatMap(({ secret }) => secret.items) ?? []);
const values = laidOver(
  parse(read(`${CHART}/values.yaml`)) as Record<string, unknown>,
  parse(read(PRODUCTION)) as Record<string, unknown>,
) as { settings: object; secretSettings: object };
const dockerfile = read('Dockerfile');
const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name!);
const listOf = (instruction: string) =>
  JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)![1]!) as string[];
const accepts = new Ajv({ strict: false }).compile(
  JSON.parse(read(`${CHART}/values.schema.json`)) as Record<string, unknown>,
);

describe('The rendered chart', () => {
  it('is made of the chart as it is; otherwise: npm run rehearse -- chart write', () => {
    expect(read(RENDERED).startsWith(headerOfRendered())).toBe(true);
  });

  it('runs the release that package.json names', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };

    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ appVersion: version });
  });
});

describe.each(['api', 'worker', 'migrate'] as const)('%s of the chart, beside docker-compose.yml', (part) => {
  const composed = services[part]!;
  const pod = pods[part];
  const [container] = pod.containers;

  it('runs the same image by the same command', () => {
    const repository = (image: string) => image.split('/').at(-1)!.split(':')[0];

    expect(repository(container.image)).toBe(repository(composed.image));
    expect(container.command).toEqual(composed.command ?? listOf('CMD'));
  });

  it('has the same settings, and credentials of the database by reference', () => {
    const environment = environmentOf(pod);
    for (const [name, value] of Object.entries(composed.environment)) {
      const found = environment.get(name);
      if (name.endsWith('DATABASE_URL')) expect(found?.valueFrom?.secretKeyRef.key).toBe('url');
      // A network of Compose keeps others out there, a NetworkPolicy here.
      else if (name === 'METRICS_HOST') expect(found?.value).toBe('0.0.0.0');
      else expect([name, found?.value]).toEqual([name, String(value)]);
    }
    expect(environment.has('MIGRATION_DATABASE_URL')).toBe(part === 'migrate');
  });

  it('mounts the same files of secrets, and those of its values', () => {
    const files = filesOf(pod).map(({ path }) => path);

    expect(files.filter((path) => path !== 'signing-keys').sort()).toEqual([...composed.secrets].sort());
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/tmp', '/run/secrets']);
  });

  it('has no right that it does not need, and a file system that it cannot write to', () => {
    expect(composed).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.volumes[0]).toMatchObject({ name: 'tmp', emptyDir: { medium: 'Memory' } });
  });

  it('may end for as long, and is restarted where it should run', () => {
    expect(`${pod.terminationGracePeriodSeconds}s`).toBe(composed.stop_grace_period);
    expect(pod.restartPolicy === 'Never').toBe(composed.restart === 'no');
  });

  it('serves the ports that others reach', () => {
    const [, http] = composed.ports?.[0]?.split(':') ?? [];
    const expected = {
      api: { http: Number(http), metrics: composed.environment['METRICS_PORT'] },
      worker: { metrics: composed.environment['METRICS_PORT'] },
      migrate: {},
    };

    const served = (container.ports ?? []).map(({ name, containerPort }) => [name, containerPort] as const);
    expect(Object.fromEntries(served)).toEqual(expected[part]);
  });
});

describe('The chart', () => {
  it('asks the image’s health check of the API, and readiness twice before the drain ends', () => {
    const [{ livenessProbe: live, readinessProbe: ready, env }] = pods.api.containers;
    const [, interval, timeout] = /--interval=(\d+)s --timeout=(\d+)s/.exec(dockerfile)!.map(Number);

    expect(live).toMatchObject({ periodSeconds: interval, timeoutSeconds: timeout });
    expect(listOf('HEALTHCHECK.* CMD')[2]).toContain(live!.httpGet.path);
    expect(ready!.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    const drain = Number(env.find(({ name }) => name === 'DRAIN_SECONDS')!.value);
    expect(drain).toBeGreaterThan(ready!.periodSeconds * ready!.failureThreshold);
  });

  it('takes each setting of .env.example but secrets, and what it sets itself', () => {
    const value = (name: string) => (name === 'SERVICE_ENV' ? 'production' : 'https://pay.example');
    const refused = known.filter((name) => !accepts(laidOver(values, { settings: { [name]: value(name) } })));

    expect(
      refused.filter(
        (name) =>
          !/SECRET|_FILE$|DATABASE_(?:REPLICA_)?URL$|^SANDBOX_|^METRICS_|^HTTP_(?:HOST|PORT)$/.test(name),
      ),
    ).toEqual([...['DRAIN_SECONDS', 'TOKEN_SIGNING_KEYS', 'SMTP_URL'], ...['GAS_KEY', 'REFUND_KEY']]);
  });

  it('sets only what .env.example explains', () => {
    const set = Object.values(pods).flatMap((pod) => [...environmentOf(pod).keys()]);

    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('gives keys that move money to workers alone, and the schema’s owner to the migration alone', () => {
    const holders = (name: string) =>
      Object.entries(pods).flatMap(([part, pod]) => (environmentOf(pod).has(name) ? [part] : []));

    expect(holders('GAS_KEY_FILE')).toEqual(['worker']);
    expect(holders('REFUND_KEY_FILE')).toEqual(['worker']);
    expect(holders('MIGRATION_DATABASE_URL')).toEqual(['migrate']);
  });

  it('migrates before anything else of a release, with a network policy of its own', () => {
    for (const kind of ['Job', 'NetworkPolicy'])
      expect(named(kind, 'migrate').metadata.annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
      });
  });

  it('lets the ingress reach the API alone, and the scraper metrics alone', () => {
    const opened = ['api', 'worker', 'operator', 'migrate'].map((part) => {
      const { ingress = [], policyTypes } = named('NetworkPolicy', part).spec as {
        ingress?: { from: { namespaceSelector: { matchLabels: object } }[]; ports: { port: string }[] }[];
        policyTypes: string[];
      };
      expect(policyTypes).toEqual(['Ingress', 'Egress']);
      return ingress.map(({ from, ports }) => [
        ...from.flatMap(({ namespaceSelector }) => Object.values(namespaceSelector.matchLabels) as string[]),
        ...ports.map(({ port }) => port),
      ]);
    });
    const scraper = ['monitoring', 'metrics'];

    expect(opened).toEqual([[['ingress-nginx', 'http'], scraper], [scraper], [], []]);
  });

  it('lets processes reach public addresses only, by the rule of webhooks', () => {
    const [{ to }] = (named('NetworkPolicy', 'worker').spec as Egress).egress.slice(-1) as [Rule];
    const isLetOut = (address: string) => to.some(({ ipBlock }) => isInside(address, ipBlock));
    const special = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
      Object.values((kind as unknown as Ranged).prototype.SpecialRanges).flatMap((ranges) =>
        (Array.isArray(ranges[0]) ? ranges : [ranges]).map(([first]) => String(first)),
      ),
    );

    expect(special.length).toBeGreaterThan(40);
    expect([...special, '168.63.129.16', '4000::1'].filter(isLetOut)).toEqual([]);
    expect(['93.184.215.14', '2606:2800:21f:cb07::1'].filter(isLetOut)).toHaveLength(2);
  });

  it('takes the values of production', () => {
    expect([accepts(values), accepts.errors]).toEqual([true, null]);
  });

  it.each(REFUSED_VALUES)('refuses %s', (_, wrong) => {
    expect(accepts(laidOver(values, wrong))).toBe(false);
  });
});

function isInside(text: string, { cidr, except }: Block): boolean {
  const address = ipaddr.parse(text);
  const isIn = (range: string) => {
    const [first, bits] = ipaddr.parseCIDR(range);
    return first.kind() === address.kind() && address.match(first, bits);
  };
  return isIn(cidr) && !except.some(isIn);
}
