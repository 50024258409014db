import type { Asset } from '#shared/kernel/asset.js';
import { isLoopbackHost, readIpAddress } from '#shared/kernel/ip-range.js';
import { requiredConfirmations } from '../contract/finality-depth.js';
import type { Network } from '../contract/network-catalogue.js';
import type { SettlementPolicy } from '../contract/settlement-policies.js';

/** One network as the operator configures it, as far as every chain type has it. */
export interface NetworkConfiguration extends Network {
  /** The id that distinguishes its chain from all others: EIP-155 on EVM networks. */
  readonly chainId: number;
  /** Endpoints over HTTP, one to eight, no two the same. URLs may carry access keys and are never shown. */
  readonly rpcUrls: readonly string[];
  /** Risks that the operator accepted by name; in development nothing needs to be. */
  readonly acceptedRisks: ReadonlySet<NetworkRisk>;
  /** Addresses of the contracts, besides tokens, that deposit addresses rely on; empty where they need none. */
  readonly contracts: readonly string[];
  readonly settlement: SettlementPolicy;
  /** At least one. */
  readonly assets: readonly Asset[];
}

/**
 * A weakness of a network, named by the setting that accepts it. `single_endpoint`: nobody contradicts the only endpoint.
 * `single_confirmation`: a payment is final in its first block, which any reorganisation can take back.
 * `plain_endpoint`: whoever is between service and node can read its password and change its answers.
 */
export type NetworkRisk = ChainRisk | 'plain_endpoint';

/** A risk of what is believed of the chain, which development takes too. */
export type ChainRisk = 'single_endpoint' | 'single_confirmation';

/** The settings of a network that its risks follow from. */
export interface Risky extends Pick<Network, 'finality'> {
  readonly rpcUrls: readonly string[];
  readonly assets: readonly Pick<Asset, 'depths'>[];
}

/** A table by amount is a decision about small amounts, whatever its least is. */
export function risksOf({ rpcUrls, finality, assets }: Risky): ChainRisk[] {
  return [
    ...(rpcUrls.length === 1 ? (['single_endpoint'] as const) : []),
    ...(finality.kind === 'confirmations' &&
    assets.some((asset) => requiredConfirmations({ finality }, asset, null) === 1)
      ? (['single_confirmation'] as const)
      : []),
  ];
}

const INSIDE: ReadonlySet<string> = new Set(['private', 'uniqueLocal']);

/** True for a URL by http to an address of this machine or of a private network; names are not resolved. */
export function isPlainInside(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  const range = readIpAddress(hostname.replace(/^\[|\]$/g, ''))?.range();
  return protocol === 'http:' && (isLoopbackHost(hostname) || (range !== undefined && INSIDE.has(range)));
}
