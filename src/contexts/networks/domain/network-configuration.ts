import type { Asset } from '#shared/kernel/asset.js';
import type { Network } from '../contract/network-catalogue.js';
import type { SettlementPolicy } from '../contract/settlement-policies.js';

/** One network as the operator configures it, as far as every family of chains has it. */
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
 */
export type NetworkRisk = 'single_endpoint' | 'single_confirmation';

/** The settings of a network that its risks follow from. */
export interface Risky extends Pick<Network, 'finality'> {
  readonly rpcUrls: readonly string[];
}

export function risksOf({ rpcUrls, finality }: Risky): NetworkRisk[] {
  return [
    ...(rpcUrls.length === 1 ? (['single_endpoint'] as const) : []),
    ...(finality.kind === 'confirmations' && finality.confirmations === 1
      ? (['single_confirmation'] as const)
      : []),
  ];
}
