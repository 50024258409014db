import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { type KeyObject, createSecretKey, hkdfSync } from 'node:crypto';

export interface StreamLimits {
  /** Maximum time between two received bytes. */
  readonly silenceMs: number;
  /** Maximum time until the last byte. */
  readonly totalMs: number;
  /** Maximum number of bytes held in memory, from one log or transaction to the next. */
  readonly elementBytes: number;
}

/** Timeouts for nodes, and limits on their answers held in memory. */
export interface RpcPatience {
  /** Timeout of one call, to the last byte of its answer. */
  readonly callTimeoutMs: number;
  readonly retryAfterMs: readonly number[];
  /** How long a failed endpoint is skipped: initially, and at most after repeated failures. */
  readonly backOffMs?: readonly [first: number, most: number];
  /** Interval for polling the heads of the endpoints that blocks are not read from. */
  readonly headsEveryMs?: number;
  /** Maximum size of an answer that is parsed in one piece. Default: 32 MiB. */
  readonly parsedBytes?: number;
  readonly streaming?: StreamLimits;
  /** Maximum number of transfers in memory whose recipients have not been looked up yet. Default: 5,000. */
  readonly heldMovements?: number;
}

/**
 * Location of the key that pays for gas: in this process's memory, or in a separate signer with a JSON-RPC interface.
 */
export type GasKeySource =
  | { readonly kind: 'private_key'; readonly privateKey: string }
  | { readonly kind: 'signer'; readonly url: string; readonly address: string };

/** A refund float whose key is in a separate signer with a JSON-RPC interface. */
export interface SignedFloat {
  /** The organization's id, a UUID in lower case. */
  readonly organizationId: string;
  readonly network: string;
  readonly address: string;
}

/**
 * Source of the keys of refund floats: derived from one secret in memory, or held by a separate signer with a JSON-RPC
 * interface.
 */
export type FloatKeySource =
  | { readonly kind: 'master_secret'; readonly secret: MasterSecret }
  | { readonly kind: 'signer'; readonly url: string; readonly floats: readonly SignedFloat[] };

/**
 * The operator's configuration, as read by `parseNetworksConfiguration`. Provided by the module that composes the
 * application.
 */
export class NetworksSettings {
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    readonly patience: RpcPatience = { callTimeoutMs: 4_000, retryAfterMs: [100, 400] },
    /** Key that pays for gas. Null in a process that sends no transactions. */
    readonly gasKey: GasKeySource | null = null,
    /** Keys of refund floats. Null in a process that signs nothing for them. */
    readonly floatKeys: FloatKeySource | null = null,
  ) {}
}

/** A 256-bit secret that other secrets are derived from. Logs, errors and JSON cannot show it. */
export class MasterSecret {
  readonly #secret: KeyObject;

  /**
   * @param digits 64 hexadecimal digits, with or without `0x`
   * @throws Error that does not quote the digits
   */
  constructor(digits: string) {
    if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(digits))
      throw new Error('A master secret must be 64 hexadecimal digits.');
    this.#secret = createSecretKey(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  }

  /**
   * Derives a secret with HKDF-SHA256 (RFC 5869) without a salt.
   * @param info text that is unique to each derived secret
   */
  derive(info: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), info, bytes));
  }
}
