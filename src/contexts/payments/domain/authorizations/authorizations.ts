import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { SignedAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { SponsoringLimits } from '#contexts/networks/contract/network-catalogue.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { AuthorizationFailure } from './authorization-rule.js';
import type { Sponsored } from './sponsoring-rule.js';

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

export abstract class Authorizations {
  /**
   * Finds the authorization with this payer and nonce. First searches this request, including assets selected earlier. Then
   * searches the token across all requests. Without a token, searches only this request.
   * @returns null if there is none
   */
  abstract find(
    signed: Pick<SignedAuthorization, 'authorization'> & Partial<SignedAuthorization>,
    request: PaymentRequestId,
  ): Promise<AuthorizationProgress | null>;
  /**
   * Until the unit of work ends, no other authorization on the network can be stored, and no other asset of the request selected.
   * @throws outside a unit of work
   */
  abstract lock(network: string, request: PaymentRequestId): Promise<void>;
  abstract sponsored(
    network: string,
    request: PaymentRequestId,
    organization: OrganizationId,
  ): Promise<Sponsored>;
  /** Sums the request's unfinished authorizations whose transfers are not yet seen, in smallest units. */
  abstract underWay(request: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /** Sums the account's unfinished, unseen authorizations in the token across all requests, in smallest units. */
  abstract promised(network: string, token: string, from: string): Promise<bigint>;
  /** @param limits currently configured @throws outside a unit of work */
  abstract store(authorization: PayersAuthorization, limits: SponsoringLimits): Promise<void>;
  /** Lists unfinished authorizations that are due, queued ones first, at most half of `limit` in each state. */
  abstract due(network: string, limit: number): Promise<DueAuthorization[]>;
  /**
   * Marks the authorization as sent, in the unit of work that reserves the nonce of its transaction.
   * @returns false, with nothing changed, if it has ended, was already sent, or exceeds the missing amount
   * @throws outside a unit of work
   */
  abstract send(id: string): Promise<boolean>;
  abstract putOff(id: string, putOff: PutOffAuthorization): Promise<void>;
  /** Returns the stored transfer of that value, from the payer to the deposit address, in the given transaction. */
  abstract transferIn(
    authorization: PayersAuthorization,
    transactionHash: string,
  ): Promise<AuthorizationTransfer | null>;
  /** Returns the first such transfer since the authorization was stored whose transaction belongs to no other authorization. */
  abstract transferBySomebody(authorization: PayersAuthorization): Promise<AuthorizationTransfer | null>;
  /** Returns true once the network was read up to that block and a reorganization can no longer remove the block. */
  abstract isReadPast(network: string, blockNumber: number): Promise<boolean>;
  /**
   * Ends the authorization. A queued authorization can end only if no nonce is reserved for it.
   * @returns false, with nothing changed, if it has already ended or was sent concurrently
   */
  abstract end(
    authorization: Pick<DueAuthorization, 'id' | 'state'>,
    ended: EndedAuthorization,
  ): Promise<boolean>;
}
