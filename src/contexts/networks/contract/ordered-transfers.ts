import { DomainError } from '#shared/kernel/domain-error.js';
import type { SendingOrder } from './sender.js';

export interface OrderedTransfer {
  readonly purpose: SendingOrder['purpose'];
  readonly network: string;
  readonly organizationId: string;
  /** Address of the refund float, in the canonical spelling like `to`. */
  readonly from: string;
  readonly to: string;
  readonly uniqueAssetId: string;
  /** In smallest units. */
  readonly amount: bigint;
  /** True for a withdrawal whose settlement address was changed after the withdrawal was ordered. */
  readonly isRevoked: boolean;
}

/**
 * Finds the order of a transfer before the transfer is signed. The context that orders transfers implements this class:
 * docs/decisions/0038-order-check-before-signing.md.
 */
export abstract class OrderedTransfers {
  /**
   * Reads the order and its history in the event log, never the stored call.
   * @returns null if there is no such order, it has ended, or its stored data is inconsistent
   */
  abstract find(id: string): Promise<OrderedTransfer | null>;
}

/** The call must not be signed. It does not match the order, or its key may not send it. */
export class NotAsOrdered extends DomainError {
  constructor(says: string) {
    super('conflict', 'state_conflict', says);
  }
}

/** The call matches its order, but the order has been revoked. The nonce may be consumed by a cancellation. */
export class OrderRevoked extends NotAsOrdered {}
