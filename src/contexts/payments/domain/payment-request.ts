import { AggregateRoot } from '../../../shared/kernel/aggregate-root.js';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import type { PaymentRequestEvent, PaymentRequestStatus } from '../contract/payment-request-events.js';
import { decideOutcome, type ChainProgress, type Outcome } from './outcome.js';
import type { PaymentRequestFacts, Unsaved } from './payment-request-facts.js';
import { assetSelected, confirmed, receivedChanged, statusChanged, windowClosed } from './announcements.js';
import { checkoutEnded, paymentSeen } from './refusals.js';
import { NOTHING, unpaid, type Progress } from './progress.js';
import { areReadPast, askedWith, firstPaid, isSame, lastCounting, type Selection } from './selection.js';
import { isTerminal, TRANSITIONS } from './status.js';
import type { RecordedTransfer, Transfer } from './transfer.js';

export type PaymentRequestSnapshot = PaymentRequestFacts & Readonly<Progress> & { readonly version: number };

/** One attempt to collect one amount. Everything it decides follows from blocks that were read, never from a timer. */
export class PaymentRequest extends AggregateRoot<PaymentRequestEvent> {
  private constructor(
    readonly facts: PaymentRequestFacts,
    private readonly progress: Progress,
    private readonly version: number,
    private readonly stored: Pick<Progress, 'transfers' | 'selections' | 'history'> = NOTHING,
  ) {
    super();
  }

  /**
   * Opens a request whose asset is known and whose address is assigned.
   * @param windowSeconds how long the payer has, from creation
   */
  static open(facts: PaymentRequestFacts, selection: Selection, windowSeconds: number): PaymentRequest {
    const request = new PaymentRequest(facts, unpaid('created', facts, windowSeconds), 1);
    request.choose(selection);
    request.tell(statusChanged(facts, 'created'), facts.createdAt);
    return request;
  }

  /** Opens a request whose asset the payer is to choose. */
  static offer(facts: PaymentRequestFacts, windowSeconds: number): PaymentRequest {
    const request = new PaymentRequest(facts, unpaid('pending', facts, windowSeconds), 1);
    request.tell(statusChanged(facts, 'pending'), facts.createdAt);
    return request;
  }

  /** For the repository alone. */
  static restore({ version, ...snapshot }: PaymentRequestSnapshot): PaymentRequest {
    const { status, selected, receivedAmount, expiresAt, countsUntil, confirmedAt, ...rest } = snapshot;
    const { selections, transfers, history, ...facts } = rest;
    const stored = { transfers: [...transfers], selections: [...selections], history: [...history] };
    const lists = { transfers: [...transfers], selections: [...selections], history: [...history] };
    const state = { status, selected, receivedAmount, expiresAt, countsUntil, confirmedAt };
    return new PaymentRequest(facts, { ...state, ...lists }, version, stored);
  }

  snapshot(): PaymentRequestSnapshot {
    return { ...this.facts, ...this.progress, version: this.version };
  }

  /** For the repository alone. */
  unsaved(): Unsaved {
    const counted = new Map(this.stored.transfers.map((transfer) => [transfer.id, transfer.counted]));
    return {
      transfers: this.progress.transfers.filter((transfer) => counted.get(transfer.id) !== transfer.counted),
      selections: this.progress.selections.slice(this.stored.selections.length),
      history: this.progress.history
        .map((entry, position) => ({ ...entry, step: position + 1 }))
        .slice(this.stored.history.length),
    };
  }

  get id(): PaymentRequestId {
    return this.facts.id;
  }

  get selected(): Selection | null {
    return this.progress.selected;
  }

  /** What was chosen for this asset before, rate and address included. */
  selectionOf(uniqueAssetId: string): Selection | undefined {
    return this.progress.selections.find((known) => isSame(known, { uniqueAssetId }));
  }

  /**
   * The payer chose an asset. One chosen before keeps its rate, so that nobody waits for a better one by choosing
   * to and fro; its address stays watched either way.
   * @throws state_conflict once the window is closed or a payment was seen
   */
  select(selection: Selection, now: Date): void {
    if (isTerminal(this.progress.status) || now >= this.progress.expiresAt) throw checkoutEnded();
    if (this.progress.status === 'processing') throw paymentSeen();
    if (this.progress.selected !== null && isSame(this.progress.selected, selection)) return;
    const chosen = this.selectionOf(selection.uniqueAssetId) ?? selection;
    this.choose(chosen);
    if (this.progress.status === 'pending') this.become('created', now);
    this.tell(assetSelected(chosen), now);
  }

  /**
   * A transfer to an address of this request stands in a block. It counts when it is in time, in the asset shown with
   * that address, and before the outcome. What was paid first becomes what is selected: a payer may have sent to the
   * address of an earlier choice.
   */
  receive(transfer: Transfer, now: Date): void {
    const { status, selections, expiresAt } = this.progress;
    const paid = isTerminal(status) ? undefined : askedWith(selections, transfer, expiresAt);
    const counted = paid !== undefined && (this.progress.receivedAmount === 0n || this.isSelected(paid));
    this.progress.transfers.push({ ...transfer, counted });
    if (!counted) return;
    this.progress.receivedAmount += transfer.amount;
    if (!this.isSelected(paid)) {
      this.progress.selected = paid;
      this.tell(assetSelected(paid), now);
    }
    if (this.progress.status === 'created') this.become('processing', now);
    else this.tell(receivedChanged(this.progress.receivedAmount), now);
  }

