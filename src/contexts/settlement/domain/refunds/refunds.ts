import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Refund, RefundState } from './refund.js';

/** The refunded sum of a payment request in one asset; locked while a refund of it is made. */
export interface RefundedSum extends Pick<RefundState, 'paymentRequestId' | 'organizationId' | 'accountId'> {
  readonly uniqueAssetId: string;
  /** Smallest units, as payments says now. */
  readonly received: bigint;
}

/** Repository. What is saved is stored with its events, together. */
export abstract class Refunds {
  /**
   * Locks the sum of the request and asset until the unit of work ends, and stores what was received by now, or what was
   * refunded where that is more. @returns what refunds that have not failed come to
   * @throws not_found where the account was deleted meanwhile
   */
  abstract lockSum(sum: RefundedSum): Promise<bigint>;
  /** Reads the sum that `lockSum` answers, without a lock. */
  abstract refunded(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /**
   * Adds it to the locked sum.
   * @param claimDigest SHA-256 of the claim; null without one
   * @throws state_conflict where the transaction of one that the merchant pays pays another one of the organization to the same address
   */
  abstract add(refund: Refund, claimDigest: Buffer | null): Promise<void>;
  /** @throws not_found, also for another tenant's */
  abstract find(scope: Scope, id: string): Promise<Refund>;
  /** Row-locked until the unit of work ends. @throws not_found, also for another tenant's */
  abstract lock(scope: Scope, id: string): Promise<Refund>;
  /** @returns null where there is none of that claim, or its end has come before anybody named an address */
  abstract findClaimed(claimDigest: Buffer): Promise<Refund | null>;
  /** Pending, nobody has named an address, and the claim has ended; row-locked, those that others have locked left out. */
  abstract lockUnclaimed(limit: number): Promise<Refund[]>;
  /**
   * Pending ones of an organization on a network, of that amount, whose payer has named that address: oldest first, and
   * row-locked.
   */
  abstract lockPending(
    organization: OrganizationId,
    payment: { readonly network: string; readonly to: string; readonly amount: bigint },
  ): Promise<Refund[]>;
  /**
   * Reads the newest refund of each payment request and asset that can still be ended and whose request had money reversed on
   * the network: pending, or approved and without a nonce.
   */
  abstract newestUnpaidOfReversed(network: string): Promise<Refund[]>;
  /** Processing ones on the network that their merchants pay: each organization in turn, of each those that nobody has asked the chain about for longest. */
  abstract takeFollowed(network: string, limit: number): Promise<Refund[]>;
  /** One that has failed is taken off its sum. */
  abstract save(refund: Refund): Promise<void>;
  /** Approved since then and not failed, in smallest units. Counted while the float is locked. */
  abstract approvedSince(account: AccountId, uniqueAssetId: string, since: Date): Promise<bigint>;
}

export interface RefundFilter {
  readonly status?: RefundState['status'] | undefined;
  readonly paymentRequestId?: PaymentRequestId | undefined;
}
