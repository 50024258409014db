import { DomainError } from '#shared/kernel/domain-error.js';
import type { SendingOrder } from './sender.js';

/** The transfer that the key of a refund float is to make. */
export interface OrderedTransfer {
  readonly purpose: SendingOrder['purpose'];
  readonly network: string;
  readonly organizationId: string;
  /** The float's address, in the spelling by which addresses are matched; so is `to`. */
  readonly from: string;
  readonly to: string;
  readonly uniqueAssetId: string;
  /** Smallest units. */
  readonly amount: bigint;
  /** True of a withdrawal whose settlement address has been changed since it was ordered. */
  readonly isRevoked: boolean;
}

/** Finds the order of a transfer before the transfer is signed. The context that orders transfers implements it: docs/decisions/0038-order-check-before-signing.md. */
export abstract class OrderedTransfers {
  /**
   * The order and its history in the event log decide, never the call that is stored.
   * @returns null where it was not ordered or has ended, or what is stored of it does not agree
   */
  abstract find(id: string): Promise<OrderedTransfer | null>;
}

/** The call is not to be signed: it is not the one that was ordered, or its key may not send it. */
export class NotAsOrdered extends DomainError {
  constructor(says: string) {
    super('conflict', 'state_conflict', says);
  }
}

/** The call was ordered, and the order holds no longer. All else agrees, so that its nonce may be used up. */
export class OrderRevoked extends NotAsOrdered {}
