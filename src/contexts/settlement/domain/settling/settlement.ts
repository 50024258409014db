import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementStatus, SettlementStatusChanged } from '../../contract/settlement-events.js';

/** Status of a recorded settlement. A settlement is recorded once its funds are in a block. */
export type RecordedStatus = Exclude<SettlementStatus, 'pending'>;

/** A final settlement can only fail if a reorganisation removes a final block. */
const SETTLEMENT_TRANSITIONS: Record<RecordedStatus, readonly RecordedStatus[]> = {
  processing: ['completed', 'failed'],
  completed: ['failed'],
  failed: [],
};

/** @throws Error if the transition is not allowed */
function requireTransition(from: RecordedStatus, to: RecordedStatus): RecordedStatus {
  if (!SETTLEMENT_TRANSITIONS[from].includes(to))
    throw new Error(`A settlement cannot change from ${from} to ${to}.`);
  return to;
}

/** Deposit address that a settlement emptied. Amounts in smallest units; address in lower case. */
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
  /** Id shared by the payouts from one account's deposit addresses in one transaction. */
  readonly payoutsId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly settlementAddress: string;
  /** Contract that paid out the deposit addresses. */
  readonly from: string;
  readonly transactionHash: string;
  /** At least one address. */
  readonly addresses: readonly EmptiedAddress[];
}

/** Delivery of one account's funds, in one asset, to one settlement address, by one transaction. */
export class Settlement {
  private events: SettlementStatusChanged[] = [];

  private constructor(
    readonly facts: SettlementFacts,
    private current: RecordedStatus,
    /** Stored status. Null if the settlement is not stored yet. */
    readonly storedAs: RecordedStatus | null,
  ) {}

  /** Creates a settlement whose block may still be removed. */
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

  get amount(): bigint {
    return this.facts.addresses.reduce((sum, { toSettlement }) => sum + toSettlement, 0n);
  }

  get feeAmount(): bigint {
    return this.facts.addresses.reduce((sum, { toFee }) => sum + toFee, 0n);
  }

  /** @throws Error if the transition is not allowed */
  becomes(status: RecordedStatus, at: Date): void {
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

/** Change of the waiting balance of an asset at a deposit address, in smallest units. Negative if the balance decreases. */
export interface WaitingChange {
  readonly network: string;
  /** Deposit address in lower case. */
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
  /**
   * Row-locks the settlements until the unit of work ends, in one statement.
   * @param payouts ids of payouts
   */
  abstract lockByPayouts(payouts: readonly string[]): Promise<Settlement[]>;
  /**
   * Stores statuses, events and the changes of the waiting balances. A waiting balance is the amount booked minus the
   * amount paid out, per deposit address and asset. The number of SQL statements does not depend on the number of
   * settlements.
   * @throws Error outside a unit of work, or if a stored settlement has changed since it was read
   */
  abstract save(
    settlements: readonly Settlement[],
    waiting: readonly WaitingChange[],
    at: Date,
  ): Promise<void>;
}
