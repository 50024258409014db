import type { Asset } from '../../../shared/kernel/asset.js';

/** When a block can no longer disappear: a number of confirmations, or the chain's own `finalized` tag. */
export type Finality =
  | { readonly kind: 'confirmations'; readonly confirmations: number }
  /** `typicalConfirmations` is what a payer is told to expect; it decides nothing. */
  | { readonly kind: 'finalized'; readonly typicalConfirmations: number };

export interface Network {
  /** The protocol's network name: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  /** For people: `Ethereum`. */
  readonly name: string;
  /** EIP-155 */
  readonly chainId: number;
  readonly finality: Finality;
  /** About how long a block takes, in seconds; what a payer is told to expect. */
  readonly blockSeconds: number;
  /** A transfer counts when its block's timestamp is at most this many seconds past `expires_at`. */
  readonly inclusionGraceSeconds: number;
  /** How far the newest block read may lie behind the clock, in seconds, before new requests are refused. */
  readonly maxLagSeconds: number;
}

/** Confirmations at which payers and merchants are told that a transfer is final. */
export function requiredConfirmations(network: Network): number {
  return network.finality.kind === 'confirmations'
    ? network.finality.confirmations
    : network.finality.typicalConfirmations;
}

/** What this installation can collect, by configuration; in memory, so asking costs nothing. */
export abstract class NetworkCatalogue {
  abstract networks(): readonly Network[];
  abstract network(name: string): Network | undefined;
  abstract assets(): readonly Asset[];
  /** EVM token addresses match without regard to case. @returns the asset as the catalogue spells it */
  abstract asset(uniqueAssetId: string): Asset | undefined;
  /** False while the network's derivation disagrees with its chain: it takes no new requests but is still watched. */
  abstract takesRequests(network: string): boolean;
}
