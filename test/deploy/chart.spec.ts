import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import ipaddr from 'ipaddr.js';
import { parse, parseAllDocuments } from 'yaml';
import { CHART, headerOfRendered, laidOver, PRODUCTION, REFUSED_VALUES, RENDERED } from './rendered-chart.js';

/** Manifests have no types here: a wrong path in them fails its test. */
type Yaml = ReturnType<typeof parse>;

const read = (path: string) => readFileSync(path, 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true });
const manifests = parseAllDocuments(read(RENDERED)).map((document) => document.toJS() as Yaml);
const named = (kind: string, name: string) =>
  manifests.find((one) => one.kind === kind && one.metadata.name === `payments-${name}`)!;
const podOf = ({ spec }: Yaml): Yaml => spec.template?.spec ?? podOf(spec.jobTemplate);
const pods = {
  api: podOf(named('Deployment', 'api')),
  worker: podOf(named('Deployment', 'worker')),
  migrate: podOf(named('Job', 'migrate')),
  verify: podOf(named('CronJob', 'verify')),
};
const environmentOf = ({ containers: [{ env }] }: Yaml) =>
  new Map<string, Yaml>(env.map((one: Yaml) => [one.name, one]));
const filesOf = ({ volumes }: Yaml): Yaml[] =>
  volumes.flatMap(
    ({ projected }: Yaml) => projected?.sources.flatMap(({ secret }: Yaml) => secret.items) ?? [],
  );
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
  it('is current (npm run rehearse -- chart write updates it)', () => {
    expect(read(RENDERED).startsWith(headerOfRendered())).toBe(true);
  });

  it('runs the release of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };

    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ appVersion: version });
  });
});

