import type { NetworkConfiguration } from '../domain/network-configuration.js';

/** How long a node is waited for. */
export interface RpcPatience {
  /** For the whole of one call, to the last byte of its answer. */
  readonly callTimeoutMs: number;
  /** Pauses before each further try. */
  readonly retryAfterMs: readonly number[];
  /** How long an endpoint that failed is left alone: at first, and at most however often it failed. */
  readonly backOffMs?: readonly [first: number, most: number];
  /** How often the endpoints that are not read from are asked for their newest block. */
  readonly headsEveryMs?: number;
}

/** What the operator configured, as `parseNetworksConfiguration` read it; provided by the composition root. */
export class NetworksSettings {
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    readonly patience: RpcPatience = { callTimeoutMs: 4_000, retryAfterMs: [100, 400] },
  ) {}
}
