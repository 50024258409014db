import { type Entry, summed } from '../domain/balanced-posting.js';
import type { SourceEvent } from '../domain/followed/facts.js';
import type { FollowedTransaction } from '../domain/followed/followed-transaction.js';
import type { WaitingPayout } from '../domain/followed/late-cover.js';
import type { LaterRows, SettledLink, StatusChange, UncoveredPayout } from '../domain/followed/later-rows.js';
import { OpenMoney, type BookedMoney } from '../domain/followed/open-money.js';
import { Journal, type KnownOfMovements, type KnownOfSources } from '../domain/journal.js';
import { occasionOf, type Movement, type Occasion } from '../domain/movement.js';
import type { Transaction } from '../domain/transaction.js';

/** The books in memory, read by walking through all of them. */
export class MemoryJournal extends Journal {
  readonly transactions: Transaction[] = [];
  readonly entries: (Entry & { readonly transactionId: string; readonly line: number })[] = [];
  readonly statuses: StatusChange[] = [];
  readonly links: SettledLink[] = [];
  payouts: UncoveredPayout[] = [];

  override knownOf(movements: readonly Movement[]): Promise<KnownOfMovements> {
    const posted = movements.map(occasionOf).filter((occasion) => this.occasions().has(occasion));
    const requests = new Set<string>(movements.map(({ paymentRequestId }) => paymentRequestId));
    const waiting = this.payouts
      .filter(({ paymentRequestId, uncovered }) => requests.has(paymentRequestId) && uncovered > 0n)
      .map((payout): WaitingPayout => {
        const { booked: _, ...followed } = this.followed(payout.withdrawalId);
        const delivered = followed.delivered.filter(
          ({ paymentRequestId, address }) =>
            paymentRequestId === payout.paymentRequestId && address === payout.address,
        );
        const linkedNet = delivered.reduce((sum, { net }) => sum + net, 0n);
        return { ...payout, status: followed.status, lines: followed.lines, linkedNet };
      });
    return Promise.resolve({ posted: new Set(posted), waiting });
  }

  override knownOfSources(events: readonly SourceEvent[]): Promise<KnownOfSources> {
    const followed = new Map<string, FollowedTransaction>();
    for (const { sourceId } of events) {
      const written = this.transactions.find((transaction) => transaction.sourceId === sourceId);
      if (written !== undefined) followed.set(sourceId, this.followed(written.id));
    }
    const open = new OpenMoney();
    for (const transaction of this.transactions)
      if (transaction.sourceId === undefined && this.settlementOf(transaction.id) === undefined)
        open.add(transaction, this.moneyOf(transaction));
    return Promise.resolve({ followed, open });
  }

  override write(transactions: readonly Transaction[], later: Partial<LaterRows> = {}): Promise<void> {
    this.transactions.push(...transactions);
    for (const { id, posting } of transactions) this.addLines(id, posting?.entries ?? [], 1);
    for (const { transactionId, posting, firstLine } of later.lines ?? [])
      this.addLines(transactionId, posting.entries, firstLine);
    this.statuses.push(...(later.statuses ?? []));
    this.links.push(...(later.links ?? []));
    for (const payout of later.payouts ?? [])
      this.payouts = [...this.payouts.filter((each) => !isSame(each, payout)), payout];
    this.payouts = this.payouts.map((payout) =>
      later.failed?.includes(payout.withdrawalId) ? { ...payout, uncovered: 0n } : payout,
    );
    return Promise.resolve();
  }

  /** The settlement that delivered it and has not failed. @throws Error where there are two */
  settlementOf(transactionId: string): string | undefined {
    const [link, second] = this.links.filter(
      (each) => each.transactionId === transactionId && this.statusOf(each.withdrawalId) !== 'failed',
    );
    if (second !== undefined) throw new Error(`${transactionId} is linked to two settlements.`);
    return link?.settlementId;
  }

  balance(ledgerAccount: Entry['ledgerAccount'], uniqueAssetId: string): bigint {
    return this.entries
      .filter((entry) => entry.ledgerAccount === ledgerAccount && entry.uniqueAssetId === uniqueAssetId)
      .reduce((sum, { amount }) => sum + amount, 0n);
  }

  private addLines(transactionId: string, entries: readonly Entry[], firstLine: number): void {
    const before = this.entries.filter((entry) => entry.transactionId === transactionId).length;
    if (entries.length > 0 && firstLine !== before + 1) throw new Error(`${transactionId} has that line.`);
    entries.forEach((entry, at) => this.entries.push({ ...entry, transactionId, line: firstLine + at }));
  }

  private followed(id: string): FollowedTransaction {
    const transaction = this.transactions.find((each) => each.id === id)!;
    const booked = this.entries.filter(({ transactionId }) => transactionId === id);
    const delivered = this.links
      .filter(({ withdrawalId }) => withdrawalId === id)
      .map(({ transactionId }) => this.moneyOf(this.transactions.find((each) => each.id === transactionId)!));
    const { organizationId, accountId } = transaction;
    const steps = 1 + this.statuses.filter(({ transactionId }) => transactionId === id).length;
    return {
      id: transaction.id,
      organizationId,
      accountId,
      status: this.statusOf(id),
      steps,
      lines: booked.length,
      booked: summed(booked),
      delivered,
    };
  }

  private statusOf(id: string): FollowedTransaction['status'] {
    const last = this.statuses.findLast(({ transactionId }) => transactionId === id);
    return last?.status ?? 'processing';
  }

  private moneyOf(transaction: Transaction): BookedMoney {
    return {
      transactionId: transaction.id,
      paymentRequestId: transaction.paymentRequestId!,
      address: transaction.to.address.toLowerCase(),
      gross: transaction.grossAmount,
      net: transaction.netAmount,
      number: BigInt(this.transactions.indexOf(transaction)),
    };
  }

  private occasions(): Set<Occasion> {
    return new Set(
      this.transactions.map(({ type, paymentRequestId, transferId }) => {
        return `${type} ${type === 'payment_in' ? paymentRequestId : transferId}` as Occasion;
      }),
    );
  }
}

function isSame(one: UncoveredPayout, other: UncoveredPayout): boolean {
  return (
    one.withdrawalId === other.withdrawalId &&
    one.paymentRequestId === other.paymentRequestId &&
    one.address === other.address
  );
}
