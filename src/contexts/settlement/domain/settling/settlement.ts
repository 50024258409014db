import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementStatus, SettlementStatusChanged } from '../../contract/settlement-events.js';

/** A settlement is recorded once its funds are in a block. */
export type RecordedSettlementStatus = Exclude<SettlementStatus, 'pending'>;

/** A final settlement can only fail if a reorganization removes a final block. */
const SETTLEMENT_TRANSITIONS: Record<RecordedSettlementStatus, readonly RecordedSettlementStatus[]> = {
  processing: ['completed', 'failed'],
  completed: ['failed'],
  failed: [],
};

function requireTransition(
  from: RecordedSettlementStatus,
  to: RecordedSettlementStatus,
): RecordedSettlementStatus {
  if (!SETTLEMENT_TRANSITIONS[from].includes(to))
    throw new Error(`A settlement cannot change from ${from} to ${to}.`);
  return to;
}

/** Amounts in smallest units; address in lower case. */
export interface EmptiedAddress {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly toSettlement: bigint;
  readonly toFee: bigint;
  readonly feeBasisPoints: number;
}

/** The part of a settlement that never changes. Addresses and hashes are lower-case hex. */
export interface SettlementDetails {
  readonly id: string;
  /** Shared by the payouts from one account's deposit addresses in one transaction. */
  readonly payoutsId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly settlementAddress: string;
  readonly from: string;
  readonly transactionHash: string;
  readonly addresses: readonly EmptiedAddress[];
}

export class Settlement {
  private events: SettlementStatusChanged[] = [];

  private constructor(
    readonly facts: SettlementDetails,
    private current: RecordedSettlementStatus,
    /** Null if the settlement is not stored yet. */
    readonly storedAs: RecordedSettlementStatus | null,
  ) {}

  static createDelivered(facts: SettlementDetails, at: Date): Settlement {
    const settlement = new Settlement(facts, 'processing', null);
    settlement.recordStatus(at);
    return settlement;
  }

  static restore(facts: SettlementDetails, status: RecordedSettlementStatus): Settlement {
    return new Settlement(facts, status, status);
  }

  get status(): RecordedSettlementStatus {
    return this.current;
  }

  get amount(): bigint {
    return this.facts.addresses.reduce((sum, { toSettlement }) => sum + toSettlement, 0n);
  }

  get feeAmount(): bigint {
    return this.facts.addresses.reduce((sum, { toFee }) => sum + toFee, 0n);
  }

  changeStatus(status: RecordedSettlementStatus, at: Date): void {
    this.current = requireTransition(this.current, status);
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

/** In smallest units. Negative if the waiting balance decreases. */
export interface WaitingBalanceChange {
  readonly network: string;
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
  abstract lockByPayouts(payouts: readonly string[]): Promise<Settlement[]>;
  /** A waiting balance is the amount booked minus the amount paid out, per deposit address and asset. */
  abstract save(
    settlements: readonly Settlement[],
    waiting: readonly WaitingBalanceChange[],
    at: Date,
  ): Promise<void>;
}