  /**
   * Transfers were reorganised away: they no longer count. The status stays, silently. Where nothing is left, what
   * was paid to an earlier choice meanwhile counts instead.
   * @param lost as they were recorded before
   * @returns those that had been part of an outcome already, which un-counting cannot undo
   */
  lose(lost: readonly RecordedTransfer[], now: Date): RecordedTransfer[] {
    const ids = new Set(lost.map((transfer) => transfer.id));
    this.progress.transfers = this.progress.transfers.filter((transfer) => !ids.has(transfer.id));
    const counted = lost.filter((transfer) => transfer.counted);
    if (this.progress.confirmedAt !== null) return counted;
    for (const transfer of counted) this.progress.receivedAmount -= transfer.amount;
    if (counted.length === 0) return [];
    if (this.progress.receivedAmount === 0n && !isTerminal(this.progress.status)) this.countAgain(now);
    this.tell(receivedChanged(this.progress.receivedAmount), now);
    return [];
  }

  /**
   * A network was read further: decides the request if its time has come. It expires once all networks are read past
   * its deadline on which an address was shown.
   * @param chains by network, those that are read; a network that is no longer read is not waited for
   */
  follow(chains: ReadonlyMap<string, ChainProgress>, now: Date): void {
    const { selected, selections, status, expiresAt } = this.progress;
    const chain = selected === null ? undefined : chains.get(selected.network);
    if (selected === null || chain === undefined || isTerminal(status)) return;
    const counted = this.progress.transfers.filter((transfer) => transfer.counted);
    const expected = { amount: selected.amount, countsUntil: lastCounting(selected, expiresAt) };
    const outcome = decideOutcome(expected, counted, chain);
    // Nothing was ever seen, so nothing can be waiting for its finality: the read head is enough.
    const far = status === 'created' ? 'head' : 'final';
    if (outcome !== null && outcome.status !== 'expired') this.conclude(outcome, selected, now);
    else if (areReadPast(selections, chains, expiresAt, far)) this.become('expired', now);
  }

  /** No asset was chosen in time. Nobody can have paid, so no network is waited for. */
  expireUnselected(now: Date): void {
    if (this.progress.status === 'pending' && now > this.progress.expiresAt) this.become('expired', now);
  }

  /**
   * Ends the window now: a physical point of sale has one open request. It then ends by the usual rule.
   * @param now may lie before this request's birth, when the one that replaces it was asked for first
   */
  closeWindow(now: Date): void {
    if (!['pending', 'created'].includes(this.progress.status) || this.progress.expiresAt <= now) return;
    const grace = this.progress.countsUntil.getTime() - this.progress.expiresAt.getTime();
    this.progress.expiresAt = now < this.facts.createdAt ? this.facts.createdAt : now;
    this.progress.countsUntil = new Date(this.progress.expiresAt.getTime() + grace);
    this.tell(windowClosed(this.progress.expiresAt), now);
  }

  /** Ends it where no retry can cure: its asset or network was withdrawn. What was decided already stays. */
  fail(now: Date): void {
    if (!isTerminal(this.progress.status)) this.become('failed', now);
  }

  private choose(selection: Selection): void {
    if (this.selectionOf(selection.uniqueAssetId) === undefined) this.progress.selections.push(selection);
    this.progress.selected = selection;
    const last = lastCounting(selection, this.progress.expiresAt);
    if (last > this.progress.countsUntil) this.progress.countsUntil = last;
  }

  private countAgain(now: Date): void {
    const { transfers, selections, expiresAt } = this.progress;
    const paid = firstPaid(transfers, selections, expiresAt);
    if (paid === undefined) return;
    const isPart = new Set(paid.by.map(({ id }) => id));
    this.progress.selected = paid.selection;
    this.progress.transfers = transfers.map((each) => ({ ...each, counted: isPart.has(each.id) }));
    this.progress.receivedAmount = paid.by.reduce((sum, { amount }) => sum + amount, 0n);
    this.tell(assetSelected(paid.selection), now);
  }

  private isSelected(selection: Selection): boolean {
    return this.progress.selected !== null && isSame(this.progress.selected, selection);
  }

  private conclude(outcome: Exclude<Outcome, { status: 'expired' }>, selected: Selection, now: Date): void {
    const part = new Set(outcome.by.map((transfer) => transfer.id));
    this.progress.transfers = this.progress.transfers.map((t) => ({ ...t, counted: part.has(t.id) }));
    this.progress.receivedAmount = outcome.received;
    const at = this.become(outcome.status, now);
    this.progress.confirmedAt = at;
    this.progress.history.push({ status: 'confirmed', at });
    this.tell(confirmed(this.facts, selected, outcome), at);
  }

  /** @returns when: never before the step before, for who waited for another's lock may have looked at the clock first */
  private become(status: PaymentRequestStatus, now: Date): Date {
    if (!TRANSITIONS[this.progress.status].includes(status)) {
      throw new Error(`A payment request cannot go from ${this.progress.status} to ${status}.`);
    }
    const last = this.progress.history.at(-1)!.at;
    const at = now < last ? last : now;
    this.progress.status = status;
    this.progress.history.push({ status, at });
    this.tell(statusChanged(this.facts, status), at);
    return at;
  }

  private tell(said: Pick<PaymentRequestEvent, 'type' | 'data'>, now: Date): void {
    const { id, organizationId, accountId } = this.facts;
    const whose = { aggregateId: id, organizationId, accountId, occurredAt: now };
    this.record({ ...whose, ...said } as PaymentRequestEvent);
  }
}
