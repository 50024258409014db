import type { Asset } from '#shared/kernel/asset.js';
import { type DomainError, unavailable } from '#shared/kernel/domain-error.js';
import type { NetworkFinality } from './finality-depth.js';

/** Network parameters for wallets in payers' browsers (EIP-155, EIP-3085). */
export interface BrowserWalletNetwork {
  readonly chainId: number;
  /** Absent if unknown; wallets then cannot add the network. */
  readonly nativeSymbol?: string;
  /** Absent if wallets must already know the network. */
  readonly rpcUrl?: string;
}

export interface Network extends NetworkFinality {
  /** Network name in the protocol: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  readonly name: string;
  /** Base URL without a trailing slash. Paths follow EIP-3091. */
  readonly explorerUrl?: string;
  /** Absent if browser wallets (EIP-1193) cannot pay on this network. */
  readonly browserWallets?: BrowserWalletNetwork;
  readonly family: string;
  /**
   * True if native coin can be received without a visible transfer, such as inside contract calls on EVM networks.
   */
  readonly hidesNativeTransfers: boolean;
  /** Approximate, for display to payers. */
  readonly blockSeconds: number;
  /** A transfer counts if its block timestamp is at most this many seconds after `expires_at`. */
  readonly inclusionGraceSeconds: number;
  /**
   * A transfer first seen by `expires_at` counts if its block is at most this many seconds later. Absent if pending
   * transfers are not tracked.
   */
  readonly pendingGraceSeconds?: number;
  /** True if payments go directly to the merchant, so that the service holds, settles and pays out nothing. */
  readonly deliversDirectly: boolean;
  /** New requests are refused if the newest block read is older. Blocks further in the future are not read. */
  readonly maxLagSeconds: number;
  /** Coin that pays for transactions, also if it is not an asset. Absent if its symbol is unknown. */
  readonly nativeCoin?: Pick<Asset, 'symbol' | 'decimals'>;
  /** Absent if the service pays no gas for payments by signature. */
  readonly sponsoring?: GasSponsorshipLimits;
}

/** Maximum cost of payments by signature to the gas key, in the smallest unit of the native coin. */
export interface GasSponsorshipLimits {
  /** Limit per payment request, including failed attempts. */
  readonly perPayment: bigint;
  /** Over the last 24 hours, on this network. */
  readonly perOrganizationAndDay: bigint;
  /** Over the last 24 hours, on this network. */
  readonly perDay: bigint;
}

/** All data is in memory. */
export abstract class NetworkCatalogue {
  abstract networks(): readonly Network[];
  /** @param name network name in lower case */
  abstract network(name: string): Network | undefined;
  /** Ids contain EIP-55 addresses; `token` is in lower case. */
  abstract assets(): readonly Asset[];
  /** The digits of a token address match in any case; everything else must match exactly. */
  abstract asset(uniqueAssetId: string): Asset | undefined;
  /**
   * False until this process has verified the chain, the factory and the tokens of the network. With another factory
   * or tokens, its blocks are still read. A network that accepts requests must also be watched (`isWatchedCondition`).
   */
  abstract acceptsPaymentRequests(network: string): boolean;
}

export function networkUnavailableError(network: string): DomainError {
  return unavailable(
    `The network ${network} is temporarily unavailable for new payment requests. Try again shortly, or use another network.`,
  );
}
