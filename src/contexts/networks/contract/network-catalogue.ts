import type { Asset } from '#shared/kernel/asset.js';
import { type DomainError, unavailable } from '#shared/kernel/domain-error.js';
import type { Finality } from './finality-depth.js';

/** The facts of a network that wallets in payers' browsers are told (EIP-155, EIP-3085). */
export interface BrowserWalletNetwork {
  readonly chainId: number;
  /** Absent where nobody knows what its native coin is called: then no wallet can be asked to add it. */
  readonly nativeSymbol?: string;
  /** A public endpoint, which payers' wallets add the network by; absent where they have to know it already. */
  readonly rpcUrl?: string;
}

export interface Network {
  /** The protocol's network name: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  /** For people: `Ethereum`. */
  readonly name: string;
  /** Where its transactions and addresses can be looked at, without a slash at the end; paths follow EIP-3091. */
  readonly explorerUrl?: string;
  /** Absent where no wallet of a browser (EIP-1193) pays on it. */
  readonly browserWallets?: BrowserWalletNetwork;
  /** The chain type that its chain belongs to: `evm`. */
  readonly family: string;
  /**
   * True where native coin can arrive without a transfer that a block shows, as inside contract calls on EVM networks; it is
   * then found by balances.
   */
  readonly hidesNativeTransfers: boolean;
  readonly finality: Finality;
  /** About how long a block takes, in seconds; shown to payers. */
  readonly blockSeconds: number;
  /** A transfer counts when its block's timestamp is at most this many seconds past `expires_at`. */
  readonly inclusionGraceSeconds: number;
  /**
   * Transfers are followed before they are in a block: one that was seen by `expires_at` counts when it is in a block at
   * most this many seconds after `expires_at`. Absent where they are not.
   */
  readonly pendingGraceSeconds?: number;
  /** True where what arrives is the merchant's at once: nothing is held, settled or paid out by the service. */
  readonly deliversDirectly: boolean;
  /**
   * How far the newest block read may lie behind the clock, in seconds, before new requests are refused; no block is read
   * while its own time lies further ahead.
   */
  readonly maxLagSeconds: number;
  /** The most that the service pays for gas of payments by signature; absent where it pays none. */
  readonly sponsoring?: SponsoringLimits;
}

/** Limits of what payments by signature may cost the gas key, in the smallest unit of the native coin. */
export interface SponsoringLimits {
  /** For one payment request, with what failed. */
  readonly perPayment: bigint;
  /** For all of an organization in the last 24 hours, on this network. */
  readonly perOrganizationAndDay: bigint;
  /** For all in the last 24 hours, on this network. */
  readonly perDay: bigint;
}

/** Networks and assets that this installation can collect, by configuration; in memory, so asking costs nothing. */
export abstract class NetworkCatalogue {
  /** In the order of the configuration. */
  abstract networks(): readonly Network[];
  /** Finds a network by its name as it is spelled, which is in lower case. */
  abstract network(name: string): Network | undefined;
  /** In the order of the configuration, network by network; ids with EIP-55 addresses, `token` in lower case. */
  abstract assets(): readonly Asset[];
  /** The digits of a token's address match in any case, all else as it is spelled. @returns it as the catalogue spells it */
  abstract asset(uniqueAssetId: string): Asset | undefined;
  /**
   * True only while the network's chain, factory and tokens are proven to be ours, in this process. One whose factory or
   * tokens are others takes no new requests but is still read.
   */
  abstract takesRequests(network: string): boolean;
}

/** The error for a payment request on a network that takes none now. */
export function networkUnavailable(network: string): DomainError {
  return unavailable(
    `The network ${network} is temporarily unavailable for new payment requests. Try again shortly, or use another network.`,
  );
}
