import { stateConflict } from '#shared/kernel/domain-error.js';
import { AggregateRoot } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { PaymentRequestEvent, PaymentRequestStatus } from '../../contract/payment-request-events.js';
import {
  type IncomingTransfer,
  type ChainProgress,
  isPendingTransfer,
  NEW_TRANSFER_STATE,
  type RecordedTransfer,
} from '#contexts/chain-watching/contract/incoming-transfer.js';
import { decideEnding, type PaymentOutcome } from './outcome/outcome-rule.js';
import type { PaymentRequestFacts, UnsavedChanges } from './payment-request-facts.js';
import {
  buildAssetSelected,
  buildConfirmed,
  buildCreditReversed,
  buildDepositReceived,
  buildFirstEvent,
  buildIncomingTransfer,
  buildIncomingTransferCompleted,
  buildReceivedChanged,
  buildStatusChanged,
  buildWindowClosed,
  type StatusDetails,
} from './payment-request-event-bodies.js';
import { collectNewDeposits, markDeposited, uncountTransfersOutsideOutcome } from './booking/deposit-rule.js';
import { requireAssetMayChange } from './asset-change-rule.js';
import { findLeadingSelection, isPaymentSeen, seenPaymentAmount } from './outcome/leading-selection-rule.js';
import {
  applySelection,
  endWindow,
  enterStatus,
  splitSnapshot,
  NOTHING_STORED,
  timeNotBeforeHistory,
  initialProgress,
  collectUnsaved,
  type RequestProgress,
  type StoredLists,
} from './outcome/progress.js';
import { paysSelection } from './outcome/deadline-and-grace-rule.js';
import { addCountedTransfer } from './outcome/received-sums.js';
import { isSameAsset, isToAddressOf, type Selection } from './selection.js';
import {
  type LostTransferReversal,
  NO_UNREVERSED_DEPOSITS,
  reverseLostTransfers,
} from './booking/reversal-rule.js';
import { isEnded, isOneOf, UNPAID_ENDED_STATUSES, PAYMENT_UNSEEN_STATUSES } from './status.js';
import { isUnderpaymentAccepted } from './outcome/tolerance-rule.js';

export type PaymentRequestSnapshot = PaymentRequestFacts &
  Readonly<RequestProgress> & { readonly version: number };

/** The outcome is decided by the blocks read, never by a timer. */
export class PaymentRequest extends AggregateRoot<PaymentRequestEvent> {
  private constructor(
    readonly facts: PaymentRequestFacts,
    private readonly progress: RequestProgress,
    private readonly version: number,
    private readonly stored: StoredLists = NOTHING_STORED,
  ) {
    super();
  }

  /** @param windowSeconds length of the payment window, from creation */
  static open(facts: PaymentRequestFacts, selection: Selection, windowSeconds: number): PaymentRequest {
    const request = new PaymentRequest(facts, initialProgress('created', facts, windowSeconds), 1);
    applySelection(request.progress, selection);
    request.recordEvent(buildFirstEvent(facts, 'created', request.progress), facts.createdAt);
    return request;
  }

  static openWithoutAsset(facts: PaymentRequestFacts, windowSeconds: number): PaymentRequest {
    const request = new PaymentRequest(facts, initialProgress('pending', facts, windowSeconds), 1);
    request.recordEvent(buildFirstEvent(facts, 'pending', request.progress), facts.createdAt);
    return request;
  }

  /** Only the repository calls this. */
  static restore({ version, ...snapshot }: PaymentRequestSnapshot): PaymentRequest {
    const { facts, progress, stored } = splitSnapshot(snapshot);
    return new PaymentRequest(facts, progress, version, stored);
  }

  snapshot(): PaymentRequestSnapshot {
    return { ...this.facts, ...this.progress, version: this.version };
  }

  unsavedChanges(): UnsavedChanges {
    return collectUnsaved(this.progress, this.stored);
  }

  get id(): PaymentRequestId {
    return this.facts.id;
  }

  get selected(): Selection | null {
    return this.progress.selected;
  }

  selectionOf(uniqueAssetId: string): Selection | undefined {
    return this.progress.selections.find((known) => isSameAsset(known, { uniqueAssetId }));
  }

