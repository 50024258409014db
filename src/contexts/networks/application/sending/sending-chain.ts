import type { BroadcastResponse } from '../../domain/sending/broadcast-response.js';
import type { EndpointView, NonceUse } from '../../domain/sending/fate-on-chain.js';
import type { FeeLimits, FeeMarket, Fees } from '../../domain/sending/fees.js';
import type { AccountState } from '../../domain/sending/gas-key.js';
import type { PlannedCall, SendingPurpose } from '../../domain/sending/sending.js';

/** What a key signs. */
export interface UnsignedTransaction {
  readonly chainId: number;
  readonly nonce: number;
  readonly call: PlannedCall;
  readonly fees: Fees;
}

/** Hex with `0x`. */
export interface SignedTransaction {
  readonly raw: string;
  readonly hash: string;
}

/** What signed bytes say. */
export interface ReadTransaction extends UnsignedTransaction, Pick<SignedTransaction, 'hash'> {
  /** By the signature, in lower case. */
  readonly sender: string;
}

export interface BroadcastOutcome {
  readonly response: BroadcastResponse;
  /** What each endpoint said, for people. */
  readonly responses: string;
}

/** What sending needs of the nodes of a family whose accounts have nonces. Each method throws `ChainUnavailable`. */
export abstract class SendingChain {
  abstract chainId(network: string): number;
  /** By configuration. */
  abstract feeLimits(network: string): FeeLimits;
  /** The contracts that a call of this purpose may go to, as calls spell addresses; none where it moves value. */
  abstract contracts(network: string, purpose: SendingPurpose): readonly string[];
  /** Asks no node. @returns null for what is no signed transaction */
  abstract read(network: string, raw: string): Promise<ReadTransaction | null>;
  /**
   * Of all endpoints that answer: the smallest count and balance, and code where any shows some. One that counts too much would
   * have a nonce reserved that can never be mined; one that counts too little is corrected by the sendings that are stored.
   */
  abstract account(network: string, address: string): Promise<AccountState>;
  abstract market(network: string): Promise<FeeMarket>;
  /** What a rollup charges for writing the transaction to its own base chain; 0 where nothing is charged apart. */
  abstract dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint>;
  /** Gives these bytes to every endpoint. Never throws for an endpoint that refuses or does not answer. */
  abstract broadcast(network: string, signed: SignedTransaction): Promise<BroadcastOutcome>;
  /**
   * The transaction that used the nonce, found by an endpoint that keeps state of its block, and shown in that block, which
   * is final, by every endpoint of the network. Null where any endpoint does not show it. Never throws for an endpoint.
   */
  abstract nonceUse(network: string, address: string, nonce: number): Promise<NonceUse | null>;
  /** Asks every endpoint for the account's count, then for the receipt of each hash; null for one that did not answer. */
  abstract views(
    network: string,
    address: string,
    hashes: readonly string[],
  ): Promise<readonly (EndpointView | null)[]>;
}
