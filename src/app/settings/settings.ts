import { readFileSync } from 'node:fs';
import { ChainWatchingSettings } from '#contexts/chain-watching/infrastructure/work/network-watchers.js';
import { TillSettings } from '#contexts/till/infrastructure/till-settings.js';
import {
  type ApiKeyCompatibility,
  IdentitySettings,
} from '#contexts/identity/infrastructure/identity-settings.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import {
  networkProblemsInDevelopment,
  networkProblemsInProduction,
} from '#contexts/networks/infrastructure/configuration/network-problems.js';
import { parseNetworksFile } from '#contexts/networks/infrastructure/configuration/parse-networks-file.js';
import {
  DEFAULT_RPC_CLIENT_OPTIONS,
  NetworksSettings,
} from '#contexts/networks/infrastructure/networks-settings.js';
import {
  PaymentsSettings,
  type NaspipKeys,
} from '#contexts/payments/application/requests/payments-settings.js';
import { RatesSettings, type RateSourceName } from '#contexts/rates/infrastructure/rates-settings.js';
import { PrintedCodeUrls } from '#contexts/point-of-sale/domain/point-of-sale.js';
import { SubscriptionSettings } from '#contexts/subscriptions/application/payer-page.js';
import { NotificationsSettings } from '#contexts/notifications/application/notifications-settings.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { parseTrustedProxies } from '#shared/platform/http/callers/caller-address-resolver.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { parseExampleValues } from '#shared/platform/http/openapi/example-values.js';
import { ENVIRONMENTS, type ProcessSettings, readCell, webProtocols } from './process-settings.js';
import {
  MAX_RATE_LIMIT,
  readCheckoutSettings,
  readPaymentLinkSettings,
  readPaymentWindow,
  readPublicRateLimits,
  readReceiptSettings,
} from './read-checkout-settings.js';
import { readDatabaseSettings } from './read-database-settings.js';
import { readMetricsAddress, readTracingSettings } from './read-observing-settings.js';
import { readDashboardSettings } from './read-dashboard-settings.js';
import { readEventDestinations } from './read-event-destinations.js';
import { readGasKey, readRefundKey, readRefundSettings } from './read-sending-keys.js';
import { readSigningKeys } from '../signing-keys/read-signing-keys.js';
import type { SigningKeys } from '../signing-keys/signing-keys.js';
import { SettingReader } from '#shared/platform/setting-reader.js';

const DEVELOPMENT_CHAIN_IDS = [31_337, 1_337];
const RATE_SOURCE_NAMES: readonly RateSourceName[] = ['kraken', 'coinbase'];
const LOG_LEVELS = ['info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'] as const;

export interface Settings {
  readonly process: ProcessSettings;
  readonly signingKeys: SigningKeys;
  readonly contexts: readonly object[];
}

/** `.env.example` documents the settings. @throws InvalidSettings with one sentence per problem */
export function readSettings(
  values: Readonly<Record<string, string | undefined>>,
  now: Date = new Date(),
): Settings {
  const reader = new SettingReader(values);
  const process = readProcess(reader);
  const windowSeconds = readPaymentWindow(reader);
  const issuer = reader.text('NASPIP_ISSUER');
  const signingKeys = readSigningKeys(reader, { now, windowSeconds, issuer });
  const identity = readIdentity(reader, process, signingKeys);
  const http = new HttpSettings(
    reader.parse('TRUSTED_PROXIES', parseTrustedProxies, '') ?? [],
    reader.integer('HTTP_CONNECTIONS', { min: 100, max: 1_000_000, fallback: 10_000 }),
    readPublicRateLimits(reader),
    process.environment === 'production',
    reader.flag('HSTS_INCLUDE_SUBDOMAINS'),
  );
  const networks = reader.parse('NETWORKS_FILE', readNetworksFile);
  rejectNetworks(reader, process, networks ?? []);
  const gasKey = readGasKey(reader, process);
  const floatKeys = readRefundKey(reader, process);
  const watching = readWatching(reader);
  const payments = readPayments(reader, windowSeconds, { issuer, keys: signingKeys.naspip });
  const rates = readRates(reader, process);
  const checkout = readCheckoutSettings(reader, process, signingKeys.token);
  const isSandbox = checkout.sandboxWalletUrl !== undefined;
  const refunds = readRefundSettings(reader, checkout.checkoutHost, isSandbox);
  const links = readPaymentLinkSettings(reader);
  const receipts = readReceiptSettings(reader);
  const { dashboard, people } = readDashboardSettings(reader, process);
  const webhooks = readWebhooks(reader, process);
  const destinations = readEventDestinations(reader, process);
  reader.requireValid();
  return {
    process,
    signingKeys,
    contexts: [
      http,
      identity!,
      new NetworksSettings(
        networks!,
        { ...DEFAULT_RPC_CLIENT_OPTIONS, headPerBlock: !watching.isFixed },
        gasKey,
        floatKeys,
      ),
      payments,
      watching,
      rates,
      checkout,
      refunds,
      new SubscriptionSettings(checkout.checkoutHost, isSandbox),
      new PrintedCodeUrls(checkout.checkoutHost),
      new TillSettings(checkout.checkoutHost, isSandbox),
      links,
      receipts,
      webhooks,
      destinations,
      dashboard,
      people,
      new NotificationsSettings(people.secretKeys),
    ],
  };
}

