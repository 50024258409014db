import { DateTime } from 'luxon';

/**
 * The model works out what is expected of a subscription from the rules alone (docs/reference/subscriptions.md), by another calendar.
 */
export interface ModelTerms {
  readonly interval: 'P1D' | 'P1W' | 'P1M' | 'P1Y';
  readonly offeredUntil: Date;
  readonly trialUntil?: Date;
  readonly endsAt?: Date;
}

interface ModelCharge {
  readonly number: number;
  readonly dueAt: number;
  readonly closesAt: number;
  paid: boolean;
  closed: boolean;
  missed: boolean;
  /** Which tries were made, and how many of them counted. */
  lastTry: number;
  counted: number;
  open: { readonly until: number; readonly isTry: boolean } | null;
}

const DAY = 86_400_000;
const RETRY_DAYS = [0, 1, 3, 7];
const UNIT = { P1D: 'days', P1W: 'weeks', P1M: 'months', P1Y: 'years' } as const;

export class SubscriptionModel {
  status = 'pending';
  readonly charges: ModelCharge[] = [];
  private first: Date | null = null;
  private next: number | null = null;

  constructor(
    private readonly terms: ModelTerms,
    private readonly windowMs: number,
  ) {}

  accept(now: Date): void {
    if (this.status !== 'pending' || now >= this.terms.offeredUntil) return;
    const { trialUntil } = this.terms;
    this.status = 'active';
    this.first = trialUntil !== undefined && trialUntil > now ? trialUntil : now;
    this.next = 0;
    this.settle(now);
  }

  revoke(): void {
    if (!['pending', 'active', 'past_due'].includes(this.status)) return;
    this.end('revoked');
  }

  /** A payer asks for something to pay. */
  ask(now: Date): void {
    const last = this.payable();
    if (last !== undefined && last.open === null) this.open(last, now.getTime());
  }

  /** True where a request is open now, which can be paid. */
  isPayable(): boolean {
    return this.charges.at(-1)?.open != null;
  }

  pay(now: Date): void {
    const charge = this.charges.at(-1)!;
    charge.open = null;
    charge.paid = true;
    this.settle(now);
  }

  /** All that has become due by now, and what windows that are over have come to. */
  settle(now: Date): void {
    const at = now.getTime();
    for (const charge of this.charges) this.runOut(charge, at);
    this.judge(at);
    if (this.status === 'pending' && now >= this.terms.offeredUntil) this.end('expired');
    if (!this.isCharging()) return;
    this.charge(at);
    this.closeLast(at);
    const last = this.payable();
    if (last !== undefined && last.open === null && this.dueTry(last, at) !== null) this.open(last, at);
    this.judge(at);
  }

  private charge(at: number): void {
    while (this.next !== null && this.due(this.next) <= at) {
      const skipped = this.due(this.next + 1) <= at && this.isBeforeEnd(this.due(this.next + 1));
      if (!skipped) {
        const before = this.charges.at(-1);
        if (before !== undefined && before.open === null) before.closed = true;
        this.charges.push({
          ...{ number: this.next, dueAt: this.due(this.next), closesAt: this.due(this.next + 1) },
          ...{ paid: false, closed: false, missed: false, lastTry: -1, counted: 0, open: null },
        });
      }
      this.next = this.isBeforeEnd(this.due(this.next + 1)) ? this.next + 1 : null;
    }
  }

  private closeLast(at: number): void {
    const last = this.payable();
    if (this.next !== null || last === undefined || last.closesAt > at || last.open !== null) return;
    last.closed = true;
    if (this.owes()) this.end('revoked');
  }

  private runOut(charge: ModelCharge, at: number): void {
    if (charge.open === null || charge.open.until >= at) return;
    charge.missed = true;
    if (charge.open.isTry) charge.counted += 1;
    charge.open = null;
    if (charge !== this.charges.at(-1) || !this.isCharging()) charge.closed = true;
  }

  private judge(at: number): void {
    if (!this.isCharging()) return;
    this.status = this.owes() ? 'past_due' : 'active';
    const unpaid = this.charges.map((charge) => {
      const tries = this.tries(charge).length;
      return !charge.paid && charge.open === null && charge.counted === tries;
    });
    const isLong = unpaid.some((_, n) => unpaid.slice(n, n + 3).filter(Boolean).length === 3);
    if (this.owes() && isLong) return this.end('revoked');
    // A due date that has passed is charged first.
    const isOver = this.next === null && this.terms.endsAt !== undefined && this.terms.endsAt.getTime() <= at;
    if (isOver && this.status === 'active' && this.charges.every(({ paid, closed }) => paid || closed)) {
      this.end('completed');
    }
  }

  private owes(): boolean {
    const judged = this.charges.filter(({ paid, missed }) => paid || missed).at(-1);
    return judged !== undefined && !judged.paid;
  }

  private open(charge: ModelCharge, at: number): void {
    const which = this.dueTry(charge, at);
    if (which !== null) charge.lastTry = which;
    charge.open = { until: at + this.windowMs, isTry: which !== null };
  }

  private dueTry(charge: ModelCharge, at: number): number | null {
    let due: number | null = null;
    this.tries(charge).forEach((time, n) => {
      if (time <= at && n > charge.lastTry) due = n;
    });
    return due;
  }

  private tries({ dueAt, closesAt }: ModelCharge): number[] {
    return RETRY_DAYS.map((days) => dueAt + days * DAY).filter((time) => time < closesAt);
  }

  private payable(): ModelCharge | undefined {
    const last = this.charges.at(-1);
    return this.isCharging() && last !== undefined && !last.paid && !last.closed ? last : undefined;
  }

  private isCharging(): boolean {
    return this.status === 'active' || this.status === 'past_due';
  }

  private end(status: string): void {
    this.status = status;
    this.next = null;
    for (const charge of this.charges) if (charge.open === null) charge.closed = true;
  }

  private due(number: number): number {
    const first = DateTime.fromJSDate(this.first!, { zone: 'utc' });
    return first.plus({ [UNIT[this.terms.interval]]: number }).toMillis();
  }

  private isBeforeEnd(time: number): boolean {
    return this.terms.endsAt === undefined || time < this.terms.endsAt.getTime();
  }
}
