import type { Known } from '../known/known.js';
import { listOf, objectOf, textOf, timeOf, type Json } from '../known/values.js';
import { isAtRest, type Moment } from './status.js';
import { OUTCOMES, type PaymentRequest, type Status } from './payment-request.js';

/** Statuses that may follow one another in a history. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  '': ['pending', 'created'],
  pending: ['created', 'expired', 'failed'],
  // A payer may choose another asset.
  created: ['created', 'processing', 'expired', 'failed'],
  processing: ['completed', 'overpaid', 'underpaid', 'expired', 'failed', 'created'],
  completed: ['confirmed'],
  overpaid: ['confirmed'],
  underpaid: ['confirmed'],
  confirmed: [],
  expired: [],
  failed: [],
};

/** Judges the history of a request as it was shown: it only ever grows. */
export function takeHistory(request: PaymentRequest, record: Json, moment: Moment, known: Known): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
  if (record.status_history !== undefined) {
    const shown = listOf(record.status_history).map((entry) => {
      const { status, at } = objectOf(entry);
      return { status: textOf(status), at: textOf(at) };
    });
    judgeOrder(shown, about, known);
    const isOlder = shown.length < request.history.length;
    const [short, long] = isOlder ? [shown, request.history] : [request.history, shown];
    const isPrefix = short.every(
      (entry, index) => entry.status === long[index]!.status && entry.at === long[index]!.at,
    );
    findings.expect(isPrefix, 'a history only grows', about, request.history, shown);
    if (!isOlder) request.history = shown;
    const steps = shown.filter(({ status }) => status !== 'confirmed');
    const last = steps[steps.length - 1]?.status;
    findings.expect(last === record.status, 'the history ends with the status', about, record.status, last);
  }
  takeConfirmed(request, record, moment, known);
}

function judgeOrder(
  shown: readonly { status: string; at: string }[],
  about: string,
  { findings }: Known,
): void {
  let before = '';
  let latest = -Infinity;
  for (const { status, at } of shown) {
    const isNext = NEXT[before]?.includes(status) ?? false;
    findings.expect(
      isNext,
      'the order of a history',
      about,
      NEXT[before]?.join(' or ') ?? 'a status',
      `${before} → ${status}`,
    );
    const time = timeOf(at);
    const isLater = time !== null && time >= latest - 1000;
    findings.expect(isLater, 'the times of a history', about, 'timestamps in order', at);
    latest = time ?? latest;
    before = status;
  }
}

function takeConfirmed(request: PaymentRequest, record: Json, { sentAt }: Moment, known: Known): void {
  const { findings } = known;
  const about = `payment request ${request.id}`;
  const isOutcome = OUTCOMES.includes(record.status as Status);
  const step = listOf(record.status_history)
    .map(objectOf)
    .find(({ status }) => status === 'confirmed');
  if (record.confirmed_at !== undefined) {
    findings.expect(
      isOutcome,
      'only an outcome is confirmed',
      about,
      'no confirmed_at',
      `${textOf(record.status)}, confirmed_at`,
    );
    findings.expect(
      timeOf(record.confirmed_at) !== null,
      'confirmed_at',
      about,
      'a timestamp',
      record.confirmed_at,
    );
    const isSame = request.confirmedAt === undefined || request.confirmedAt === record.confirmed_at;
    findings.expect(isSame, 'confirmed_at stays', about, request.confirmedAt, record.confirmed_at);
    request.confirmedAt = textOf(record.confirmed_at);
  }
  if (record.status_history === undefined) return;
  const has = record.confirmed_at !== undefined;
  const fits = step === undefined ? !has : has && isSameTime(step.at, record.confirmed_at);
  findings.expect(fits, 'confirmed_at is the step of the history', about, step?.at, record.confirmed_at);
  if (isAtRest(known, sentAt) && isOutcome) {
    findings.expect(has, 'an outcome is confirmed', about, 'confirmed_at', 'none at rest');
  }
}

function isSameTime(one: unknown, other: unknown): boolean {
  return Math.abs((timeOf(one) ?? NaN) - (timeOf(other) ?? NaN)) <= 1000;
}