/** Without an interval, endpoints are called no oftener than the time between blocks requires. */
function readWatching(reader: SettingReader): ChainWatchingSettings {
  const name = 'WATCH_INTERVAL_MS';
  const intervalMs = reader.integer(name, { min: 50, max: 60_000, fallback: 500 });
  return new ChainWatchingSettings(intervalMs, reader.text(name, '') !== '');
}

function readProcess(reader: SettingReader): ProcessSettings {
  const environment = reader.choice('SERVICE_ENV', ENVIRONMENTS);
  const httpPort = reader.integer('HTTP_PORT', { min: 1, max: 65_535, fallback: 3000 });
  const local = environment === 'development' ? `http://127.0.0.1:${httpPort}` : undefined;
  return {
    environment,
    cell: readCell(reader),
    ...readDatabaseSettings(reader),
    httpHost: reader.text('HTTP_HOST', '127.0.0.1'),
    httpPort,
    drainSeconds: reader.integer('DRAIN_SECONDS', { min: 0, max: 60, fallback: 0 }),
    keepAliveSeconds: reader.integer('HTTP_KEEP_ALIVE_SECONDS', { min: 5, max: 3_600, fallback: 75 }),
    metrics: readMetricsAddress(reader, httpPort),
    tracing: readTracingSettings(reader, environment),
    publicUrl: reader.url('PUBLIC_URL', webProtocols(environment), local),
    logLevel: reader.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    docsExamples: readDocsExamples(reader, environment),
  };
}

function readDocsExamples(
  reader: SettingReader,
  environment: ProcessSettings['environment'],
): ProcessSettings['docsExamples'] {
  const values = reader.parse('DOCS_EXAMPLES', parseExampleValues, '{}') ?? {};
  if (Object.keys(values).length > 0 && environment !== 'development')
    reader.addProblem(`DOCS_EXAMPLES is for development only; SERVICE_ENV is ${environment}.`);
  return values;
}

function readIdentity(
  reader: SettingReader,
  process: ProcessSettings,
  { token: tokenKeys }: SigningKeys,
): IdentitySettings | undefined {
  const issuer = reader.text('TOKEN_ISSUER', 'payment-collection-service');
  const max = MAX_RATE_LIMIT;
  const limits = {
    exchangesPerMinute: reader.integer('TOKEN_EXCHANGES_PER_MINUTE', { min: 10, max, fallback: 60 }),
    failuresPerMinute: reader.integer('TOKEN_FAILURES_PER_MINUTE', { min: 3, max, fallback: 10 }),
    requestsPerSecond: reader.integer('CREDENTIAL_REQUESTS_PER_SECOND', { min: 10, max, fallback: 100 }),
    deviceCreationsPerMinute: reader.integer('DEVICE_CREATIONS_PER_MINUTE', { min: 1, max, fallback: 30 }),
  };
  if (tokenKeys.allKeys.length === 0) return undefined;
  try {
    return new IdentitySettings(
      process.environment,
      tokenKeys,
      issuer,
      `${issuer}/${process.environment}`,
      limits,
      undefined,
      readApiKeyCompatibility(reader),
    );
  } catch (error) {
    reader.addProblem(`TOKEN_SIGNING_KEYS: ${(error as Error).message}`);
    return undefined;
  }
}

