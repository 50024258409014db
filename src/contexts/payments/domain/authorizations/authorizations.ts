import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { SignedAuthorization } from '#contexts/networks/contract/authorized-transfers.js';
import type { SponsoringLimits } from '#contexts/networks/contract/network-catalogue.js';
import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';
import type { AuthorizationFailure } from './authorization-rule.js';
import type { Sponsored } from './sponsoring-rule.js';

/**
 * `queued`: nothing was sent. `sent`: a nonce of the gas key is reserved for it. `seen`: the transfer is stored, and what was sent is
 * over. `failed`: it was not carried out, and is not sent any more.
 */
export type AuthorizationState = 'queued' | 'sent' | 'seen' | 'failed';

/** A signed message that pays a payment request. */
export interface PayersAuthorization extends SignedAuthorization {
  /** The sending's too. */
  readonly id: string;
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly uniqueAssetId: string;
  /** The most that it may cost, in the smallest unit of the native coin. */
  readonly reservedCost: bigint;
}

/** How far one has come. */
export interface AuthorizationProgress extends PayersAuthorization {
  readonly state: AuthorizationState;
  /** The hash of the transaction that carried it out, or does as far as one node says; null before. */
  readonly transactionHash: string | null;
  /** True once the watcher has stored the transfer that this transaction made. */
  readonly isSeen: boolean;
  /** Null where it has not failed. */
  readonly failure: FailureDetail | null;
}

export interface FailureDetail {
  readonly reason: AuthorizationFailure;
  /** A sentence. */
  readonly says: string;
}

/** One that has not ended, with what decides whether it is still to be sent. */
export interface DueAuthorization extends PayersAuthorization {
  readonly state: 'queued' | 'sent';
  /** How often in a row simulation refused it. */
  readonly refusals: number;
  /** True once the network was read for good past the time at which its nonce was first shown as used. */
  readonly isReadPastUse: boolean;
  /** Null for a request that was pruned. */
  readonly request: {
    readonly status: PaymentRequestStatus;
    readonly expiresAt: Date;
    readonly uniqueAssetId: string | null;
    /** Smallest units; not above zero where it is paid. */
    readonly missing: bigint;
    /** The sum of what was sent for it and is not seen. */
    readonly coming: bigint;
  } | null;
}

export interface PutOffAuthorization {
  readonly seconds: number;
  /** A sentence why it does not go on; absent where it is only looked at again. */
  readonly held?: string;
  /** Simulation refuses it, for another reason than a used nonce. */
  readonly isRefused?: boolean;
  /** The token shows its nonce as used, and no transfer is stored. */
  readonly isUsed?: boolean;
  /** The hash of a transfer by somebody else that is stored and not final yet. */
  readonly transactionHash?: string;
}

export interface AuthorizationTransfer {
  readonly transactionHash: string;
  readonly isFinal: boolean;
}

export interface EndedAuthorization {
  /** The hash of the transaction with the transfer; null where there is none. */
  readonly transactionHash: string | null;
  /** The cost of what was sent; 0 where nothing was. */
  readonly gasCost: bigint;
  /** Null where it was carried out. */
  readonly failure: FailureDetail | null;
}

export abstract class Authorizations {
  /**
   * The one with that nonce of that payer: of that request, also in an asset that was selected before, or else of that token,
   * whichever request it pays; without a token, of that request alone. @returns null where there is none
   */
  abstract find(
    signed: Pick<SignedAuthorization, 'authorization'> & Partial<SignedAuthorization>,
    request: PaymentRequestId,
  ): Promise<AuthorizationProgress | null>;
  /**
   * No other authorization of the network is stored, and no other asset of the request selected, until the unit of work ends.
   * @throws outside a unit of work
   */
  abstract lock(network: string, request: PaymentRequestId): Promise<void>;
  abstract sponsored(
    network: string,
    request: PaymentRequestId,
    organization: OrganizationId,
  ): Promise<Sponsored>;
  /** The sum of what has not ended and whose transfer is not seen, in smallest units of the asset. */
  abstract underWay(request: PaymentRequestId, uniqueAssetId: string): Promise<bigint>;
  /** The sum of what that account signed in that token, whichever request it pays, likewise. */
  abstract promised(network: string, token: string, from: string): Promise<bigint>;
  /** @param limits in force @throws outside a unit of work */
  abstract store(authorization: PayersAuthorization, limits: SponsoringLimits): Promise<void>;
  /** Lists what has not ended and is due by now, unsent ones first, at most half of `limit` in each state. */
  abstract due(network: string, limit: number): Promise<DueAuthorization[]>;
  /**
   * In the unit of work that reserves the nonce of its sending.
   * @returns false, and changes nothing, where it has ended or was sent, or less is missing @throws outside a unit of work
   */
  abstract send(id: string): Promise<boolean>;
  abstract putOff(id: string, putOff: PutOffAuthorization): Promise<void>;
  /** The stored transfer of that value from its payer to its address in that transaction. */
  abstract transferIn(
    authorization: PayersAuthorization,
    transactionHash: string,
  ): Promise<AuthorizationTransfer | null>;
  /** The first such transfer since it was stored whose transaction is not another authorization's. */
  abstract transferBySomebody(authorization: PayersAuthorization): Promise<AuthorizationTransfer | null>;
  /** True once the network was read up to that block, and the block can no longer disappear. */
  abstract isReadPast(network: string, blockNumber: number): Promise<boolean>;
  /**
   * One that is queued ends only while no nonce is reserved for it.
   * @returns false, and changes nothing, where it has ended, or was sent meanwhile
   */
  abstract end(
    authorization: Pick<DueAuthorization, 'id' | 'state'>,
    ended: EndedAuthorization,
  ): Promise<boolean>;
}
