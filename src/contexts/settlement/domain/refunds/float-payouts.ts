import type { AccountId, OrganizationId } from '../../../../shared/kernel/ids.js';
import type { PlannedTransfer } from '../../../networks/contract/transfer-planning.js';
import type { RefundEvent } from '../../contract/refund-events.js';
import type { RefundedAsset } from './refund.js';

/** What a float pays: an approved refund or a withdrawal. */
export interface FloatPayout {
  /** Of the refund or the withdrawal, and of its sending: so it has one nonce for ever. */
  readonly id: string;
  readonly kind: 'refund' | 'withdrawal';
  readonly floatId: string;
  readonly floatAddress: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly to: string;
  /** Of the native coin. */
  readonly gasReserved: bigint;
  /** Null before it is planned; never changed after. */
  readonly call: PlannedTransfer['call'] | null;
  readonly sent: boolean;
  /** How often it was put off in a row. */
  readonly tries: number;
  readonly orderedBy: string;
}

export interface NewFloatPayout extends Omit<FloatPayout, 'call' | 'sent' | 'tries'> {
  /** Whether it takes from what the account is allotted of the float. */
  readonly fromAllotment: boolean;
}

/** What became of a payout for good. */
export interface EndedPayout {
  readonly status: 'completed' | 'failed';
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** What its transaction cost; 0 where none of ours is in a block. */
  readonly gas: bigint;
  readonly failure: string | null;
}

export abstract class FloatPayouts {
  /** Reserves amount and gas of the float, which is locked, and the amount of the allotment, and tells of it. @throws outside a unit of work */
  abstract reserve(payout: NewFloatPayout, events?: readonly RefundEvent[]): Promise<void>;
  /** Not ended, and due by now: oldest first. */
  abstract due(network: string, limit: number): Promise<FloatPayout[]>;
  /** @returns false, and stores nothing, where it has a call already */
  abstract plan(id: string, call: PlannedTransfer['call']): Promise<boolean>;
  abstract markSent(id: string): Promise<void>;
  /** Put off, with a sentence for people. @param failed counts as one more try in a row */
  abstract putOff(id: string, held: string | null, seconds: number, failed: boolean): Promise<void>;
  /**
   * Ends it, takes it off what is reserved and puts it to what has left; a failed one goes back to its allotment. One without a call is ended only if it has none by
   * now either: what has a call may have been sent.
   * @returns false, and changes nothing, where it has ended already @throws outside a unit of work
   */
  abstract end(payout: FloatPayout, ended: EndedPayout, events?: readonly RefundEvent[]): Promise<boolean>;
  /** Of an organization, newest first; those not ended alone, or some of all. */
  abstract ofFloat(floatId: string, limit: number): Promise<ShownPayout[]>;
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
