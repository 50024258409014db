import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type { RefundEvent } from '../../contract/refund-events.js';
import type { RefundedAsset } from './refund.js';

export interface FloatPayout {
  /** Id of the refund or withdrawal. */
  readonly id: string;
  /**
   * Id of the outbound transaction. Equal to `id`, so that the payout has only one nonce. Different if a transaction that pays the
   * payout was found on the chain.
   */
  readonly sendingId: string;
  readonly kind: 'refund' | 'withdrawal';
  readonly floatId: string;
  readonly floatAddress: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly to: string;
  /** In units of the native coin. */
  readonly gasReserved: bigint;
  /** Null until the outbound transaction is planned and has a nonce. Never changed afterwards. */
  readonly call: PlannedTransfer['call'] | null;
  readonly sent: boolean;
  /** Number of consecutive refusals by the recipient. */
  readonly tries: number;
  /** Time since which every process that tried lacked the float's key. Null if the last process had it, or none has tried. */
  readonly keylessSince: Date | null;
  readonly orderedBy: string;
}

export interface NewFloatPayout extends Omit<
  FloatPayout,
  'sendingId' | 'call' | 'sent' | 'tries' | 'keylessSince'
> {
  readonly fromAllotment: boolean;
}

export interface PutOff {
  /** Reason, as a sentence. Null if the payout is only checked again. */
  readonly held: string | null;
  readonly seconds: number;
  readonly why?: 'recipient' | 'key';
}

export interface EndedPayout {
  readonly status: 'completed' | 'failed';
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** Cost of the transaction. 0 if no transaction of this service is in a block. */
  readonly gas: bigint;
  readonly failure: string | null;
}

export interface FloatPayment extends Pick<FloatPayout, 'to' | 'amount'> {
  readonly holding: string;
}

export abstract class FloatPayouts {
  /**
   * Reserves amount and gas of the locked float. Deducts the amount from the allotment if the payout uses one. Publishes the events.
   * @throws Error outside a unit of work
   */
  abstract reserve(payout: NewFloatPayout, events?: readonly RefundEvent[]): Promise<void>;
  /** Reads unfinished payouts that are due. Alternates between organizations; the oldest payouts of each are first. */
  abstract due(network: string, limit: number): Promise<FloatPayout[]>;
  abstract find(id: string): Promise<FloatPayout | null>;
  /**
   * Marks the payout as sent and stores its call. Must run in the unit of work that reserves the nonce.
   * @returns false, and changes nothing, if the payout has ended or was already sent @throws Error outside a unit of work
   */
  abstract send(id: string, call: PlannedTransfer['call']): Promise<boolean>;
  /** Reads the unfinished payouts of the locked float with this address and amount, oldest first. */
  abstract unended(floatId: string, payment: FloatPayment): Promise<FloatPayout[]>;
  /** Links the payout to this outbound transaction. Keeps an existing call. @throws Error outside a unit of work */
  abstract sentBy(id: string, sendingId: string, call: PlannedTransfer['call']): Promise<void>;
  abstract putOff(id: string, putOff: PutOff): Promise<void>;
  /**
   * Ends the payout and moves its reserved amount to the amounts that have left the float. A failed payout is credited to its
   * allotment again. If `payout.sent` is false, ends it only if it is still unsent: once a nonce is reserved, only the chain decides
   * the outcome. A payout that was linked to another outbound transaction in the meantime is not ended.
   * @returns false, and changes nothing, if the payout has already ended @throws Error outside a unit of work
   */
  abstract end(payout: FloatPayout, ended: EndedPayout, events?: readonly RefundEvent[]): Promise<boolean>;
  /** Lists the float's payouts: unfinished payouts first, then newest first. */
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
