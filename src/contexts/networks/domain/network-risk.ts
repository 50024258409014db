import type { Network } from '../contract/network-catalogue.js';

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
