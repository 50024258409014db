import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { Refund, RefundSnapshot } from './refund.js';

/** The refunded sum of a payment request in one asset. Locked while a refund is created. */
export interface RefundedSum extends Pick<
  RefundSnapshot,
  'paymentRequestId' | 'organizationId' | 'accountId'
> {
  readonly uniqueAssetId: string;
  /** In smallest units. */
  readonly received: bigint;
}

export abstract class Refunds {
  /**
   * Locks until the unit of work ends. Returns the sum of refunds that have not failed.
   * @throws not_found if the account has been deleted
   */
  abstract lockSum(sum: RefundedSum): Promise<bigint>;
  /** Reads the refunded sum without a lock. */
  abstract findRefundedSum(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /** Excludes reversed transfers. In smallest units. */
  abstract findReceivedSum(paymentRequest: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /**
   * @param claimDigest SHA-256 of the claim code
   * @throws state_conflict if the merchant's transaction already pays another refund to the same address
   */
  abstract add(refund: Refund, claimDigest: Buffer | null): Promise<void>;
  abstract find(scope: TenantScope, id: string): Promise<Refund>;
  /** Locks the row until the unit of work ends. @throws not_found, also for a refund of another tenant */
  abstract lock(scope: TenantScope, id: string): Promise<Refund>;
  /** Null also if the claim expired before the payer named an address. */
  abstract findByClaimDigest(claimDigest: Buffer): Promise<Refund | null>;
  /** Skips locked rows. */
  abstract lockExpiredUnclaimed(limit: number): Promise<Refund[]>;
  /** Oldest first. */
  abstract lockPending(
    organization: OrganizationId,
    payment: { readonly network: string; readonly to: string; readonly amount: bigint },
  ): Promise<Refund[]>;
  /** Refunds without a nonce, of requests that had a transfer reversed on the network. */
  abstract newestUnpaidOfReversed(network: string): Promise<Refund[]>;
  /** Alternates between organizations; the least recently checked refunds of each organization come first. */
  abstract takeMerchantRefunds(network: string, limit: number): Promise<Refund[]>;
  /** If the refund failed, subtracts it from the refunded sum of the payment request. */
  abstract save(refund: Refund): Promise<void>;
  /** Stores the digest and the end of a new claim. The previous claim code then finds nothing. */
  abstract saveClaim(refund: Refund, claimDigest: Buffer): Promise<void>;
  /** Call this while the float is locked. Excludes failed refunds. In smallest units. */
  abstract sumApprovedSince(account: AccountId, uniqueAssetId: string, since: Date): Promise<bigint>;
}

export interface RefundFilter {
  readonly status?: RefundSnapshot['status'] | undefined;
  readonly paymentRequestIds?: readonly PaymentRequestId[] | undefined;
}
