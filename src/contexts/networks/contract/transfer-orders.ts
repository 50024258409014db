import { DomainError } from '#shared/kernel/domain-error.js';
import type { OutboundTransactionOrder } from './outbound-transaction-sender.js';

export interface TransferOrder {
  readonly purpose: OutboundTransactionOrder['purpose'];
  readonly network: string;
  readonly organizationId: string;
  /** Address of the refund float, in the canonical spelling like `to`. */
  readonly from: string;
  readonly to: string;
  readonly uniqueAssetId: string;
  /** Smallest units. */
  readonly amount: bigint;
  /** True for a withdrawal that was ordered before its settlement address was changed. */
  readonly isRevoked: boolean;
}

/** Implemented by the module that orders transfers: docs/decisions/0038-order-check-before-signing.md. */
export abstract class TransferOrders {
  /** Reads the order and its history in the event log, but not the stored call. */
  abstract find(id: string): Promise<TransferOrder | null>;
}

/** Thrown for a call that must not be signed: it does not match its order, or its key may not send it. */
export class SigningOrderMismatch extends DomainError {
  constructor(says: string) {
    super('conflict', 'state_conflict', says);
  }
}

/** Thrown for a call that matches its order, if the order has been revoked. A cancellation may use the nonce. */
export class SigningOrderRevoked extends SigningOrderMismatch {}