  /**
   * An asset that was selected before keeps its rate, so that switching assets back and forth gains no better rate.
   * @throws state_conflict after the payment window has closed or a payment was seen
   */
  select(selection: Selection, now: Date): void {
    this.requireAssetMayChange(now);
    if (this.isSelected(selection)) return;
    const chosen = this.selectionOf(selection.uniqueAssetId) ?? selection;
    applySelection(this.progress, chosen);
    if (this.progress.status === 'pending') this.changeStatus('created', now);
    this.recordEvent(buildAssetSelected(chosen), now);
    this.updateFromSums(now);
  }

  requireAssetMayChange(now: Date): void {
    const { status, expiresAt, selections, sums } = this.progress;
    requireAssetMayChange(status, now >= expiresAt, isPaymentSeen(selections, sums));
  }

  /** A transfer counts if it is in time, before the outcome, and pays any selection ever made. */
  recordTransfers(arrived: readonly IncomingTransfer[], now: Date): void {
    const { status, selections, expiresAt } = this.progress;
    for (const transfer of arrived) {
      const counted = !isEnded(status) && paysSelection(selections, transfer, expiresAt);
      this.progress.transfers.push({ ...transfer, ...NEW_TRANSFER_STATE, counted });
      if (counted) this.progress.sums = addCountedTransfer(this.progress.sums, transfer);
      else this.reportIncomingTransfer(transfer, now);
    }
    this.updateFromSums(now);
    this.recordOtherAssets(arrived, now);
  }

  /**
   * Posted transfers are reversed, but stay part of the received amount, because an outcome is final.
   * @param arrived a mined transfer replaces its pending record here, so that no intermediate sum is published
   */
  removeLostTransfers(
    lost: readonly RecordedTransfer[],
    now: Date,
    standing = NO_UNREVERSED_DEPOSITS,
    arrived: readonly IncomingTransfer[] = [],
  ): RecordedTransfer[] {
    const reversals = reverseLostTransfers(this.progress, lost, standing, now);
    for (const reversal of reversals) this.recordReversal(reversal);
    this.recordTransfers(arrived, now);
    this.recordOtherAssets(lost, now);
    return reversals.map(({ transfer }) => transfer);
  }

  /**
   * Recomputes the displayed sums first, which may have been stored by an older version of the rules.
   * @param chains networks that are no longer read are ignored
   */
  evaluate(chains: ReadonlyMap<string, ChainProgress>, now: Date): void {
    this.updateFromSums(now);
    const ending = decideEnding(this.progress, chains);
    this.progress.sums = ending.sums;
    if (ending.kind === 'expired') this.changeStatus('expired', now);
    if (ending.kind === 'outcome') this.recordOutcome(ending.outcome, now);
    if (isEnded(this.progress.status)) this.recordDeposits(chains, now);
  }

  private recordDeposits(chains: ReadonlyMap<string, ChainProgress>, now: Date): void {
    const at = timeNotBeforeHistory(this.progress, now);
    const deposits = collectNewDeposits(this.progress, chains);
    this.progress.transfers = markDeposited(this.progress.transfers, deposits, at);
    for (const each of deposits) {
      this.recordEvent(buildDepositReceived(this.facts, each), at);
      this.recordEvent(buildIncomingTransferCompleted(this.facts, each), at);
    }
  }

  private recordReversal(reversal: LostTransferReversal): void {
    this.recordEvent(buildCreditReversed(this.facts, reversal), reversal.at);
    const { postedAs, depositAddress, transfer, at } = reversal;
    if (postedAs === 'deposit')
      this.recordEvent(buildIncomingTransfer(this.facts, depositAddress, transfer, 'reversed'), at);
  }

  /** Small transfers are reported with the deposit that aggregates them. */
  private reportIncomingTransfer(transfer: IncomingTransfer, now: Date): void {
    const shown = this.progress.selections.find((selection) => isToAddressOf(selection, transfer));
    if (shown === undefined || transfer.gatheredOn !== null || isPendingTransfer(transfer)) return;
    this.recordEvent(buildIncomingTransfer(this.facts, shown.depositAddress, transfer, 'processing'), now);
  }

  /** A request without an asset has no address, so no blocks need to be read first. */
  expireUnselected(now: Date): void {
    if (this.progress.status === 'pending' && now > this.progress.expiresAt)
      this.changeStatus('expired', now);
  }

