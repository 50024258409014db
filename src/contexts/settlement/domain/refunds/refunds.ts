import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { Refund, RefundState } from './refund.js';

/** The refunded sum of a payment request in one asset. It is locked while a refund is created. */
export interface RefundedSum extends Pick<RefundState, 'paymentRequestId' | 'organizationId' | 'accountId'> {
  readonly uniqueAssetId: string;
  /** Amount that payments has received for the request, in smallest units. */
  readonly received: bigint;
}

export abstract class Refunds {
  /**
   * Locks the refunded sum until the unit of work ends, and stores the greater of the received and the refunded amount.
   * @returns the sum of refunds that have not failed
   * @throws not_found if the account has been deleted
   */
  abstract lockSum(sum: RefundedSum): Promise<bigint>;
  /** Reads the refunded sum without a lock. */
  abstract refunded(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /** Reads the amount that the payment request has received, without reversed transfers, in smallest units. */
  abstract received(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /**
   * Adds the refund and increases the locked sum.
   * @param claimDigest SHA-256 of the claim code; null if the refund has none
   * @throws state_conflict if the merchant's transaction already pays another refund of the organization to the same
   * address
   */
  abstract add(refund: Refund, claimDigest: Buffer | null): Promise<void>;
  /** @throws not_found, also for a refund of another tenant */
  abstract find(scope: Scope, id: string): Promise<Refund>;
  /** Row-locks the refund until the unit of work ends. @throws not_found, also for a refund of another tenant */
  abstract lock(scope: Scope, id: string): Promise<Refund>;
  /** @returns null if no refund has this claim code, or if the claim expired before the payer named an address */
  abstract findClaimed(claimDigest: Buffer): Promise<Refund | null>;
  /** Row-locks pending refunds whose claim expired before the payer named an address. Skips locked rows. */
  abstract lockUnclaimed(limit: number): Promise<Refund[]>;
  /** Row-locks the organization's pending refunds with this network, address and amount, oldest first. */
  abstract lockPending(
    organization: OrganizationId,
    payment: { readonly network: string; readonly to: string; readonly amount: bigint },
  ): Promise<Refund[]>;
  /**
   * Reads the newest refund of each payment request and asset that can still be cancelled (pending, or approved without a nonce) and
   * whose payment request had a transfer reversed on the network.
   */
  abstract newestUnpaidOfReversed(network: string): Promise<Refund[]>;
  /**
   * Reads processing refunds that merchants pay on the network. Alternates between organizations; the least recently
   * checked refunds of each organization come first.
   */
  abstract takeFollowed(network: string, limit: number): Promise<Refund[]>;
  /** Saves the refund. If it failed, subtracts it from the refunded sum of the payment request. */
  abstract save(refund: Refund): Promise<void>;
  /**
   * Sums the refunds approved since the given time that have not failed, in smallest units. Call this while the float
   * is locked.
   */
  abstract approvedSince(account: AccountId, uniqueAssetId: string, since: Date): Promise<bigint>;
}

export interface RefundFilter {
  readonly status?: RefundState['status'] | undefined;
  readonly paymentRequestId?: PaymentRequestId | undefined;
}
