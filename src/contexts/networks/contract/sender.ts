import type { DomainError } from '#shared/kernel/domain-error.js';

/** Name of the key that pays for gas. */
export const GAS_KEY = 'gas';

/** Name of the key of an organization's refund float: another key, and so another address, on each network. */
export function floatKeyOf(organizationId: string): string {
  return `float:${organizationId}`;
}

/** A call that the service sends from a key of its own. Addresses and data in hex with `0x`; smallest units. */
export interface SendingOrder {
  /** Chosen and kept by the caller: the same order again, with the same id, is not sent twice. */
  readonly id: string;
  readonly network: string;
  /**
   * Name of a key that the process holds: `gas`, which pays for gas and moves nothing of its own, or a refund float's, which
   * sends refunds and withdrawals of that float and nothing else.
   */
  readonly key: string;
  readonly purpose:
    'factory_deployment' | 'settlement' | 'authorized_transfer' | 'refund' | 'float_withdrawal';
  readonly call: {
    readonly to: string;
    readonly data: string;
    readonly value: bigint;
    readonly gasLimit: bigint;
  };
  /** The most to offer for one unit of gas, below the network's own ceiling. */
  readonly feeCeiling?: bigint;
  /**
   * No nonce is reserved while a first offer, twice the base fee and the tip, is above it. It bounds no offer: a reserved nonce
   * has to be used, since later ones of the key wait behind it.
   */
  readonly reservationCeiling?: bigint;
  /**
   * Called in the transaction that reserves the nonce, once for the id: what it stores is stored together with the nonce, and
   * what it throws leaves neither.
   */
  readonly alongside?: () => Promise<void>;
}

/** How far an order has come. */
export interface SendingFate {
  /**
   * `mined` is what one endpoint at least says, and may still be undone by a reorganisation; `final`, `reverted` (in a final
   * block, without effect), `foreign` (another transaction has the nonce for good, or it was released) and `cancelled` (the
   * operator had the nonce used up, or the order was revoked) stay: every endpoint shows the same, or of a released one nothing.
   */
  readonly state:
    'reserved' | 'signed' | 'broadcast' | 'mined' | 'final' | 'reverted' | 'foreign' | 'cancelled';
  readonly nonce: number;
  /** Hash of the attempt that is in a block; null before. */
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** True where the call had its effect in that block; null before. */
  readonly succeeded: boolean | null;
  /**
   * The cost of the mined attempt to the key besides its value, in the smallest unit of the native coin: gas, and what a
   * rollup charges for data and for its operator where the receipt says so. Null before it is final, and where a receipt
   * does not say a price.
   */
  readonly gasCost: bigint | null;
  /**
   * Responses of endpoints to the newest broadcast, and which endpoints do not show the receipt, for people; null before
   * both.
   */
  readonly response: string | null;
}

/** Sends planned calls from the keys of the service, each once: docs/decisions/0022-outbound-transactions.md. */
export abstract class Sender {
  /**
   * Address of a key that the process holds, in the one spelling by which addresses are matched.
   * @throws state_conflict where it holds no such key
   */
  abstract addressOf(network: string, key: string): string;
  /**
   * Reserves the order a nonce; from then on it is carried to its end by whichever process holds the key. Not to be called
   * inside a unit of work.
   * @throws validation_failed where the key may not send such a call; state_conflict where the key's account is no plain one,
   * holds too little or is held, or no node can take the call; ChainUnavailable; DomainError
   */
  abstract send(order: SendingOrder): Promise<SendingFate>;
  /**
   * Why nothing is sent by a key, and nothing may be promised of what it holds: the chain shows transactions of it that are not
   * stored, as after a restore of the database. Any of them may be the payment of an order that seems to be unsent. The process
   * needs no such key. Not to be called inside a unit of work.
   * @returns null where nothing holds it @throws ChainUnavailable
   */
  abstract holdOf(network: string, key: string, address: string): Promise<DomainError | null>;
  /**
   * Ends an order that nothing was signed for and whose key is lost: it is `foreign`, and the next order of the key takes its
   * nonce. Not to be called inside a unit of work.
   * @param alongside called in the transaction that ends it
   * @returns what `alongside` returns; null, and changes nothing, where it is signed or has ended, and where a later nonce of the
   * key is in use @throws state_conflict where `holdOf` shows why nothing is sent by the key; ChainUnavailable
   */
  abstract release<T>(id: string, alongside: () => Promise<T>): Promise<T | null>;
  /** @returns null where there is no such order */
  abstract fate(id: string): Promise<SendingFate | null>;
}
