import type { Asset } from '../../../shared/kernel/asset.js';
import type { Network } from '../contract/network-catalogue.js';

/** One network as the operator configures it. */
export interface NetworkConfiguration extends Network {
  /** JSON-RPC endpoints over HTTP, one to eight, no two the same; they may carry access keys and are never shown. */
  readonly rpcUrls: readonly string[];
  /** EIP-55; absent: the factory of the committed deployment. */
  readonly factory?: string;
  /** At least one. */
  readonly assets: readonly Asset[];
}