describe.each(['api', 'worker', 'migrate'] as const)(
  'A service in the chart, compared to docker-compose.yml (%s)',
  (part) => {
    const composed = services[part];
    const pod = pods[part];
    const [container] = pod.containers;

    it('runs the same image with the same command', () => {
      const repository = (image: string) => image.split('/').at(-1)!.split(':')[0];

      expect(repository(container.image)).toBe(repository(composed.image));
      expect(container.command).toEqual(composed.command ?? listOf('CMD'));
    });

    it('has the same settings, and database credentials by reference', () => {
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

    it('mounts the same secret files', () => {
      const files = filesOf(pod).map(({ path }) => path);

      expect(files.filter((path) => path !== 'signing-keys').sort()).toEqual([...composed.secrets].sort());
      expect(container.volumeMounts.map(({ mountPath }: Yaml) => mountPath)).toEqual([
        '/tmp',
        '/run/secrets',
      ]);
    });

    it('has minimal rights and a read-only file system', () => {
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

    it('has the same time to stop, and restarts if it should run', () => {
      expect(`${pod.terminationGracePeriodSeconds}s`).toBe(composed.stop_grace_period);
      expect(pod.restartPolicy === 'Never').toBe(composed.restart === 'no');
    });

    it('exposes the same ports', () => {
      const [, http] = composed.ports?.[0]?.split(':') ?? [];
      const expected = {
        api: { http: Number(http), metrics: composed.environment['METRICS_PORT'] },
        worker: { metrics: composed.environment['METRICS_PORT'] },
        migrate: {},
      };

      const served = (container.ports ?? []).map(({ name, containerPort }: Yaml) => [name, containerPort]);
      expect(Object.fromEntries(served)).toEqual(expected[part]);
    });
  },
);

describe('The chart', () => {
  it('has the health check of the image, and fails readiness twice before the drain ends', () => {
    const [{ livenessProbe: live, readinessProbe: ready, env }] = pods.api.containers;
    const [, interval, timeout] = /--interval=(\d+)s --timeout=(\d+)s/.exec(dockerfile)!.map(Number);

    expect(live).toMatchObject({ periodSeconds: interval, timeoutSeconds: timeout });
    expect(listOf('HEALTHCHECK.* CMD')[2]).toContain(live.httpGet.path);
    expect(ready.httpGet).toEqual({ path: '/health/ready', port: 'http' });
    const drain = Number(env.find(({ name }: Yaml) => name === 'DRAIN_SECONDS').value);
    expect(drain).toBeGreaterThan(ready.periodSeconds * ready.failureThreshold);
  });

  it('accepts each setting of .env.example, except secrets and its own', () => {
    const value = (name: string) => (name === 'SERVICE_ENV' ? 'production' : 'https://pay.example');
    const refused = known.filter((name) => !accepts(laidOver(values, { settings: { [name]: value(name) } })));

    expect(
      refused.filter(
        (name) =>
          !/SECRET|_FILE$|DATABASE_(?:REPLICA_)?URL$|^SANDBOX_|^METRICS_|^HTTP_(?:HOST|PORT)$/.test(name),
      ),
    ).toEqual([...['DRAIN_SECONDS', 'TOKEN_SIGNING_KEYS', 'SMTP_URL'], ...['GAS_KEY', 'REFUND_KEY']]);
  });

  it('has only settings that .env.example explains', () => {
    const set = Object.values(pods).flatMap((pod) => [...environmentOf(pod).keys()]);

    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('gives keys that move funds only to workers, and the owner of the schema only to the migration', () => {
    const holders = (name: string) =>
      Object.entries(pods).flatMap(([part, pod]) => (environmentOf(pod).has(name) ? [part] : []));

    expect(holders('GAS_KEY_FILE')).toEqual(['worker']);
    expect(holders('REFUND_KEY_FILE')).toEqual(['worker']);
    expect(holders('MIGRATION_DATABASE_URL')).toEqual(['migrate']);
  });

  it('migrates first, with a separate network policy', () => {
    for (const kind of ['Job', 'NetworkPolicy'])
      expect(named(kind, 'migrate').metadata.annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
      });
  });

  it('opens only the API to the ingress, and only metrics to the scraper', () => {
    const opened = ['api', 'worker', 'operator', 'migrate'].map((part) => {
      const { ingress = [], policyTypes } = named('NetworkPolicy', part).spec;
      expect(policyTypes).toEqual(['Ingress', 'Egress']);
      return ingress.map(({ from, ports }: Yaml) => [
        ...from.flatMap(({ namespaceSelector }: Yaml) => Object.values(namespaceSelector.matchLabels)),
        ...ports.map(({ port }: Yaml) => port),
      ]);
    });
    const scraper = ['monitoring', 'metrics'];

    expect(opened).toEqual([[['ingress-nginx', 'http'], scraper], [scraper], [], []]);
  });

  it('restricts outgoing connections to public addresses', () => {
    const { to } = named('NetworkPolicy', 'worker').spec.egress.at(-1);
    const isLetOut = (address: string) => to.some(({ ipBlock }: Yaml) => isInside(address, ipBlock));
    const special = [ipaddr.IPv4, ipaddr.IPv6].flatMap((kind) =>
      Object.values((kind as Yaml).prototype.SpecialRanges).flatMap((ranges: Yaml) =>
        (Array.isArray(ranges[0]) ? ranges : [ranges]).map(([first]: Yaml) => String(first)),
      ),
    );

    expect(special.length).toBeGreaterThan(40);
    expect([...special, '168.63.129.16', '4000::1'].filter(isLetOut)).toEqual([]);
    expect(['93.184.215.14', '2606:2800:21f:cb07::1'].filter(isLetOut)).toHaveLength(2);
  });

  it('accepts the values of production', () => {
    expect([accepts(values), accepts.errors]).toEqual([true, null]);
  });

  it.each(REFUSED_VALUES)('rejects invalid values: %s', (_, wrong) => {
    expect(accepts(laidOver(values, wrong))).toBe(false);
  });
});

function isInside(text: string, { cidr, except }: Yaml): boolean {
  const address = ipaddr.parse(text);
  const isIn = (range: string) => {
    const [first, bits] = ipaddr.parseCIDR(range);
    return first.kind() === address.kind() && address.match(first, bits);
  };
  return isIn(cidr) && !except.some(isIn);
}
