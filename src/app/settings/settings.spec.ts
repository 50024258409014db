import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { IdentitySettings } from '#contexts/identity/infrastructure/identity-settings.js';
import { PaymentsSettings } from '#contexts/payments/application/requests/payments-settings.js';
import { RatesSettings } from '#contexts/rates/infrastructure/rates-settings.js';
import { readSettings } from './settings.js';
import { COMPLETE_SETTINGS, PRODUCTION_SETTINGS, findSettingsProblems } from './testing/complete-settings.js';

describe('Reading the settings', () => {
  it('accepts a complete set and applies the documented defaults', () => {
    const { process, contexts } = readSettings(COMPLETE_SETTINGS);

    expect(process).toMatchObject({
      httpPort: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databasePoolSize: 10,
      databasePooler: 'none',
    });
    expect(contexts.find((settings) => settings instanceof PaymentsSettings)).toMatchObject({
      paymentWindowSeconds: 480,
      statusReadLimiter: { perSecond: 1, burst: 5 },
    });
    expect(contexts.find((settings) => settings instanceof IdentitySettings)).toMatchObject({
      limits: {
        exchangesPerMinute: 60,
        failuresPerMinute: 10,
        requestsPerSecond: 100,
        deviceCreationsPerMinute: 30,
      },
    });
  });

  it('uses cell 0 by default, and accepts one letter or digit', () => {
    const cellOf = (values: Record<string, string>) =>
      readSettings({ ...COMPLETE_SETTINGS, ...values }).process.cell;

    expect(cellOf({})).toEqual(new DeploymentCell('0', ''));
    expect(cellOf({ CELL: 'k', OTHER_CELLS: '0j' })).toEqual(new DeploymentCell('k', '0j'));
    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, CELL: 'eu' })).toContain(
      'CELL: must be one letter or digit, not "eu".',
    );
    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, OTHER_CELLS: '01' })).toContain(
      'OTHER_CELLS: must not contain 0',
    );
  });

  it('enables tracing if an endpoint is set', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
    const tracingOf = (values: Record<string, string>) =>
      readSettings({ ...COMPLETE_SETTINGS, ...values }).process.tracing;
    const problems = (values: Record<string, string>) =>
      findSettingsProblems({ ...COMPLETE_SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT, ...values });
    const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.05' };

    expect(tracingOf({ OTEL_SERVICE_NAME: 'shop' })).toBeUndefined();
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME: 'shop', ...sampled })).toEqual({
      serviceName: 'shop',
      environment: 'development',
      ratio: 0.05,
      sentEveryMs: 5_000,
    });
    expect(tracingOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://otlp.example/v1/traces' })).toMatchObject(
      {
        serviceName: 'payment-collection',
        ratio: 1,
      },
    );
    expect(problems({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' })).toContain('must be a URL');
    expect(problems({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toContain('one of http/json');
    expect(problems({ ...sampled, OTEL_TRACES_SAMPLER_ARG: '5' })).toContain('OTEL_TRACES_SAMPLER_ARG');
  });

  it('exports metrics if a port is set, only to this machine by default', () => {
    const metricsOf = (values: Record<string, string>) =>
      readSettings({ ...COMPLETE_SETTINGS, ...values }).process.metrics;

    expect(metricsOf({})).toBeUndefined();
    expect(metricsOf({ METRICS_HOST: '10.0.0.7' })).toBeUndefined();
    expect(metricsOf({ METRICS_PORT: '9464' })).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(metricsOf({ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.7' })).toEqual({
      host: '10.0.0.7',
      port: 9464,
    });
  });

  it('reports all problems together', () => {
    const problems = findSettingsProblems({}).split('\n');

    for (const name of Object.keys(COMPLETE_SETTINGS))
      expect(problems.filter((p) => p.startsWith(`${name} `))).toHaveLength(1);
  });

  it.each([
    ['SERVICE_ENV', 'prod', 'one of development, staging, production'],
    ['DATABASE_URL', 'mysql://x/y', 'begins with postgres://'],
    ['HTTP_PORT', '80.5', 'whole number from 1 to 65535'],
    ['HTTP_PORT', '70000', 'whole number from 1 to 65535'],
    ['METRICS_PORT', '3000', 'must differ from HTTP_PORT'],
    ['DRAIN_SECONDS', '61', 'whole number from 0 to 60'],
    ['MAIL_FROM', 'Shop <a@b.example>, <c@d.example>', 'MAIL_FROM must be an e-mail address'],
    ['TOKEN_SIGNING_KEYS', 'key-1:dG9vIHNob3J0', 'secrets of 256 bits'],
    ['TOKEN_SIGNING_KEYS', `a:${'A'.repeat(43)},a:${'A'.repeat(43)}`, 'same kid'],
    ['TRUSTED_PROXIES', '10.0.0.0/99', 'TRUSTED_PROXIES'],
    ['TOKEN_EXCHANGES_PER_MINUTE', '0', 'from 10 to'],
    ['TOKEN_FAILURES_PER_MINUTE', 'none', 'from 3 to'],
    ['CREDENTIAL_REQUESTS_PER_SECOND', '0', 'from 10 to'],
    ['API_KEY_HEADER_ALIAS', 'authorization', 'begins with x-'],
    ['API_KEY_PREFIXES', 'acme.,svc.prd.', 'None may begin with "svc."'],
    ['STATUS_READS_PER_SECOND', '0', 'from 1 to'],
    ['STATUS_READS_BURST', '4', 'from 5 to'],
    ['LINK_OPEN_SESSIONS', '9', 'from 10 to'],
    ['LINK_OPEN_SESSIONS_PER_ADDRESS', '1', 'from 2 to'],
    ['LINK_SESSION_RETENTION_HOURS', '24', 'from 25 to'],
    ['WEBHOOK_DELIVERY_RETENTION_DAYS', '7', 'from 8 to'],
    ['NASPIP_ISSUER', 'x', 'NASPIP_ISSUER'],
    ['NASPIP_SECRET_KEY', 'k4.secret.AAAA', 'NASPIP_SECRET_KEY'],
    ['NASPIP_KEY_EXPIRES_AT', '2100-02-30T00:00:00Z', 'ISO 8601'],
    ['NASPIP_KEY_EXPIRES_AT', '2020-01-01T00:00:00Z', 'Create a new key'],
    ['NETWORKS_FILE', 'does-not-exist.json', 'NETWORKS_FILE'],
    ['PAYMENT_WINDOW_SECONDS', '0', 'whole number from 10'],
    ['LOG_LEVEL', 'loud', 'one of info'],
    ['RATE_SOURCES', 'kraken,binance', 'list of kraken, coinbase, or none'],
    ['RATE_KRAKEN_URL', 'api.kraken.com', 'RATE_KRAKEN_URL must be a URL'],
    ['RATE_MAX_AGE_SECONDS', '9', 'whole number from 10'],
    ['RATE_MAX_SPREAD_BASIS_POINTS', '2%', 'whole number from 1'],
  ])('rejects an invalid value: %s=%s', (name, value, sentence) => {
    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, [name]: value })).toContain(sentence);
  });

  it('accepts a file of signing keys instead of configured ones, not both', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'settings-')), 'keys.json');
    const { secretKey: secret_key } = generatePaserkKeyPair();
    const signs_from = '2026-01-01T00:00:00Z';
    const token = { id: 'token-1', secret: `${'E'.repeat(42)}A`, signs_from };
    const naspip = { id: 'naspip-1', secret_key, signs_from, expires_at: '2100-01-01T00:00:00Z' };
    writeFileSync(path, JSON.stringify({ token: [token], naspip: [naspip] }));
    const { TOKEN_SIGNING_KEYS, NASPIP_KEY_ID, NASPIP_SECRET_KEY, NASPIP_KEY_EXPIRES_AT, ...others } =
      COMPLETE_SETTINGS;
    const fixed = { TOKEN_SIGNING_KEYS, NASPIP_KEY_ID, NASPIP_SECRET_KEY, NASPIP_KEY_EXPIRES_AT };
    const withFile = { ...others, SIGNING_KEYS_FILE: path };

    expect(findSettingsProblems(withFile)).toBe('');
    for (const [name, value] of Object.entries(fixed))
      expect(findSettingsProblems({ ...withFile, [name]: value })).toBe(
        `SIGNING_KEYS_FILE and ${name} are set. Use either the file or the other settings.`,
      );
    expect(findSettingsProblems({ ...withFile, NASPIP_ISSUER: 'x' })).toContain(
      'NASPIP_ISSUER must be 5 to 20',
    );
    expect(findSettingsProblems({ ...withFile, SIGNING_KEYS_FILE: `${path}.gone` })).toBe(
      'SIGNING_KEYS_FILE: It cannot be read: ENOENT.',
    );
    writeFileSync(
      path,
      JSON.stringify({ token: [{ ...token, secret: 'x' }], naspip: [{ ...naspip, id: 'x' }] }),
    );
    expect(findSettingsProblems(withFile).split('\n')).toEqual([
      expect.stringContaining('SIGNING_KEYS_FILE: token key 1: secret'),
      expect.stringContaining('SIGNING_KEYS_FILE: naspip key 1: id'),
    ]);
  });

  it('shows no secret in a problem', () => {
    expect(
      findSettingsProblems({ ...COMPLETE_SETTINGS, TOKEN_SIGNING_KEYS: 'key-1:c2VjcmV0LXZhbHVl' }),
    ).not.toContain('c2VjcmV0');
  });

  it('locates a JSON error in the networks file without showing its content', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'networks.json');
    writeFileSync(file, '[\n  {"rpc_urls": ["https://rpc.example/SECRET",]}\n]');

    const problems = findSettingsProblems({ ...COMPLETE_SETTINGS, NETWORKS_FILE: file });

    expect(problems).toBe('NETWORKS_FILE: line 2, column 46: is not valid JSON');
  });

  it('rejects development settings in production', () => {
    expect(findSettingsProblems(PRODUCTION_SETTINGS)).toBe('');
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, WEBHOOK_ALLOW_LOOPBACK_HTTP: 'true' })).toContain(
      'development only',
    );
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, PUBLIC_URL: 'http://api.example' })).toContain(
      'PUBLIC_URL',
    );
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, PUBLIC_URL: undefined })).toContain(
      'PUBLIC_URL is missing',
    );
    for (const name of ['RATE_KRAKEN_URL', 'RATE_COINBASE_URL']) {
      expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, [name]: 'http://rates.example' })).toContain(
        name,
      );
      expect(findSettingsProblems({ ...COMPLETE_SETTINGS, [name]: 'http://127.0.0.1:1' })).toBe('');
    }
  });

  it('accepts values for the examples at /docs only in development', () => {
    const DOCS_EXAMPLES = '{"posID":"till"}';

    expect(readSettings({ ...COMPLETE_SETTINGS, DOCS_EXAMPLES }).process.docsExamples).toEqual({
      posID: 'till',
    });
    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, DOCS_EXAMPLES: '[' })).toContain('DOCS_EXAMPLES');
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, DOCS_EXAMPLES })).toContain(
      'DOCS_EXAMPLES is for development only; SERVICE_ENV is production.',
    );
  });

  it('rejects development chains in staging and production', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'networks.json');
    const [network] = JSON.parse(readFileSync('docs/reference/networks/evm-networks.json', 'utf8'));
    writeFileSync(file, JSON.stringify([{ ...network, chain_id: 31_337 }]));

    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, NETWORKS_FILE: file })).toBe('');
    expect(findSettingsProblems({ ...PRODUCTION_SETTINGS, NETWORKS_FILE: file })).toContain(
      'for development only',
    );
  });

  it.each<[string, object, string]>([
    ['production', { rpc_urls: ['http://127.0.0.1:1', 'https://a'] }, 'rpc_urls[0]: must be an https URL'],
    ['staging', { rpc_urls: ['http://127.0.0.1:1', 'https://a'] }, 'rpc_urls[0]: must be an https URL'],
    ['development', { rpc_urls: ['http://10.0.0.1', 'https://a'] }, 'rpc_urls[0]: must be an https URL'],
    ['production', { finality: { confirmations: 1 } }, 'finality.confirmations: must be at least two'],
    ['staging', { finality: { confirmations: 1 } }, 'finality.confirmations: must be at least two'],
    ['production', { finality: { confirmations: 1 }, single_confirmation: 'accepted' }, ''],
    ['development', { finality: { confirmations: 1 } }, ''],
  ])('validates the networks by the rules of the environment: %s, %j', (environment, changes, problem) => {
    const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'networks.json');
    const networks = JSON.parse(
      readFileSync('docs/reference/networks/evm-networks.json', 'utf8'),
    ) as object[];
    const network = networks.find((each) => !('confirmations' in each));
    writeFileSync(file, JSON.stringify([{ ...network, ...changes }]));

    const problems = findSettingsProblems({
      ...PRODUCTION_SETTINGS,
      SERVICE_ENV: environment,
      NETWORKS_FILE: file,
    });

    expect(problems).toContain(problem === '' ? '' : `NETWORKS_FILE: networks[0].${problem}`);
    expect(problems === '').toBe(problem === '');
  });

  it.each([
    [undefined, ['https://api.kraken.com', 'https://api.coinbase.com']],
    ['kraken', ['https://api.kraken.com']],
    ['coinbase, kraken', ['https://api.kraken.com', 'https://api.coinbase.com']],
    ['none', []],
  ])('reads the sources of prices: RATE_SOURCES=%s gives %j', (RATE_SOURCES, urls) => {
    const { contexts } = readSettings({ ...COMPLETE_SETTINGS, RATE_SOURCES });
    const rates = contexts.find((settings) => settings instanceof RatesSettings);

    expect(rates?.sources.map(({ url }) => url)).toEqual(urls);
    expect(rates).toMatchObject({ freshMs: 10_000, staleMs: 60_000, maxSpreadBasisPoints: 200 });
  });

  it('documents all settings in .env.example', () => {
    const source = [
      'app/settings/settings.ts',
      'app/settings/read-checkout-settings.ts',
      'app/settings/read-dashboard-settings.ts',
      '../sandbox/sandbox-settings.ts',
    ]
      .map((file) => readFileSync(`src/${file}`, 'utf8'))
      .join();
    const documented = readFileSync('.env.example', 'utf8');
    const names = new Set([...source.matchAll(/'([A-Z]+(?:_[A-Z]+)+)'/g)].map(([, name]) => name!));

    expect(names.size).toBeGreaterThan(15);
    for (const name of names) expect(documented).toMatch(new RegExp(`^(# )?${name}=`, 'm'));
  });
});
