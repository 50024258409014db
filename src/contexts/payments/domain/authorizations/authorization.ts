import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { SignedTransferAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { TransferAuthorizationFailure } from './authorization-rule.js';

/**
 * `queued`: no transaction was sent. `sent`: a nonce of the gas key is reserved. `seen`: the transfer is stored and
 * the outbound transaction is finished. `failed`: the authorization was not executed and is not sent again.
 */
export type AuthorizationState = 'queued' | 'sent' | 'seen' | 'failed';

export interface PayerAuthorization extends SignedTransferAuthorization {
  readonly id: string;
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** In the smallest unit of the native coin. */
  readonly reservedCost: bigint;
}

export interface AuthorizationProgress extends PayerAuthorization {
  readonly state: AuthorizationState;
  /** Possibly not final yet. Null before a node reports the transaction. */
  readonly transactionHash: string | null;
  readonly isSeen: boolean;
  readonly failure: AuthorizationFailureDetail | null;
}

export interface AuthorizationFailureDetail {
  readonly reason: TransferAuthorizationFailure;
  readonly says: string;
}

export interface DueAuthorization extends PayerAuthorization {
  readonly state: 'queued' | 'sent';
  readonly refusals: number;
  /** The final blocks read include the time when the nonce was first seen as used. */
  readonly isReadPastUse: boolean;
  readonly request: {
    readonly status: PaymentRequestStatus;
    readonly expiresAt: Date;
    readonly uniqueAssetId: string | null;
    /** In smallest units. Zero or negative if the request is paid. */
    readonly missing: bigint;
    /** Authorizations that were sent for the request and whose transfers have not been seen yet. */
    readonly coming: bigint;
  } | null;
}

export interface AuthorizationPostponement {
  readonly seconds: number;
  /** Absent for a routine check. */
  readonly held?: string;
  /** True if the simulation refused for a reason other than a used nonce. */
  readonly isRefused?: boolean;
  /** The token reports the nonce as used, but no transfer is stored. */
  readonly isUsed?: boolean;
  /** A third party executed the authorization in this transaction. Its transfer is stored but not final. */
  readonly transactionHash?: string;
}

export interface AuthorizationTransfer {
  readonly transactionHash: string;
  readonly isFinal: boolean;
}

export interface AuthorizationOutcome {
  readonly transactionHash: string | null;
  /** 0 if no transaction was sent. */
  readonly gasCost: bigint;
  readonly failure: AuthorizationFailureDetail | null;
}
