import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementStatus, SettlementStatusChanged } from '../../contract/settlement-events.js';

/** The statuses that a record can have: it is made once its money is in a block. */
export type RecordedStatus = Exclude<SettlementStatus, 'pending'>;

/** A settlement that was final fails only by a reorganisation below finality. */
const EDGES: Record<RecordedStatus, readonly RecordedStatus[]> = {
  processing: ['completed', 'failed'],
  completed: ['failed'],
  failed: [],
};

/** @throws Error where no edge leads there */
function settlementTransition(from: RecordedStatus, to: RecordedStatus): RecordedStatus {
  if (!EDGES[from].includes(to)) throw new Error(`A settlement cannot change from ${from} to ${to}.`);
  return to;
}

/** One deposit address that was emptied of the settlement's asset. Amounts in smallest units; the address in lower case. */
export interface EmptiedAddress {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly toSettlement: bigint;
  readonly toFee: bigint;
  readonly feeBasisPoints: number;
}

/** The part of a settlement that never changes. Addresses and hashes are lower-case hex. */
export interface SettlementFacts {
  readonly id: string;
  /** The payouts of one account in one transaction of one block. */
  readonly payoutsId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly settlementAddress: string;
  /** The contract that paid it out. */
  readonly from: string;
  readonly transactionHash: string;
  /** At least one. */
  readonly addresses: readonly EmptiedAddress[];
}

/** One transaction's delivery of one account's money, in one asset, to one settlement address. */
export class Settlement {
  private events: SettlementStatusChanged[] = [];

  private constructor(
    readonly facts: SettlementFacts,
    private current: RecordedStatus,
    /** The status under which it is stored; null where it is not. */
    readonly storedAs: RecordedStatus | null,
  ) {}

  /** A delivered settlement is in a block that may still be removed. */
  static delivered(facts: SettlementFacts, at: Date): Settlement {
    const settlement = new Settlement(facts, 'processing', null);
    settlement.recordStatus(at);
    return settlement;
  }

  static restore(facts: SettlementFacts, status: RecordedStatus): Settlement {
    return new Settlement(facts, status, status);
  }

  get status(): RecordedStatus {
    return this.current;
  }

  /** To the settlement address. */
  get amount(): bigint {
    return this.facts.addresses.reduce((sum, { toSettlement }) => sum + toSettlement, 0n);
  }

  /** To the fee recipient. */
  get feeAmount(): bigint {
    return this.facts.addresses.reduce((sum, { toFee }) => sum + toFee, 0n);
  }

  /** @throws Error where no settlement goes that way */
  becomes(status: RecordedStatus, at: Date): void {
    this.current = settlementTransition(this.current, status);
    this.recordStatus(at);
  }

  pullEvents(): SettlementStatusChanged[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  private recordStatus(occurredAt: Date): void {
    const { id, organizationId, accountId, addresses, payoutsId: _, ...facts } = this.facts;
    this.events.push({
      type: 'settlement.status_changed',
      aggregateId: id,
      organizationId,
      accountId,
      occurredAt,
      data: {
        status: this.current,
        ...facts,
        amount: this.amount.toString(),
        feeAmount: this.feeAmount.toString(),
        addresses: addresses.map(({ toSettlement, toFee, ...address }) => ({
          ...address,
          toSettlement: toSettlement.toString(),
          toFee: toFee.toString(),
        })),
      },
    });
  }
}

/** A change of the amount of an asset that waits at a deposit address, in smallest units; below zero where it takes. */
export interface WaitingChange {
  readonly network: string;
  /** In lower case. */
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly paymentRequestId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly currency: string;
  readonly decimals: number;
  readonly change: bigint;
}

export abstract class Settlements {
  /** Row-locked until the unit of work ends; one statement. @param payouts ids of payouts */
  abstract lockByPayouts(payouts: readonly string[]): Promise<Settlement[]>;
  /**
   * Stores states and events together with the changes of what waits, which is the amount booked less the amount paid out of
   * each deposit address and asset. As many statements for many as for one; refuses to run outside a unit of work.
   * @throws Error where one that was stored is no more as it was read
   */
  abstract save(
    settlements: readonly Settlement[],
    waiting: readonly WaitingChange[],
    at: Date,
  ): Promise<void>;
}
