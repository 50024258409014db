import { parseAbsoluteUrl, parseHttpsUrl } from '#shared/kernel/text.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { GasSponsorshipLimits } from '../../contract/network-catalogue.js';
import {
  ConfigurationReader,
  InvalidNetworksConfiguration,
  refuseDuplicates,
} from './configuration-reader.js';
import {
  type NetworkRisk,
  type RiskSettings,
  isPrivateHttpUrl,
  findNetworkRisks,
} from '../../domain/network-configuration.js';
import type { BrowserWalletNetwork } from '../../contract/network-catalogue.js';
import type { SettlementPolicy } from '../../contract/settlement-policies.js';

const MAX_ENDPOINTS = 8;

/** Two spellings of one URL must not count as independent endpoints. */
export function readUrls(reader: ConfigurationReader): string[] {
  const urls = reader.list('rpc_urls', readUrl);
  if (urls.length > MAX_ENDPOINTS)
    throw reader.toError('rpc_urls', `must name at most ${MAX_ENDPOINTS} endpoints`);
  refuseDuplicates(`${reader.path}.rpc_urls`, urls, null, asSent);
  return urls;
}

function asSent(url: string): string {
  const { username, password, origin, pathname, search } = new URL(url);
  return `${username}:${password}@${origin}${pathname}${search}`;
}

function readUrl(value: unknown, path: string): string {
  const url = typeof value === 'string' ? parseAbsoluteUrl(value) : undefined;
  if (typeof value !== 'string' || !['http:', 'https:'].includes(url?.protocol ?? '')) {
    throw new InvalidNetworksConfiguration(path, 'must be an http or https URL');
  }
  if (value.includes('#')) {
    throw new InvalidNetworksConfiguration(path, 'must not have a fragment (#…), which is never sent');
  }
  return value;
}

const ONLY_WHERE: Readonly<Record<NetworkRisk, string>> = {
  single_endpoint: 'rpc_urls names one endpoint',
  single_confirmation: 'finality is one confirmation',
  plain_endpoint: 'rpc_urls names a private address by http',
};

export const ACCEPTABLE_RISKS = Object.keys(ONLY_WHERE) as readonly NetworkRisk[];

/** A risk accepted in advance would go unnoticed when it arises later. */
export function readAcceptedRisks(
  reader: ConfigurationReader,
  network: RiskSettings,
): ReadonlySet<NetworkRisk> {
  const risks = [
    ...findNetworkRisks(network),
    ...(network.rpcUrls.some(isPrivateHttpUrl) ? ['plain_endpoint'] : []),
  ];
  const accepted = ACCEPTABLE_RISKS.filter((risk) => reader.has(risk));
  for (const risk of accepted) {
    reader.text(risk, (text) => text === 'accepted', 'must be "accepted" or omitted');
    if (!risks.includes(risk)) throw reader.toError(risk, `is allowed only if ${ONLY_WHERE[risk]}`);
  }
  return new Set(accepted);
}

const PLAIN_HTTPS = 'must be an https URL without a user, query or fragment';

function isPlainHttps(text: string): boolean {
  return parseHttpsUrl(text) !== undefined && !/[?#]/.test(text);
}

/** Requires plain HTTPS for the explorer, because its URL is displayed to users and opened in their browsers. */
export function readExplorer(reader: ConfigurationReader): { explorerUrl?: string } {
  if (!reader.has('explorer_url')) return {};
  const url = reader.text('explorer_url', isPlainHttps, PLAIN_HTTPS);
  return { explorerUrl: url.replace(/\/+$/, '') };
}

/** Displays only the public `wallet_rpc_url`, because `rpc_urls` may contain access keys. */
export function readBrowserWallets(
  reader: ConfigurationReader,
  chainId: number,
  nativeSymbol: string | undefined,
): BrowserWalletNetwork {
  return {
    chainId,
    ...(nativeSymbol !== undefined && { nativeSymbol }),
    ...(reader.has('wallet_rpc_url') && {
      rpcUrl: reader.text('wallet_rpc_url', isPlainHttps, PLAIN_HTTPS),
    }),
  };
}

/** Long enough to batch payouts and share transaction costs, and short enough that funds wait only for minutes. */
const DEFAULT_EVERY_SECONDS = 300;
const DEFAULT_GAS_SHARE_PERCENT = 2;
const DEFAULT_AFTER_HOURS = 168;

export const GAS_SPENDING_SETTINGS = ['settlement', 'sponsored_payments'] as const;

/**
 * @param decimals decimals of the native coin
 */
export function readGasSpending(network: ConfigurationReader, decimals: number) {
  const sponsoring = readSponsoring(network, decimals);
  return { settlement: readSettlementPolicy(network), ...(sponsoring && { sponsoring }) };
}

function readSettlementPolicy(network: ConfigurationReader): SettlementPolicy {
  const path = `${network.path}.settlement`;
  const value = network.has('settlement') ? network.raw('settlement') : {};
  const keys = ['every_seconds', 'max_gas_share_percent', 'after_hours', 'paused'];
  const policy = new ConfigurationReader(value, path, [], keys);
  const paused = policy.has('paused') ? policy.raw('paused') : false;
  if (typeof paused !== 'boolean') throw policy.toError('paused', 'must be true or false');
  return {
    everySeconds: policy.number('every_seconds', 0.1, 86_400, DEFAULT_EVERY_SECONDS),
    maxGasSharePercent: policy.number('max_gas_share_percent', 0.01, 100, DEFAULT_GAS_SHARE_PERCENT),
    afterHours: policy.number('after_hours', 0, 8_760, DEFAULT_AFTER_HOURS),
    isPaused: paused,
  };
}

/** A narrower limit above a wider one would have no effect. */
const SPONSORING_LIMIT_SETTINGS = ['per_payment', 'per_organization_and_day', 'per_day'] as const;

/** If absent, the service pays no gas for payments by signature. */
function readSponsoring(network: ConfigurationReader, decimals: number): GasSponsorshipLimits | null {
  if (!network.has('sponsored_payments')) return null;
  const path = `${network.path}.sponsored_payments`;
  const reader = new ConfigurationReader(network.raw('sponsored_payments'), path, SPONSORING_LIMIT_SETTINGS);
  const rule = `must be a decimal string of the native coin, above zero, with at most ${decimals} fraction digits`;
  const [perPayment, perOrganizationAndDay, perDay] = SPONSORING_LIMIT_SETTINGS.map((key) => {
    const amount = parseAmount(
      reader.text(key, () => true, rule),
      decimals,
    );
    if (typeof amount !== 'bigint') throw reader.toError(key, rule);
    return amount;
  }) as [bigint, bigint, bigint];
  if (perPayment > perOrganizationAndDay)
    throw reader.toError('per_payment', 'must not be above per_organization_and_day');
  if (perOrganizationAndDay > perDay)
    throw reader.toError('per_organization_and_day', 'must not be above per_day');
  return { perPayment, perOrganizationAndDay, perDay };
}
