import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { SignedAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { AuthorizationFailure } from './authorization-rule.js';

/**
 * State of an authorization. `queued`: no transaction was sent. `sent`: a nonce of the gas key is reserved. `seen`:
 * the transfer is stored and the outbound transaction is finished. `failed`: the authorization was not executed and
 * is not sent again.
 */
export type AuthorizationState = 'queued' | 'sent' | 'seen' | 'failed';

export interface PayersAuthorization extends SignedAuthorization {
  /** Id of the authorization and of its outbound transaction. */
  readonly id: string;
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Maximum gas cost reserved for the authorization, in the smallest unit of the native coin. */
  readonly reservedCost: bigint;
}

export interface AuthorizationProgress extends PayersAuthorization {
  readonly state: AuthorizationState;
  /**
   * Hash of the transaction that executed the authorization, possibly not final yet. Null before a node reports the
   * transaction.
   */
  readonly transactionHash: string | null;
  /** True if the watcher has stored the transfer of this transaction. */
  readonly isSeen: boolean;
  /** Why the authorization failed. Null if it has not failed. */
  readonly failure: FailureDetail | null;
}

export interface FailureDetail {
  readonly reason: AuthorizationFailure;
  /** Description of the failure as a complete sentence. */
  readonly says: string;
}

/** An unfinished authorization with the data that decides whether it may still be sent. */
export interface DueAuthorization extends PayersAuthorization {
  readonly state: 'queued' | 'sent';
  /** Number of consecutive refusals by simulation. */
  readonly refusals: number;
  /** True if the final blocks read include the time when the nonce of the authorization was first seen as used. */
  readonly isReadPastUse: boolean;
  /** Null if the payment request was pruned. */
  readonly request: {
    readonly status: PaymentRequestStatus;
    readonly expiresAt: Date;
    readonly uniqueAssetId: string | null;
    /** Missing amount in smallest units. Zero or negative if the request is paid. */
    readonly missing: bigint;
    /** Sum of the authorizations that were sent for the request and whose transfers have not been seen yet. */
    readonly coming: bigint;
  } | null;
}

export interface AuthorizationPostponement {
  readonly seconds: number;
  /** Sentence that explains why the authorization is blocked. Absent for a routine check. */
  readonly held?: string;
  /** True if the simulation refused the authorization for a reason other than a used nonce. */
  readonly isRefused?: boolean;
  /** True if the token reports the nonce as used, but no transfer is stored. */
  readonly isUsed?: boolean;
  /**
   * Hash of the transaction with which a third party executed the authorization. Its transfer is stored but not
   * final.
   */
  readonly transactionHash?: string;
}

export interface AuthorizationTransfer {
  readonly transactionHash: string;
  readonly isFinal: boolean;
}

export interface AuthorizationEnd {
  /** Hash of the transaction that contains the transfer. Null if there is none. */
  readonly transactionHash: string | null;
  /** Gas cost of the outbound transaction. 0 if none was sent. */
  readonly gasCost: bigint;
  /** Null if the authorization was executed. */
  readonly failure: FailureDetail | null;
}
