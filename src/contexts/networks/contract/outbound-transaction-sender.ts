import type { DomainError } from '#shared/kernel/domain-error.js';

export const GAS_KEY_NAME = 'gas';

/** Each network has a different key and therefore a different address. */
export function floatKeyName(organizationId: string): string {
  return `float:${organizationId}`;
}

/** Addresses are in the canonical spelling, data is hex with `0x`, amounts are in smallest units. */
export interface OutboundTransactionOrder {
  /** Idempotency key: a second order with the same id is not sent again. */
  readonly id: string;
  readonly network: string;
  /**
   * The key `gas` pays for gas and owns no other funds. The key of a refund float sends only refunds and withdrawals
   * of that float.
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
  /** Maximum price to offer per unit of gas. */
  readonly feeCeiling?: bigint;
  /** Compared with the first offer only: a reserved nonce must be used, because later nonces of the key wait for it. */
  readonly reservationCeiling?: bigint;
  /**
   * Called in the database transaction that reserves the nonce, once per id. Its writes commit together with the
   * nonce.
   */
  readonly alongside?: () => Promise<void>;
}

export interface OutboundTransactionStatus {
  /**
   * The last four are permanent: every endpoint reports the same. A reorganization can still undo `mined`. `foreign`:
   * another transaction used the nonce, or the order was released. `cancelled`: by the operator, or because the order
   * was revoked.
   */
  readonly state:
    'reserved' | 'signed' | 'broadcast' | 'mined' | 'final' | 'reverted' | 'foreign' | 'cancelled';
  /** On chains without nonces, the number of the order among those of its key. */
  readonly nonce: number;
  /** Null while no attempt is in a block. */
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** Null while the call is in no block. */
  readonly succeeded: boolean | null;
  /**
   * Includes gas and, if the receipt states them, a rollup's data and operator fees. Null before the attempt is
   * final, or if the receipt states no price.
   */
  readonly gasCost: bigint | null;
  /**
   * Endpoints' responses to the newest broadcast, and the endpoints that do not show the receipt, as text for
   * operators.
   */
  readonly response: string | null;
}

/** Sends planned calls from the service's keys, each exactly once: docs/decisions/0022-outbound-transactions.md. */
export abstract class OutboundTransactionSender {
  /**
   * @throws DomainError `state_conflict` if the process does not hold the key, or the service sends nothing there
   */
  abstract addressOf(network: string, key: string): string;
  /**
   * Must not be called inside a unit of work.
   * @throws DomainError `validation_failed` if the key may not send the call, `state_conflict` if its account holds
   * too little, is on hold or is no plain account; ChainUnavailable
   */
  abstract send(order: OutboundTransactionOrder): Promise<OutboundTransactionStatus>;
  /**
   * A key is on hold if the chain shows transactions that the database lacks, for example after a restore: any of
   * them may be the payment of an order that appears unsent. Its balance must not be promised.
   */
  abstract findHold(network: string, key: string, address: string): Promise<DomainError | null>;
  /**
   * The key's next order takes the nonce. Must not be called inside a unit of work.
   * @returns null without any change if the order is signed or has ended, or if a later nonce of the key is in use
   */
  abstract release<T>(id: string, alongside: () => Promise<T>): Promise<T | null>;
  abstract status(id: string): Promise<OutboundTransactionStatus | null>;
}
