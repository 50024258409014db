import type { NetworkConfiguration } from '../domain/network-configuration.js';
import { type KeyObject, createSecretKey, hkdfSync } from 'node:crypto';

/** For an answer of any length, read in parts. */
export interface StreamLimits {
  /** Without another byte. */
  readonly silenceMs: number;
  /** To the last byte. */
  readonly totalMs: number;
  /** The most that memory has to hold, from one log or transaction to the next. */
  readonly elementBytes: number;
}

/** How long a node is waited for, and how much of its answers is held in memory. */
export interface RpcPatience {
  /** For the whole of one call, to the last byte of its answer. */
  readonly callTimeoutMs: number;
  /** Pauses before each further try. */
  readonly retryAfterMs: readonly number[];
  /** How long an endpoint that failed is left alone: at first, and at most however often it failed. */
  readonly backOffMs?: readonly [first: number, most: number];
  /** How often the endpoints that are not read from are asked for their newest block. */
  readonly headsEveryMs?: number;
  /** The limit of an answer that is parsed as a whole; unless set 32 MiB. */
  readonly parsedBytes?: number;
  readonly streaming?: StreamLimits;
  /** Movements of which nobody was asked yet whose they are; unless set 5,000. */
  readonly heldMovements?: number;
}

/** Where the key that pays for gas is kept: in this process's memory, or in a program that signs by JSON-RPC. */
export type GasKeySource =
  | { readonly kind: 'private_key'; readonly privateKey: string }
  | { readonly kind: 'signer'; readonly url: string; readonly address: string };

/** A float whose key is kept in a program that signs by JSON-RPC. */
export interface SignedFloat {
  /** UUID in lower case. */
  readonly organizationId: string;
  readonly network: string;
  readonly address: string;
}

/** Where the keys of refund floats come from: out of one secret in this process's memory, or a program that signs by JSON-RPC. */
export type FloatKeySource =
  | { readonly kind: 'master_secret'; readonly secret: MasterSecret }
  | { readonly kind: 'signer'; readonly url: string; readonly floats: readonly SignedFloat[] };

/** The operator's configuration, as `parseNetworksConfiguration` read it; provided by the composition root. */
export class NetworksSettings {
  constructor(
    readonly networks: readonly NetworkConfiguration[],
    readonly patience: RpcPatience = { callTimeoutMs: 4_000, retryAfterMs: [100, 400] },
    /** Null in a process that sends nothing of its own. */
    readonly gasKey: GasKeySource | null = null,
    /** Null in a process that signs nothing from refund floats. */
    readonly floatKeys: FloatKeySource | null = null,
  ) {}
}

/** 256 bits that other secrets are derived from. Kept where neither logs, errors nor JSON show them. */
export class MasterSecret {
  readonly #secret: KeyObject;

  /** @param digits 64 hexadecimal digits, with or without `0x` @throws Error that does not quote them */
  constructor(digits: string) {
    if (!/^(?:0x)?[0-9a-fA-F]{64}$/.test(digits))
      throw new Error('A master secret must be 64 hexadecimal digits.');
    this.#secret = createSecretKey(Buffer.from(digits.replace(/^0x/, ''), 'hex'));
  }

  /** HKDF-SHA256 (RFC 5869) without a salt. @param info unlike that of anything else that is derived */
  derive(info: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, Buffer.alloc(0), info, bytes));
  }
}