  /**
   * The request ends later by the usual rules.
   * @param now may be before the creation of this request, if the request that replaces it was received first
   */
  closeWindow(now: Date): void {
    if (!isOneOf(PAYMENT_UNSEEN_STATUSES, this.progress.status) || this.progress.expiresAt <= now) return;
    endWindow(this.progress, now < this.facts.createdAt ? this.facts.createdAt : now);
    this.recordEvent(buildWindowClosed(this.progress.expiresAt), now);
  }

  /** @throws state_conflict if a payment was seen, or if the request has ended with another status */
  expireNow(now: Date): void {
    const { status } = this.progress;
    if (status !== 'expired' && !isOneOf(PAYMENT_UNSEEN_STATUSES, status))
      throw stateConflict(
        `The payment request is ${status}. It can be ended only while no payment has been detected.`,
      );
    this.closeWindow(now);
  }

  /**
   * A decided outcome stays. Otherwise transfers stop counting and become deposits, or they would never be posted.
   */
  fail(now: Date): void {
    if (isEnded(this.progress.status)) return;
    this.changeStatus('failed', now);
    if (this.progress.receivedAmount === 0n) return;
    this.progress.receivedAmount = 0n;
    this.recordEvent(buildReceivedChanged(0n), now);
  }

  private updateFromSums(now: Date): void {
    const { status, selected, selections, sums, receivedAmount } = this.progress;
    if (selected === null || isEnded(status)) return;
    const leading = findLeadingSelection(selections, sums, selected);
    this.displaySelection(leading, now);
    const received = seenPaymentAmount(sums, leading);
    this.progress.receivedAmount = received;
    if (status === 'created' && received > 0n)
      this.changeStatus('processing', now, { receivedAmount: received.toString() });
    else if (received !== receivedAmount) this.recordEvent(buildReceivedChanged(received), now);
  }

  /** Funds in an asset that was never selected are displayed on the payer's page. */
  private recordOtherAssets(transfers: readonly IncomingTransfer[], now: Date): void {
    const { status, selections, receivedAmount } = this.progress;
    const isOther = (transfer: IncomingTransfer) =>
      transfer.gatheredOn === null && !selections.some((selection) => isSameAsset(selection, transfer));
    if (!isEnded(status) && transfers.some(isOther))
      this.recordEvent(buildReceivedChanged(receivedAmount), now);
  }

  private displaySelection(selection: Selection, now: Date): void {
    if (this.isSelected(selection)) return;
    this.progress.selected = selection;
    this.recordEvent(buildAssetSelected(selection), now);
  }

  private isSelected(selection: Selection): boolean {
    return this.progress.selected !== null && isSameAsset(this.progress.selected, selection);
  }

  private recordOutcome(outcome: PaymentOutcome, now: Date): void {
    this.displaySelection(outcome.selection, now);
    this.progress.receivedAmount = outcome.received;
    this.progress.outcomeBlock = outcome.block;
    const accepted = isUnderpaymentAccepted(outcome, this.facts.underpaymentTolerance);
    this.progress.underpaymentAccepted = accepted;
    const at = this.changeStatus(outcome.status, now, accepted ? { underpaymentAccepted: true } : {});
    this.progress.confirmedAt = at;
    uncountTransfersOutsideOutcome(this.progress);
    this.progress.history.push({ status: 'confirmed', at });
    this.recordEvent(buildConfirmed(this.facts, outcome), at);
  }

  private changeStatus(status: PaymentRequestStatus, now: Date, more?: StatusDetails): Date {
    const at = enterStatus(this.progress, status, now);
    if (isOneOf(UNPAID_ENDED_STATUSES, status)) uncountTransfersOutsideOutcome(this.progress);
    this.recordEvent(buildStatusChanged(this.facts, status, more), at);
    return at;
  }

  private recordEvent(body: Pick<PaymentRequestEvent, 'type' | 'data'>, now: Date): void {
    const { id, organizationId, accountId } = this.facts;
    const owner = { aggregateId: id, organizationId, accountId, occurredAt: now };
    this.record({ ...owner, ...body } as PaymentRequestEvent);
  }
}
