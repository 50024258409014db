import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { triesOf } from './charge-retry-schedule.js';

/** `open`: to be paid. `unpaid`: no request of it will be opened any more, and none was paid. */
export const CHARGE_STATUSES = ['open', 'paid', 'unpaid'] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/**
 * `planned`: stored, about to be opened. `dropped`: need not be opened any more; it may have been all the same. `cut_short`: not
 * paid, and its window ended early.
 */
export type ChargeRequestStatus = 'planned' | 'open' | 'paid' | 'unpaid' | 'cut_short' | 'dropped';

/** How a payment request has ended. */
export type RequestOutcome = 'paid' | 'unpaid' | 'failed';

/** A payment request of a charge. Its id is chosen here, so that opening it again opens nothing twice. */
export interface ChargeRequest {
  readonly id: PaymentRequestId;
  /** Which of the charge's tries it is, 0 on the due date; absent where the payer asked between two tries. */
  readonly attempt?: number;
  readonly status: ChargeRequestStatus;
  readonly plannedAt: Date;
  readonly windowCut: boolean;
}

export interface ChargeState {
  readonly id: string;
  /** The number of its due date in the series; missed dates leave gaps. */
  readonly number: number;
  readonly dueAt: Date;
  /** The due date after it: from then on no request is opened for it. */
  readonly closesAt: Date;
  readonly status: ChargeStatus;
  /** The first try that is still to be made. */
  readonly nextTry: number;
  /** Tries whose request stood open for its whole window, unpaid. */
  readonly countedTries: number;
  /** When its first request stood unpaid to its end. */
  readonly missedAt?: Date;
  readonly paidAt?: Date;
  /** The requests that have not ended, and those that the events at hand belong to. */
  readonly requests: readonly ChargeRequest[];
}

const IN_FLIGHT: readonly ChargeRequestStatus[] = ['planned', 'open'];

/** The amount that is owed for one due date. */
export class Charge {
  private constructor(private state: ChargeState) {}

  static due(birth: Pick<ChargeState, 'id' | 'number' | 'dueAt' | 'closesAt'>): Charge {
    return new Charge({ ...birth, status: 'open', nextTry: 0, countedTries: 0, requests: [] });
  }

  /** Only the repository calls this. */
  static restore(state: ChargeState): Charge {
    return new Charge(state);
  }

  get snapshot(): ChargeState {
    return this.state;
  }

  get isOpen(): boolean {
    return this.state.status === 'open';
  }

  /** The request that is open or about to be. */
  get requestInFlight(): ChargeRequest | undefined {
    return this.state.requests.find(({ status }) => IN_FLIGHT.includes(status));
  }

  /** True once it was missed or paid: a charge in its first window is neither. */
  get isJudged(): boolean {
    return this.state.status === 'paid' || this.state.missedAt !== undefined;
  }

  /** True where each of its tries stood open for its whole window, and none was paid. */
  get isUnpaidThroughAllTries(): boolean {
    return this.state.status !== 'paid' && this.state.countedTries === this.tries.length;
  }

  /** When a request is to be opened next; null while one is in flight, and after the last try. */
  get nextTryAt(): Date | null {
    if (!this.isOpen || this.requestInFlight !== undefined) return null;
    return this.tries[this.state.nextTry] ?? null;
  }

  /** Plans a request for the latest try that is due. Earlier ones, missed in an outage, are left out. */
  planTry(id: PaymentRequestId, now: Date): void {
    const attempt = this.dueTry(now);
    if (attempt === undefined) throw new Error(`no attempt of charge ${this.state.id} is due`);
    this.plan({ id, attempt, status: 'planned', plannedAt: now, windowCut: false });
  }

  /** Plans a request because the payer pays now; it is a try where one is due. */
  planForPayer(id: PaymentRequestId, now: Date): void {
    const attempt = this.dueTry(now);
    const which = attempt === undefined ? {} : { attempt };
    this.plan({ id, ...which, status: 'planned', plannedAt: now, windowCut: false });
  }

  requestOpened(id: PaymentRequestId): void {
    const { status } = this.requestOf(id);
    if (status === 'planned' || status === 'dropped') this.setRequest(id, { status: 'open' });
  }

  /** The window of the request ends early, so it does not count as a try. */
  windowCut(id: PaymentRequestId): void {
    this.setRequest(id, { windowCut: true });
  }

  requestEnded(id: PaymentRequestId, outcome: RequestOutcome, at: Date): void {
    const { attempt, windowCut } = this.requestOf(id);
    const cutShort = outcome === 'failed' || windowCut;
    if (outcome === 'paid') {
      this.setRequest(id, { status: 'paid' });
      this.state = { ...this.state, status: 'paid', paidAt: this.state.paidAt ?? at };
    } else if (cutShort) {
      this.setRequest(id, { status: 'cut_short' });
      if (attempt !== undefined) this.state = { ...this.state, nextTry: attempt };
    } else {
      this.setRequest(id, { status: 'unpaid' });
      const countedTries = this.state.countedTries + (attempt === undefined ? 0 : 1);
      this.state = { ...this.state, countedTries, missedAt: this.state.missedAt ?? at };
    }
  }

  /** Opens no more requests. What is open runs out by itself, and may still be paid. */
  close(): void {
    for (const { id, status } of this.state.requests) {
      if (status === 'planned') this.setRequest(id, { status: 'dropped' });
    }
    if (this.isOpen && this.requestInFlight === undefined) this.state = { ...this.state, status: 'unpaid' };
  }

  private get tries(): Date[] {
    return triesOf(this.state.dueAt, this.state.closesAt);
  }

  private dueTry(now: Date): number | undefined {
    const due = this.tries.findLastIndex((at) => at <= now);
    return due >= this.state.nextTry ? due : undefined;
  }

  private plan(request: ChargeRequest): void {
    const { attempt } = request;
    const nextTry = attempt === undefined ? this.state.nextTry : attempt + 1;
    this.state = { ...this.state, nextTry, requests: [...this.state.requests, request] };
  }

  private requestOf(id: PaymentRequestId): ChargeRequest {
    const request = this.state.requests.find((each) => each.id === id);
    if (request === undefined) throw new Error(`charge ${this.state.id} has no request ${id}`);
    return request;
  }

  private setRequest(
    id: PaymentRequestId,
    change: Partial<Pick<ChargeRequest, 'status' | 'windowCut'>>,
  ): void {
    const requests = this.state.requests.map((each) => (each.id === id ? { ...each, ...change } : each));
    this.state = { ...this.state, requests };
  }
}
