import type { Asset } from '../../../shared/kernel/asset.js';
import type { Network } from '../contract/network-catalogue.js';

/** One network as the operator configures it. */
export interface NetworkConfiguration extends Network {
  /** The JSON-RPC endpoint over HTTP, one for now; it may carry an access key and is never shown. */
  readonly rpcUrls: readonly string[];
  /** EIP-55; absent: the factory of the committed deployment. */
  readonly factory?: string;
  /** At least one. */
  readonly assets: readonly Asset[];
}