function readApiKeyCompatibility(reader: SettingReader): ApiKeyCompatibility {
  const headerAlias = reader.text('API_KEY_HEADER_ALIAS', '').toLowerCase();
  if (!/^(?:x-[a-z0-9-]{1,60})?$/.test(headerAlias))
    reader.addProblem('API_KEY_HEADER_ALIAS must be the name of a header that begins with x-.');
  const prefixes = reader.text('API_KEY_PREFIXES', '').split(',').filter(Boolean);
  if (!prefixes.every((prefix) => /^(?!svc\.)[a-z0-9._-]{1,20}$/.test(prefix)))
    reader.addProblem(
      'API_KEY_PREFIXES must be prefixes of at most 20 lower-case letters, digits, points, hyphens and underscores, ' +
        'separated by commas, such as acme.prd. None may begin with "svc.".',
    );
  return { prefixes, ...(headerAlias !== '' && { headerAlias }) };
}

export function readNetworksFile(file: string): NetworkConfiguration[] {
  return parseNetworksFile(readFileSync(file, 'utf8'));
}

function rejectNetworks(
  reader: SettingReader,
  { environment }: ProcessSettings,
  networks: readonly NetworkConfiguration[],
): void {
  const isLive = environment !== 'development';
  if (isLive) rejectDevelopmentChains(reader, networks);
  const problems = isLive ? networkProblemsInProduction(networks) : networkProblemsInDevelopment(networks);
  for (const problem of problems) reader.addProblem(`NETWORKS_FILE: ${problem}`);
}

function rejectDevelopmentChains(reader: SettingReader, networks: readonly NetworkConfiguration[]): void {
  for (const { network, chainId } of networks) {
    if (network !== 'sandbox' && !DEVELOPMENT_CHAIN_IDS.includes(chainId)) continue;
    reader.addProblem(`NETWORKS_FILE names ${network} (chain id ${chainId}), which is for development only.`);
  }
}

function readPayments(reader: SettingReader, windowSeconds: number, naspip: NaspipKeys): PaymentsSettings {
  return new PaymentsSettings(windowSeconds, naspip, {
    perSecond: reader.integer('STATUS_READS_PER_SECOND', { min: 1, max: MAX_RATE_LIMIT, fallback: 1 }),
    burst: reader.integer('STATUS_READS_BURST', { min: 5, max: MAX_RATE_LIMIT, fallback: 5 }),
  });
}

function readRates(reader: SettingReader, process: ProcessSettings): RatesSettings {
  const protocols = webProtocols(process.environment);
  const urls: Record<RateSourceName, string> = {
    kraken: reader.url('RATE_KRAKEN_URL', protocols, 'https://api.kraken.com'),
    coinbase: reader.url('RATE_COINBASE_URL', protocols, 'https://api.coinbase.com'),
  };
  const listed = reader.text('RATE_SOURCES', RATE_SOURCE_NAMES.join());
  const names = listed === 'none' ? [] : listed.split(',').map((name) => name.trim());
  const sources = RATE_SOURCE_NAMES.filter((name) => names.includes(name));
  if (sources.length !== names.length) {
    reader.addProblem(
      `RATE_SOURCES must be a list of ${RATE_SOURCE_NAMES.join(', ')}, or none, not "${listed}".`,
    );
  }
  return new RatesSettings(
    sources.map((name) => ({ name, url: urls[name] })),
    {
      freshMs: reader.integer('RATE_FRESH_SECONDS', { min: 1, max: 60, fallback: 10 }) * 1000,
      restMs: reader.integer('RATE_REST_SECONDS', { min: 1, max: 60, fallback: 3 }) * 1000,
      staleMs: reader.integer('RATE_MAX_AGE_SECONDS', { min: 10, max: 3_600, fallback: 60 }) * 1000,
      maxSpreadBasisPoints: reader.integer('RATE_MAX_SPREAD_BASIS_POINTS', {
        min: 1,
        max: 5_000,
        fallback: 200,
      }),
    },
  );
}

function readWebhooks(reader: SettingReader, process: ProcessSettings): WebhooksSettings {
  const allowLoopbackHttp = reader.flag('WEBHOOK_ALLOW_LOOPBACK_HTTP');
  if (allowLoopbackHttp && process.environment !== 'development') {
    reader.addProblem(
      `WEBHOOK_ALLOW_LOOPBACK_HTTP is for development only; SERVICE_ENV is ${process.environment}.`,
    );
  }
  return new WebhooksSettings({
    secretKeys: reader.keyRing('WEBHOOK_SECRET_KEYS'),
    allowLoopbackHttp,
    perAccount: reader.integer('WEBHOOKS_PER_ACCOUNT', { min: 1, max: 10_000, fallback: 50 }),
    // At least 8 days, because the database rejects the deletion of attempts younger than a week.
    deliveryRetentionDays: reader.integer('WEBHOOK_DELIVERY_RETENTION_DAYS', {
      min: 8,
      max: 3_650,
      fallback: 90,
    }),
  });
}
