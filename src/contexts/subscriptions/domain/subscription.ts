import { AggregateRoot } from '#shared/kernel/domain-event.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  Revoker,
  SubscriptionStatus,
  SubscriptionStatusChanged,
} from '../contract/subscription-events.js';
import { dueDate } from './billing-interval.js';
import { Charge, type ChargeRequestOutcome } from './charge.js';
import { isPastDue, isUnpaidTooLong } from './past-due-rule.js';
import {
  subscriptionNotAcceptedError,
  subscriptionNotOfferedError,
  SUBSCRIPTION_TRANSITIONS,
  type IdGenerator,
  type SubscriptionOffer,
  type SubscriptionSnapshot,
  type Wallet,
} from './subscription-snapshot.js';

/** Loads only the last `LOADED_CHARGES` charges and older charges with a request in flight. */
export class Subscription extends AggregateRoot<SubscriptionStatusChanged> {
  private constructor(
    private state: SubscriptionSnapshot,
    private charges: Charge[],
  ) {
    super();
  }

  static offer(offer: SubscriptionOffer): Subscription {
    const { trialUntil, createdAt } = offer;
    const next = trialUntil === undefined ? {} : { next: { number: 0, at: trialUntil } };
    const subscription = new Subscription({ ...offer, ...next, status: 'pending', updatedAt: createdAt }, []);
    subscription.recordStatusEvent(createdAt);
    return subscription;
  }

  static restore(state: SubscriptionSnapshot, charges: readonly Charge[]): Subscription {
    return new Subscription(state, [...charges]);
  }

  get snapshot(): SubscriptionSnapshot {
    return this.state;
  }

  get chargesByNumber(): readonly Charge[] {
    return this.charges;
  }

  /**
   * Without a trial, the first charge is opened immediately.
   * @throws state_conflict if another wallet has accepted, or the offer has expired
   */
  accept(wallet: Wallet, now: Date, newId: IdGenerator): void {
    if (this.state.wallet !== undefined) {
      if (this.state.wallet.id !== wallet.id)
        throw stateConflict(
          'Another wallet has already accepted this subscription. Only one wallet can pay it.',
        );
      return;
    }
    if (this.state.status !== 'pending' || now >= this.state.offeredUntil)
      throw subscriptionNotOfferedError(this.state.status);
    const { trialUntil = now } = this.state;
    const firstDueAt = trialUntil > now ? trialUntil : now;
    this.state = { ...this.state, wallet, acceptedAt: now, firstDueAt, next: { number: 0, at: firstDueAt } };
    // The charge is opened before the status changes, so that the event contains the due date that follows.
    this.openDueCharge(now, newId);
    this.changeStatus('active', now);
    this.advance(now, newId);
  }

  /** An open payment request can still be paid until it expires. */
  revoke(by: Revoker, now: Date): void {
    if (this.isOver) return;
    for (const charge of this.charges) charge.close();
    this.state = { ...this.state, revokedBy: by };
    this.changeStatus('revoked', now);
  }

  revokeByWallet(wallet: Wallet, now: Date): void {
    if (this.state.wallet?.id !== wallet.id) throw subscriptionNotAcceptedError();
    this.revoke('wallet', now);
  }

  /** Performs all steps that are due. Safe to repeat. */
  advance(now: Date, newId: IdGenerator): void {
    if (this.state.status === 'pending' && now >= this.state.offeredUntil) this.changeStatus('expired', now);
    if (!this.isCharging) return;
    this.openDueCharge(now, newId);
    this.closeLastCharge(now);
    const { payable } = this;
    const tryAt = payable?.nextTryAt ?? null;
    if (tryAt !== null && tryAt <= now) payable!.planAttempt(newId(), now);
    this.updateStatus(now);
  }

  /** The request in flight or a new request. Null if nothing is owed. */
  planPayerRequest(now: Date, newId: IdGenerator): PaymentRequestId | null {
    this.advance(now, newId);
    const { payable } = this;
    if (payable === undefined) return null;
    if (payable.requestInFlight === undefined) payable.planPayerRequest(newId(), now);
    return payable.requestInFlight!.id;
  }

  recordRequestOpened(id: PaymentRequestId): void {
    this.chargeOf(id).recordRequestOpened(id);
  }

  recordPaymentWindowCut(id: PaymentRequestId): void {
    this.chargeOf(id).recordPaymentWindowCut(id);
  }

  recordRequestEnded(id: PaymentRequestId, outcome: ChargeRequestOutcome, now: Date): void {
    const charge = this.chargeOf(id);
    charge.recordRequestEnded(id, outcome, now);
    if (charge !== this.payable) charge.close();
    this.updateStatus(now);
  }

  /** A revoked subscription stays revoked. */
  recordRequestAccepted(id: PaymentRequestId, now: Date): void {
    const charge = this.chargeOf(id);
    charge.recordRequestAccepted(id, now);
    charge.close();
    this.updateStatus(now);
  }

