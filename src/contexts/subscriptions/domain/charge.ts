import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { daysAfter } from './billing-interval.js';

export const ATTEMPT_DAYS = [0, 1, 3, 7];

function attemptTimesOf(dueAt: Date, nextDueAt: Date): Date[] {
  return ATTEMPT_DAYS.map((days) => daysAfter(dueAt, days)).filter((at) => at < nextDueAt);
}

/** `unpaid`: no payment request of the charge was paid, and no more are opened. */
export const CHARGE_STATUSES = ['open', 'paid', 'unpaid'] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/**
 * `dropped`: no longer needed, but possibly opened. `cut_short`: not paid, and the payment window ended early.
 * `accepted`: ended underpaid, and the merchant accepted it as paid afterwards.
 */
export type ChargeRequestStatus =
  'planned' | 'open' | 'paid' | 'unpaid' | 'cut_short' | 'accepted' | 'dropped';

export type ChargeRequestOutcome = 'paid' | 'unpaid' | 'failed';

/** The charge chooses the request's id, so that repeated attempts open only one request. */
export interface ChargeRequest {
  readonly id: PaymentRequestId;
  /** Index of the scheduled attempt, 0 on the due date. Absent if the payer requested payment between two attempts. */
  readonly attempt?: number;
  readonly status: ChargeRequestStatus;
  readonly plannedAt: Date;
  readonly windowCut: boolean;
}

export interface ChargeSnapshot {
  readonly id: string;
  /** Number of the due date, from 0. Skipped due dates leave gaps. */
  readonly number: number;
  readonly dueAt: Date;
  /** The next due date. From then on, no more requests of this charge are opened. */
  readonly closesAt: Date;
  readonly status: ChargeStatus;
  readonly nextTry: number;
  /** Number of attempts whose request was open for its full payment window and not paid. */
  readonly countedTries: number;
  readonly missedAt?: Date;
  readonly paidAt?: Date;
  /** Contains only requests that have not ended, and requests of the events being applied. */
  readonly requests: readonly ChargeRequest[];
}

const IN_FLIGHT_STATUSES: readonly ChargeRequestStatus[] = ['planned', 'open'];

export class Charge {
  private constructor(private state: ChargeSnapshot) {}

  static create(birth: Pick<ChargeSnapshot, 'id' | 'number' | 'dueAt' | 'closesAt'>): Charge {
    return new Charge({ ...birth, status: 'open', nextTry: 0, countedTries: 0, requests: [] });
  }

  static restore(state: ChargeSnapshot): Charge {
    return new Charge(state);
  }

  get snapshot(): ChargeSnapshot {
    return this.state;
  }

  get isOpen(): boolean {
    return this.state.status === 'open';
  }

  get requestInFlight(): ChargeRequest | undefined {
    return this.state.requests.find(({ status }) => IN_FLIGHT_STATUSES.includes(status));
  }

  /** True if the charge was paid, or if its first full payment window ended without payment. */
  get isMissedOrPaid(): boolean {
    return this.state.status === 'paid' || this.state.missedAt !== undefined;
  }

  /** True if the request of every scheduled attempt was open for its full payment window and none was paid. */
  get isUnpaidThroughAllTries(): boolean {
    return this.state.status !== 'paid' && this.state.countedTries === this.attemptTimes.length;
  }

  /** Null while a request is in flight and after the last attempt. */
  get nextTryAt(): Date | null {
    if (!this.isOpen || this.requestInFlight !== undefined) return null;
    return this.attemptTimes[this.state.nextTry] ?? null;
  }

  /** Skips earlier attempts that an outage prevented. */
  planAttempt(id: PaymentRequestId, now: Date): void {
    const attempt = this.dueAttempt(now);
    if (attempt === undefined) throw new Error(`no attempt of charge ${this.state.id} is due`);
    this.addRequest({ id, attempt, status: 'planned', plannedAt: now, windowCut: false });
  }

  /** Counts as a scheduled attempt if one is due. */
  planPayerRequest(id: PaymentRequestId, now: Date): void {
    const attempt = this.dueAttempt(now);
    const which = attempt === undefined ? {} : { attempt };
    this.addRequest({ id, ...which, status: 'planned', plannedAt: now, windowCut: false });
  }

  recordRequestOpened(id: PaymentRequestId): void {
    const { status } = this.requestOf(id);
    if (status === 'planned' || status === 'dropped') this.setRequest(id, { status: 'open' });
  }

  /** A request whose payment window ended early does not count as an attempt. */
  recordPaymentWindowCut(id: PaymentRequestId): void {
    this.setRequest(id, { windowCut: true });
  }

  recordRequestEnded(id: PaymentRequestId, outcome: ChargeRequestOutcome, at: Date): void {
    const { attempt, windowCut } = this.requestOf(id);
    const cutShort = outcome === 'failed' || windowCut;
    if (outcome === 'paid') {
      this.setRequest(id, { status: 'paid' });
      this.setPaid(at);
    } else if (cutShort) {
      this.setRequest(id, { status: 'cut_short' });
      if (attempt !== undefined) this.state = { ...this.state, nextTry: attempt };
    } else {
      this.setRequest(id, { status: 'unpaid' });
      const countedTries = this.state.countedTries + (attempt === undefined ? 0 : 1);
      this.state = { ...this.state, countedTries, missedAt: this.state.missedAt ?? at };
    }
  }

  /** The charge keeps when it was missed and how many attempts counted. */
  recordRequestAccepted(id: PaymentRequestId, at: Date): void {
    this.setRequest(id, { status: 'accepted' });
    this.setPaid(at);
  }

  /** An open request can still be paid until it expires. */
  close(): void {
    for (const { id, status } of this.state.requests) {
      if (status === 'planned') this.setRequest(id, { status: 'dropped' });
    }
    if (this.isOpen && this.requestInFlight === undefined) this.state = { ...this.state, status: 'unpaid' };
  }

  private get attemptTimes(): Date[] {
    return attemptTimesOf(this.state.dueAt, this.state.closesAt);
  }

  private dueAttempt(now: Date): number | undefined {
    const due = this.attemptTimes.findLastIndex((at) => at <= now);
    return due >= this.state.nextTry ? due : undefined;
  }

  private addRequest(request: ChargeRequest): void {
    const { attempt } = request;
    const nextTry = attempt === undefined ? this.state.nextTry : attempt + 1;
    this.state = { ...this.state, nextTry, requests: [...this.state.requests, request] };
  }

  private requestOf(id: PaymentRequestId): ChargeRequest {
    const request = this.state.requests.find((each) => each.id === id);
    if (request === undefined) throw new Error(`charge ${this.state.id} has no request ${id}`);
    return request;
  }

  private setPaid(at: Date): void {
    this.state = { ...this.state, status: 'paid', paidAt: this.state.paidAt ?? at };
  }

  private setRequest(
    id: PaymentRequestId,
    change: Partial<Pick<ChargeRequest, 'status' | 'windowCut'>>,
  ): void {
    const requests = this.state.requests.map((each) => (each.id === id ? { ...each, ...change } : each));
    this.state = { ...this.state, requests };
  }
}
