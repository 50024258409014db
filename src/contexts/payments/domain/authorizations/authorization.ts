import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { SignedAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { AuthorizationFailure } from './authorization-rule.js';

/**
 * `queued`: no transaction was sent. `sent`: a nonce of the gas key is reserved. `seen`: the transfer is stored and the
 * outbound transaction is finished. `failed`: the authorization was not executed and will not be sent again.
 */
export type AuthorizationState = 'queued' | 'sent' | 'seen' | 'failed';

export interface PayersAuthorization extends SignedAuthorization {
  /** Also the id of the outbound transaction. */
  readonly id: string;
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** Maximum gas cost, in the smallest unit of the native coin. */
  readonly reservedCost: bigint;
}

export interface AuthorizationProgress extends PayersAuthorization {
  readonly state: AuthorizationState;
  /** Hash of the transaction that executed the authorization. Before finality, one node's report is enough. Null until then. */
  readonly transactionHash: string | null;
  /** True after the watcher has stored the transfer made by this transaction. */
  readonly isSeen: boolean;
  /** Null unless it failed. */
  readonly failure: FailureDetail | null;
}

export interface FailureDetail {
  readonly reason: AuthorizationFailure;
  /** A complete sentence. */
  readonly says: string;
}

/** Unfinished authorization, with the facts that decide whether it may still be sent. */
export interface DueAuthorization extends PayersAuthorization {
  readonly state: 'queued' | 'sent';
  /** Number of consecutive refusals by simulation. */
  readonly refusals: number;
  /** True after the final blocks read include the time at which its nonce was first seen as used. */
  readonly isReadPastUse: boolean;
  /** Null if the request was pruned. */
  readonly request: {
    readonly status: PaymentRequestStatus;
    readonly expiresAt: Date;
    readonly uniqueAssetId: string | null;
    /** Smallest units; zero or negative if the request is paid. */
    readonly missing: bigint;
    /** Sum of the authorizations sent for the request whose transfers are not yet seen. */
    readonly coming: bigint;
  } | null;
}

export interface PutOffAuthorization {
  readonly seconds: number;
  /** Sentence that says why the authorization is blocked; absent for a routine check. */
  readonly held?: string;
  /** Simulation refused it for a reason other than a used nonce. */
  readonly isRefused?: boolean;
  /** The token reports the nonce as used, but no transfer is stored. */
  readonly isUsed?: boolean;
  /** Hash of the transaction in which a third party executed the transfer. The transfer is stored but not final. */
  readonly transactionHash?: string;
}

export interface AuthorizationTransfer {
  readonly transactionHash: string;
  readonly isFinal: boolean;
}

export interface EndedAuthorization {
  /** Hash of the transaction that contains the transfer; null if there is none. */
  readonly transactionHash: string | null;
  /** Gas cost of the outbound transaction; 0 if none was sent. */
  readonly gasCost: bigint;
  /** Null if the authorization was executed. */
  readonly failure: FailureDetail | null;
}
