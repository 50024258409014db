import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type { RefundEvent } from '../../contract/refund-events.js';
import type { RefundedAsset } from './refund.js';

/** A payment from a float: an approved refund or a withdrawal. */
export interface FloatPayout {
  /** The id of the refund or the withdrawal. */
  readonly id: string;
  /** Equal to `id`, so that it has one nonce for ever; another id where a transaction that pays it was found on the chain. */
  readonly sendingId: string;
  readonly kind: 'refund' | 'withdrawal';
  readonly floatId: string;
  readonly floatAddress: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly to: string;
  /** Units of the native coin. */
  readonly gasReserved: bigint;
  /** Null before it is planned and its sending has a nonce; never changed after. */
  readonly call: PlannedTransfer['call'] | null;
  readonly sent: boolean;
  /** How often in a row its recipient was refused. */
  readonly tries: number;
  /** Since when no process that came to it had the float's key; null where one had, or none has come. */
  readonly keylessSince: Date | null;
  readonly orderedBy: string;
}

export interface NewFloatPayout extends Omit<
  FloatPayout,
  'sendingId' | 'call' | 'sent' | 'tries' | 'keylessSince'
> {
  /** True where it comes out of the account's allotment of the float. */
  readonly fromAllotment: boolean;
}

/** Why a payout does not go on. */
export interface PutOff {
  /** A sentence for people; null where it is only looked at again. */
  readonly held: string | null;
  readonly seconds: number;
  readonly why?: 'recipient' | 'key';
}

/** The end of a payout. */
export interface EndedPayout {
  readonly status: 'completed' | 'failed';
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** The cost of its transaction; 0 where none of the service's is in a block. */
  readonly gas: bigint;
  readonly failure: string | null;
}

export interface FloatPayment extends Pick<FloatPayout, 'to' | 'amount'> {
  readonly holding: string;
}

export abstract class FloatPayouts {
  /**
   * Reserves amount and gas of the float, which is locked, takes the amount from the allotment where it comes out of one, and
   * publishes the events.
   * @throws outside a unit of work
   */
  abstract reserve(payout: NewFloatPayout, events?: readonly RefundEvent[]): Promise<void>;
  /** Payouts that have not ended and are due by now: each organization in turn, of each the oldest first. */
  abstract due(network: string, limit: number): Promise<FloatPayout[]>;
  /** @returns null where there is none */
  abstract find(id: string): Promise<FloatPayout | null>;
  /**
   * In the unit of work that reserves the nonce of its sending: stores the call, and that it was sent.
   * @returns false, and changes nothing, where it has ended or was sent @throws outside a unit of work
   */
  abstract send(id: string, call: PlannedTransfer['call']): Promise<boolean>;
  /** Payouts of the locked float that have not ended, to that address and of that amount, oldest first. */
  abstract unended(floatId: string, payment: FloatPayment): Promise<FloatPayout[]>;
  /** It is sent by that sending; its call stays where it has one. @throws outside a unit of work */
  abstract sentBy(id: string, sendingId: string, call: PlannedTransfer['call']): Promise<void>;
  abstract putOff(id: string, putOff: PutOff): Promise<void>;
  /**
   * Ends it, takes it off what is reserved and puts it to what has left; a failed one goes back to its allotment. One that
   * was not sent is ended only if it was not sent by now either: a nonce is reserved for it, and the chain alone decides. One
   * that another sending pays by now is not ended by what became of the first.
   * @returns false, and changes nothing, where it has ended already @throws outside a unit of work
   */
  abstract end(payout: FloatPayout, ended: EndedPayout, events?: readonly RefundEvent[]): Promise<boolean>;
  /** Lists the float's payouts: those under way first, then newest first. */
  abstract list(floatId: string, limit: number): Promise<ShownPayout[]>;
}

export interface ShownPayout {
  readonly id: string;
  readonly kind: FloatPayout['kind'];
  readonly status: 'processing' | 'completed' | 'failed';
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly to: string;
  readonly held: string | null;
  readonly failure: string | null;
  readonly transactionHash: string | null;
  readonly orderedBy: string;
  readonly createdAt: Date;
}
