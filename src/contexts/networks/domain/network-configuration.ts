import type { Asset } from '#shared/kernel/asset.js';
import { isLoopbackHost, parseIpAddress } from '#shared/kernel/ip-range.js';
import { requiredConfirmations } from '../contract/finality-depth.js';
import type { Network } from '../contract/network-catalogue.js';
import type { SettlementPolicy } from '../contract/settlement-policies.js';

export interface NetworkConfiguration extends Network {
  readonly chainId: number;
  /** HTTP endpoints: one to eight, without duplicates. URLs may contain access keys and are never displayed. */
  readonly rpcUrls: readonly string[];
  /** To each endpoint, from each process. Absent: no limit but the endpoint's own. */
  readonly maxCallsPerSecond?: number;
  /** In development, no risk needs to be accepted. */
  readonly acceptedRisks: ReadonlySet<NetworkRisk>;
  /** Addresses of contracts, besides tokens, that deposit addresses depend on. */
  readonly contracts: readonly string[];
  readonly settlement: SettlementPolicy;
  readonly assets: readonly Asset[];
}

/**
 * - `single_endpoint`: nothing cross-checks the only endpoint
 * - `single_confirmation`: a payment is final in its first block, which any reorganization can undo
 * - `plain_endpoint`: an attacker between the service and the node can read its password and change its answers
 */
export type NetworkRisk = ChainRisk | 'plain_endpoint';

export type ChainRisk = 'single_endpoint' | 'single_confirmation';

export interface RiskSettings extends Pick<Network, 'finality'> {
  readonly rpcUrls: readonly string[];
  readonly assets: readonly Pick<Asset, 'depths'>[];
}

/**
 * Only for the largest amounts: an operator who configured confirmations by amount chose fewer for small amounts on
 * purpose.
 */
export function findNetworkRisks({ rpcUrls, finality, assets }: RiskSettings): ChainRisk[] {
  return [
    ...(rpcUrls.length === 1 ? (['single_endpoint'] as const) : []),
    ...(finality.kind === 'confirmations' &&
    assets.some((asset) => requiredConfirmations({ finality }, asset, null) === 1)
      ? (['single_confirmation'] as const)
      : []),
  ];
}

const PRIVATE_RANGES: ReadonlySet<string> = new Set(['private', 'uniqueLocal']);

/** True for an `http:` URL whose host is a loopback or private address. Does not resolve host names. */
export function isPrivateHttpUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const range = parseIpAddress(hostname.replace(/^\[|\]$/g, ''))?.range();
  return (
    protocol === 'http:' && (isLoopbackHost(hostname) || (range !== undefined && PRIVATE_RANGES.has(range)))
  );
}
