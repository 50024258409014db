import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export const CHART = 'deploy/helm';
export const PRODUCTION = `${CHART}/examples/production.yaml`;
/** The manifests that helm makes of the chart and of `PRODUCTION`: `npm run rehearse -- chart write` writes them. */
export const RENDERED = `${CHART}/rendered/production.yaml`;

/** The first line of `RENDERED`, which shows without helm whether the chart was changed after it. */
export function headerOfRendered(): string {
  const templates = readdirSync(`${CHART}/templates`).map((name) => `${CHART}/templates/${name}`);
  const sources = [`${CHART}/Chart.yaml`, `${CHART}/values.yaml`, PRODUCTION, ...templates.sort()];
  const hash = createHash('sha256');
  for (const path of sources) hash.update(readFileSync(path));
  return `# By npm run rehearse -- chart write, out of sources with the digest ${hash.digest('hex')}\n`;
}

type Values = Record<string, unknown>;

const secret = { name: 'payments', key: 'key' };

/** Values that the schema refuses, laid over those of `PRODUCTION`, each with what is wrong about it. */
export const REFUSED_VALUES: readonly (readonly [string, Values])[] = [
  ['a name that the chart does not know', { replicas: 2 }],
  ['a misspelled name of a part', { api: { drainSecond: 10 } }],
  ['an address with a path', { settings: { PUBLIC_URL: 'https://api.example/v1' } }],
  ['a secret as a setting', { settings: { DATABASE_URL: 'postgres://service:password@database/payments' } }],
  ['a key that moves money as a setting', { worker: { settings: { GAS_KEY: '00' } } }],
  ['a ring of keys as a setting', { api: { settings: { WEBHOOK_SECRET_KEYS: 'key-1:secret' } } }],
  ['an address with a password', { settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://u:p@traces' } }],
  ['a setting that the chart sets itself', { settings: { METRICS_PORT: 9465 } }],
  ['a secret by its value', { secretSettings: { SMTP_URL: 'smtps://user:password@mail.example' } }],
  ['a reference without a key', { secretSettings: { TOKEN_SIGNING_KEYS: { name: 'payments' } } }],
  ['the owner’s credential for every process', { secretSettings: { MIGRATION_DATABASE_URL: secret } }],
  ['the owner’s credential for workers', { worker: { secretSettings: { MIGRATION_DATABASE_URL: secret } } }],
  ['a key that moves money for the API', { api: { secretSettings: { REFUND_KEY: secret } } }],
  [
    'a file with a key that moves money for every process',
    { files: { gas: { ...secret, setting: 'GAS_KEY_FILE' } } },
  ],
  ['no drain', { api: { drainSeconds: 0 } }],
  ['a digest that is none', { image: { digest: 'sha256:1234' } }],
  ['no worker', { worker: { replicas: 0 } }],
  ['root', { podSecurityContext: { runAsUser: 0 } }],
  ['a memory without a unit', { api: { resources: { limits: { memory: '1024' } } } }],
  ['a job as somebody unknown', { operator: { jobs: { verify: { as: 'root' } } } }],
  ['an ingress without a certificate', { ingress: { tlsSecretName: '' } }],
  ['an API that everybody reaches', { networkPolicy: { ingressFrom: [] } }],
];

/** Objects are joined, all else is replaced, as helm does. */
export function laidOver(below: Values, above: Values): Values {
  const joined = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const lower = below[name];
    joined[name] = isValues(lower) && isValues(value) ? laidOver(lower, value) : value;
  }
  return joined;
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
