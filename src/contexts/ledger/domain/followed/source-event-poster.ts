import type { LedgerTransactionId, AccountId, OrganizationId } from '#shared/kernel/ids.js';
import { Posting, correctingEntries, sumByLedgerAccount, type LedgerEntry } from '../balanced-posting.js';
import type { Transaction } from '../transaction.js';
import type { SettlementFact, SourceEvent, SourceStatus } from './facts.js';
import { toInitialTransaction } from './initial-transaction.js';
import type {
  AddedJournalLines,
  SettlementLink,
  TransactionStatusChange,
  PayoutWithUnbookedFunds,
} from './transaction-updates.js';
import { uncoveredAmount, type BookedFunds, type UnsettledFunds } from './unsettled-funds.js';
import { requiredEntries } from './required-entries.js';

export interface SourceTransaction {
  readonly id: LedgerTransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly status: SourceStatus;
  readonly steps: number;
  readonly lines: number;
  /** Contains at most one entry per ledger account and asset. */
  readonly booked: readonly LedgerEntry[];
  readonly delivered: readonly BookedFunds[];
}

const ALLOWED_STATUS_CHANGES: Record<SourceStatus, readonly SourceStatus[]> = {
  processing: ['completed', 'failed'],
  // A completed settlement fails if a reorganization removes a final block.
  completed: ['failed'],
  failed: [],
};

function refuseImpossibleStatusChange(from: SourceStatus, to: SourceStatus): void {
  if (!ALLOWED_STATUS_CHANGES[from].includes(to))
    throw new Error(`A ledger record cannot change from ${from} to ${to}.`);
}

/**
 * A top-up or a first status creates a transaction; each later status adds a status row and the changed journal
 * lines.
 */
export class SourceEventPoster {
  readonly transactions: Transaction[] = [];
  readonly later = {
    lines: [] as AddedJournalLines[],
    statuses: [] as TransactionStatusChange[],
    links: [] as SettlementLink[],
    payouts: [] as PayoutWithUnbookedFunds[],
    failed: [] as LedgerTransactionId[],
  };

  constructor(
    private readonly followed: Map<string, SourceTransaction>,
    private readonly open: UnsettledFunds,
    private readonly newId: () => LedgerTransactionId,
  ) {}

  /**
   * Posts a new status of a settlement, refund, top-up or float withdrawal. Ignores a status that is already posted.
   * @throws Error for a status change that is not allowed
   */
  post(event: SourceEvent): void {
    const known = this.followed.get(event.sourceId);
    if (known === undefined && isCancelledBeforeSending(event)) return;
    const record = known ?? this.createTransaction(event);
    if (event.status === record.status) return;
    refuseImpossibleStatusChange(record.status, event.status);
    this.bookStatusChange(record, event);
  }

  private createTransaction(event: SourceEvent): SourceTransaction {
    const id = this.newId();
    const { organizationId, accountId, sourceId } = event;
    const first =
      event.kind === 'top_up' ? event : { ...event, status: 'processing' as const, gas: undefined };
    const entries = sumByLedgerAccount(requiredEntries(first, []));
    this.transactions.push(toInitialTransaction(id, first, entries));
    const record: SourceTransaction = {
      id,
      organizationId,
      accountId,
      status: first.status,
      steps: 1,
      lines: entries.length,
      booked: entries,
      delivered: event.kind === 'settlement' ? this.linkDeliveredFunds(id, event) : [],
    };
    this.followed.set(sourceId, record);
    return record;
  }

  private linkDeliveredFunds(withdrawalId: LedgerTransactionId, event: SettlementFact): BookedFunds[] {
    const { sourceId: settlementId, organizationId, accountId, uniqueAssetId } = event;
    const withdrawal = { withdrawalId, settlementId, organizationId, accountId };
    return event.payouts.flatMap((payout) => {
      const taken = this.open.takeForPayout(event, payout);
      for (const { transactionId } of taken) this.later.links.push({ transactionId, ...withdrawal });
      const uncovered = uncoveredAmount(payout, taken);
      if (uncovered !== 0n) this.later.payouts.push({ ...withdrawal, uniqueAssetId, ...payout, uncovered });
      return taken;
    });
  }

  private bookStatusChange(record: SourceTransaction, event: SourceEvent): void {
    const { id: transactionId, organizationId, accountId } = record;
    const owner = { transactionId, organizationId, accountId };
    const required = sumByLedgerAccount(requiredEntries(event, record.delivered));
    const entries = correctingEntries(required, record.booked);
    const { status, transactionHash, occurredAt } = event;
    if (entries.length > 0) {
      const posting = Posting.createBalanced(entries);
      this.later.lines.push({ ...owner, firstLine: record.lines + 1, posting, occurredAt });
    }
    this.later.statuses.push({ ...owner, step: record.steps + 1, status, transactionHash });
    if (status === 'failed' && event.kind === 'settlement') {
      this.later.failed.push(transactionId);
      for (const money of record.delivered) this.open.add(event, money);
    }
    this.followed.set(event.sourceId, {
      ...record,
      status,
      steps: record.steps + 1,
      lines: record.lines + entries.length,
      booked: required,
    });
  }
}

/** True if no funds were sent, so that no transaction is booked. */
function isCancelledBeforeSending({ kind, status }: SourceEvent): boolean {
  return status === 'failed' && kind !== 'settlement';
}
