import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { type KeyObject, createSecretKey, hkdfSync } from 'node:crypto';

export interface RpcStreamLimits {
  /** Maximum time between two received bytes. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** Maximum number of bytes held in memory, from one log or transaction to the next. */
  readonly elementBytes: number;
}

export interface RpcClientOptions {
  /** Timeout of one call, to the last byte of its answer. */
  readonly callTimeoutMs: number;
  readonly retryAfterMs: readonly number[];
  /** How long a failed endpoint is skipped: initially, and at most after repeated failures. */
  readonly backOffMs?: readonly [first: number, most: number];
  /** Interval for polling the heads of the endpoints that blocks are not read from. */
  readonly headsEveryMs?: number;
  /** Requests a head once per block instead of once per cycle, with the block's contents. Default: false. */
  readonly headPerBlock?: boolean;
  /** Maximum size of an answer that is parsed in one piece. Default: 32 MiB. */
  readonly parsedBytes?: number;
  readonly streaming?: RpcStreamLimits;
  /** Maximum number of transfers in memory whose recipients have not been looked up yet. Default: 5,000. */
  readonly heldMovements?: number;
}

export type GasKeySource =
  | { readonly kind: 'private_key'; readonly privateKey: string }
  | { readonly kind: 'signer'; readonly url: string; readonly address: string };

export interface RemoteSignerFloat {
  /** UUID in lower case. */
  readonly organizationId: string;
  readonly network: string;
  readonly address: string;
}

export type FloatKeySource =
  | { readonly kind: 'master_secret'; readonly secret: FloatMasterSecret }
  | { readonly kind: 'signer'; readonly url: string; readonly floats: readonly RemoteSignerFloat[] };

export const DEFAULT_RPC_CLIENT_OPTIONS: RpcClientOptions = {
  callTimeoutMs: 4_000,
  retryAfterMs: [100, 400],
};

export class NetworksSettings {
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    readonly patience: RpcClientOptions = DEFAULT_RPC_CLIENT_OPTIONS,
    /** Null in a process that sends no transactions. */
    readonly gasKey: GasKeySource | null = null,
    /** Null in a process that signs nothing for refund floats. */
    readonly floatKeys: FloatKeySource | null = null,
  ) {}
}

/** Logs, errors and JSON cannot show the secret. */
export class FloatMasterSecret {
  readonly #secret: KeyObject;

  /**
   * @param digits 64 hexadecimal digits, with or without `0x`
   */
  constructor(digits: string) {
    if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(digits))
      throw new Error('A master secret must be 64 hexadecimal digits.');
    this.#secret = createSecretKey(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  }

  /** HKDF-SHA256 (RFC 5869) without a salt. @param info unique to each derived secret */
  derive(info: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), info, bytes));
  }
}
