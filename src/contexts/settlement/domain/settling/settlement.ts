import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { SettlementStatusChanged } from '../../contract/settlement-events.js';
import { settlementTransition, type RecordedStatus } from './settlement-status.js';

/** One deposit address that was emptied of the settlement's asset. Amounts in smallest units; the address in lower case. */
export interface EmptiedAddress {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly toSettlement: bigint;
  readonly toFee: bigint;
  readonly feeBasisPoints: number;
}

/** What never changes of a settlement. Addresses and hashes in lower-case hex. */
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

/** What one transaction delivered of one account's money, in one asset, to one settlement address. */
export class Settlement {
  private events: SettlementStatusChanged[] = [];

  private constructor(
    readonly facts: SettlementFacts,
    private current: RecordedStatus,
    /** The status under which it is stored; null where it is not. */
    readonly storedAs: RecordedStatus | null,
  ) {}

  /** Its block may still be removed. */
  static delivered(facts: SettlementFacts, at: Date): Settlement {
    const settlement = new Settlement(facts, 'processing', null);
    settlement.tell(at);
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
    this.tell(at);
  }

  pullEvents(): SettlementStatusChanged[] {
    const events = this.events;
    this.events = [];
    return events;
  }

  private tell(occurredAt: Date): void {
    const { id, organizationId, accountId, addresses, payoutsId: _, ...facts } = this.facts;
    this.events.push({
      type: 'settlement.status_changed',
      ...{ aggregateId: id, organizationId, accountId, occurredAt },
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
