import type { Asset } from '#shared/kernel/asset.js';
import { type DomainError, unavailable } from '#shared/kernel/domain-error.js';
import type { Finality } from './finality-depth.js';

/** Network parameters for wallets in payers' browsers (EIP-155, EIP-3085). */
export interface BrowserWalletNetwork {
  readonly chainId: number;
  /** Symbol of the native coin. Absent if unknown; wallets then cannot add the network. */
  readonly nativeSymbol?: string;
  /** Public RPC endpoint for wallets that add the network. Absent if wallets must already know the network. */
  readonly rpcUrl?: string;
}

export interface Network {
  /** Network name in the protocol: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  /** Display name, such as `Ethereum`. */
  readonly name: string;
  /** Base URL of the block explorer, without a trailing slash. Paths of transactions and addresses follow EIP-3091. */
  readonly explorerUrl?: string;
  /** Absent if browser wallets (EIP-1193) cannot pay on this network. */
  readonly browserWallets?: BrowserWalletNetwork;
  /** Name of the chain type, such as `evm`. */
  readonly family: string;
  /**
   * True if native coin can be received without a visible transfer, such as inside contract calls on EVM networks. The
   * watcher then finds it by comparing balances.
   */
  readonly hidesNativeTransfers: boolean;
  readonly finality: Finality;
  /** Approximate block time in seconds, for display to payers. */
  readonly blockSeconds: number;
  /** A transfer counts if its block timestamp is at most this many seconds after `expires_at`. */
  readonly inclusionGraceSeconds: number;
  /**
   * Grace period for transfers that are tracked before they are in a block. A transfer first seen by `expires_at`
   * counts if its block is at most this many seconds after `expires_at`. Absent if the network's pending transfers are
   * not tracked.
   */
  readonly pendingGraceSeconds?: number;
  /** True if payments go directly to the merchant, so that the service holds, settles and pays out nothing. */
  readonly deliversDirectly: boolean;
  /**
   * Maximum age of the newest block read, in seconds, before new requests are refused. Blocks whose timestamp is
   * further in the future than this are not read.
   */
  readonly maxLagSeconds: number;
  /** Limits on gas that the service pays for payments by signature. Absent if it pays none. */
  readonly sponsoring?: SponsoringLimits;
}

/** Maximum cost of payments by signature to the gas key, in the smallest unit of the native coin. */
export interface SponsoringLimits {
  /** Limit per payment request, including failed attempts. */
  readonly perPayment: bigint;
  /** Limit per organization on this network, over the last 24 hours. */
  readonly perOrganizationAndDay: bigint;
  /** Limit for all organizations on this network, over the last 24 hours. */
  readonly perDay: bigint;
}

/** Networks and assets that this installation is configured to collect. All data is in memory. */
export abstract class NetworkCatalogue {
  /** Returns the networks in configuration order. */
  abstract networks(): readonly Network[];
  /** @param name network name in lower case */
  abstract network(name: string): Network | undefined;
  /**
   * Returns the assets in configuration order, grouped by network. Ids contain EIP-55 addresses; `token` is in lower
   * case.
   */
  abstract assets(): readonly Asset[];
  /** Finds an asset by id. The digits of a token address match in any case; everything else must match exactly. */
  abstract asset(uniqueAssetId: string): Asset | undefined;
  /**
   * True after this process has proven the network's chain, factory and tokens. A network with the right chain but a
   * different factory or different tokens takes no new requests, but its blocks are still read.
   */
  abstract takesRequests(network: string): boolean;
}

export function networkUnavailable(network: string): DomainError {
  return unavailable(
    `The network ${network} is temporarily unavailable for new payment requests. Try again shortly, or use another network.`,
  );
}
