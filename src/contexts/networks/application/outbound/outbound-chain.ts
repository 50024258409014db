import type { BroadcastResponse } from '../../domain/outbound/broadcast-response.js';
import type { NonceView, NonceUse, SilentEndpoint } from '../../domain/outbound/fate-on-chain.js';
import type { FeeLimits, FeeMarket, Fees } from '../../domain/outbound/fees.js';
import type { AccountState } from '../../domain/outbound/gas-key.js';
import type {
  PlannedCall,
  OutboundTransaction,
  OutboundPurpose,
} from '../../domain/outbound/outbound-transaction.js';

/** A transaction before its key signs it. */
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

/** The part of an attempt that is compared with its receipt. */
export interface OfferedAttempt extends SignedTransaction {
  readonly fees: Fees;
}

export interface MarketAtHead extends FeeMarket {
  /** The newest block, by the endpoint that is the furthest behind: one that runs ahead would stop all bumps. */
  readonly head: number;
}

/** A transaction as its signed bytes have it. */
export interface ReadTransaction extends UnsignedTransaction, Pick<SignedTransaction, 'hash'> {
  /** Recovered from the signature, in lower case. */
  readonly sender: string;
}

export interface BroadcastOutcome {
  readonly response: BroadcastResponse;
  /** Responses of the endpoints, for people. */
  readonly responses: string;
}

/** The questions that sending asks nodes of a chain type whose accounts have nonces. Each method throws `ChainUnavailable`. */
export abstract class OutboundChain {
  abstract chainId(network: string): number;
  /** Limits by configuration. */
  abstract feeLimits(network: string): FeeLimits;
  /** The contracts that a call of this purpose may go to, as calls spell addresses; none where it moves value. */
  abstract contracts(network: string, purpose: OutboundPurpose): readonly string[];
  /** Asks no node. @returns null for what is no signed transaction */
  abstract read(network: string, raw: string): Promise<ReadTransaction | null>;
  /**
   * The smallest count and balance of all endpoints that answer, and code where any shows some. One that counts too much
   * would have a nonce reserved that can never be mined; one that counts too little is corrected by the outbound transactions that are
   * stored. The greatest count is for what is held alone.
   */
  abstract account(network: string, address: string): Promise<AccountState>;
  /**
   * The lowest tip and the highest base fee of all endpoints that answer. A tip is paid as it is offered, so that one
   * endpoint alone must not raise it; of a base fee no more is paid than the block has.
   */
  abstract market(network: string): Promise<MarketAtHead>;
  /** How much gas the newest block could hold. */
  abstract blockGas(network: string): Promise<bigint>;
  /** Gas of a transaction of the account to itself, which moves nothing. */
  abstract gasToItself(network: string, address: string): Promise<bigint>;
  /**
   * The charge of a rollup besides gas, for writing the transaction to its own base chain and for its operator; 0 where
   * nothing is charged apart.
   */
  abstract dataFee(network: string, transaction: UnsignedTransaction): Promise<bigint>;
  /** Sends these bytes to every endpoint. Never throws for an endpoint that refuses or does not answer. */
  abstract broadcast(network: string, signed: SignedTransaction): Promise<BroadcastOutcome>;
  /**
   * The transaction that used the nonce, found by an endpoint that keeps state of its block, and shown in that block, which
   * is final, by every endpoint of the network. Null where any endpoint does not show it. Never throws for an endpoint.
   * @param hash of the transaction where it is known: no state of old blocks is needed then
   */
  abstract nonceUse(network: string, address: string, nonce: number, hash?: string): Promise<NonceUse | null>;
  /**
   * Asks every endpoint for the account's count, then for the receipts of the attempts and the block of one that there is. What
   * cannot be true of the attempt (a block above the endpoint's own head, more gas than its limit, a higher price than its own)
   * makes an endpoint one that did not answer.
   */
  abstract views(
    network: string,
    sending: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    attempts: readonly OfferedAttempt[],
  ): Promise<readonly (NonceView | SilentEndpoint)[]>;
}