  /** Null if only an event or a caller can change the subscription. */
  get nextStepAt(): Date | null {
    if (this.state.status === 'pending') return this.state.offeredUntil;
    if (!this.isCharging) return null;
    const { next } = this.state;
    const times = [next?.at, this.payable?.nextTryAt, this.finalStepAt].filter((time) => time != null);
    return times.length === 0 ? null : new Date(Math.min(...times.map((time) => time.getTime())));
  }

  private get finalStepAt(): Date | undefined {
    const { payable } = this;
    if (this.state.next !== undefined || payable?.requestInFlight !== undefined) return undefined;
    if (payable !== undefined) return payable.snapshot.closesAt;
    return this.isSettled ? this.state.endsAt : undefined;
  }

  /** False while a due date has passed without a charge: an event may arrive before the worker opens the charge. */
  private get isSettled(): boolean {
    const { status, next } = this.state;
    return status === 'active' && next === undefined && this.charges.every(({ isOpen }) => !isOpen);
  }

  private get isCharging(): boolean {
    return this.state.status === 'active' || this.state.status === 'past_due';
  }

  private get isOver(): boolean {
    return SUBSCRIPTION_TRANSITIONS[this.state.status].length === 0;
  }

  private get payable(): Charge | undefined {
    const last = this.charges.at(-1);
    return this.isCharging && last?.isOpen === true ? last : undefined;
  }

  /** Skips earlier due dates that an outage prevented. */
  private openDueCharge(now: Date, newId: IdGenerator): void {
    const { next } = this.state;
    if (next === undefined || next.at > now) return;
    let { number } = next;
    while (this.dueDateOf(number + 1) <= now && this.isBeforeEnd(this.dueDateOf(number + 1))) number += 1;
    this.charges.at(-1)?.close();
    const after = this.dueDateOf(number + 1);
    this.charges.push(Charge.create({ id: newId(), number, dueAt: this.dueDateOf(number), closesAt: after }));
    this.setNextDueDate(this.isBeforeEnd(after) ? { number: number + 1, at: after } : undefined);
  }

  private setNextDueDate(next: SubscriptionSnapshot['next']): void {
    const { next: _, ...state } = this.state;
    this.state = next === undefined ? state : { ...state, next };
  }

  /** The last charge can be paid until the date that would have been the next due date. */
  private closeLastCharge(now: Date): void {
    const { payable } = this;
    if (payable === undefined || payable.snapshot.closesAt > now) return;
    payable.close();
    if (!payable.isOpen && isPastDue(this.charges)) this.revoke('unpaid', now);
  }

  private updateStatus(now: Date): void {
    if (!this.isCharging) return;
    const pastDue = isPastDue(this.charges);
    if (pastDue && this.state.status === 'active') this.changeStatus('past_due', now);
    if (!pastDue && this.state.status === 'past_due') this.changeStatus('active', now);
    // A later charge may already be paid when an earlier charge's request ends.
    if (pastDue && isUnpaidTooLong(this.charges)) return this.revoke('unpaid', now);
    const hasEnded = this.state.endsAt !== undefined && this.state.endsAt <= now;
    if (hasEnded && this.isSettled) this.changeStatus('completed', now);
  }

  private dueDateOf(number: number): Date {
    return dueDate(this.state.firstDueAt!, this.state.interval, number);
  }

  private isBeforeEnd(date: Date): boolean {
    return this.state.endsAt === undefined || date < this.state.endsAt;
  }

  private chargeOf(request: PaymentRequestId): Charge {
    const charge = this.charges.find(({ snapshot }) => snapshot.requests.some(({ id }) => id === request));
    if (charge === undefined) throw new Error(`subscription ${this.state.id} has no request ${request}`);
    return charge;
  }

  private changeStatus(status: SubscriptionStatus, now: Date): void {
    if (!SUBSCRIPTION_TRANSITIONS[this.state.status].includes(status)) {
      throw stateConflict(`A subscription cannot change from ${this.state.status} to ${status}.`);
    }
    this.state = { ...this.state, status, updatedAt: now };
    if (this.isOver) this.setNextDueDate(undefined);
    this.recordStatusEvent(now);
  }

  private recordStatusEvent(occurredAt: Date): void {
    const { id, organizationId, accountId, asset, amount, status, referenceId, wallet, next } = this.state;
    this.record({
      type: 'subscription.status_changed',
      aggregateId: id,
      ...{ organizationId, accountId, occurredAt },
      data: {
        status,
        pointOfSaleId: this.state.pointOfSaleId,
        ...(referenceId === undefined ? {} : { referenceId }),
        network: asset.network,
        uniqueAssetId: asset.uniqueAssetId,
        currency: asset.symbol,
        decimals: asset.decimals,
        amount: amount.toString(),
        interval: this.state.interval,
        ...(wallet === undefined ? {} : { walletExternalId: wallet.externalId }),
        ...(next === undefined ? {} : { nextChargeAt: next.at.toISOString() }),
        ...(status === 'pending' ? { expiresAt: this.state.offeredUntil.toISOString() } : {}),
        ...(this.state.revokedBy === undefined ? {} : { revokedBy: this.state.revokedBy }),
      },
    });
  }
}
