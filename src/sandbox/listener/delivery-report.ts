import { printable } from '../terminal/printable.js';
import type { Judgement, Received, SignatureJudgement } from './judge-delivery.js';

export interface Shown {
  readonly received: Received;
  readonly judgement: Judgement;
  readonly at: Date;
  /** The HTTP status it was answered. */
  readonly answered: number;
  /** How often its webhook-id was seen before. */
  readonly seenBefore: number;
}

const NAME_WIDTH = 22;
/** Characters of one value. */
const MOST_OF_A_VALUE = 200;
/** Characters of a body that is shown as it came. */
const MOST_OF_A_BODY = 2_000;
/** Levels; indenting deeper ones would fill the screen with spaces. */
const DEEPEST = 16;

/** A delivery as lines for the terminal. Nothing of what was received reaches it raw. */
export function deliveryReport({ received, judgement, at, answered, seenBefore }: Shown): string {
  const { headers, body } = received;
  const data = fieldsOf(fieldsOf(judgement.value)['data']);
  const row = (name: string, value: string) => `  ${name.padEnd(NAME_WIDTH)}${value}`;
  const field = (name: string, key: string) =>
    data[key] === undefined ? [] : [row(name, shortly(data[key]))];
  const id = headers['webhook-id']?.toString();
  return [
    `${at.toTimeString().slice(0, 8)}  ${shortly(data['notification_type'] ?? 'unknown notification')}  ` +
      `${shortly(data['status'] ?? 'no status')}  ${judgement.verified ? 'verified' : 'NOT VERIFIED'}`,
    row('webhook-id', id === undefined ? 'none' : shortly(id) + duplicate(seenBefore)),
    ...field('payment request', 'payment_request_id'),
    ...field('refund', 'refund_id'),
    ...field('reference', 'external_reference_id'),
    row('X-Request-Signature', wordsOf(judgement.own)),
    row('webhook-signature', judgement.standard === undefined ? 'not sent' : wordsOf(judgement.standard)),
    row('timestamp', ageInWords(judgement.age)),
    row('answered', String(answered)),
    ...bodyLines(body, judgement.value).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function wordsOf({ verifies, words }: SignatureJudgement): string {
  return verifies ? words : `does not verify: ${words}`;
}

function duplicate(seenBefore: number): string {
  if (seenBefore === 0) return '';
  return ` (duplicate: seen ${seenBefore === 1 ? 'once' : `${seenBefore} times`} before)`;
}

function ageInWords(age: number | undefined): string {
  if (age === undefined) return 'none';
  return age < 0 ? `${(-age).toFixed(1)} s in the future` : `${age.toFixed(1)} s old`;
}

/** Pretty where it is JSON and not nested absurdly, else as it came, cut short. */
function bodyLines(body: string, value: unknown): string[] {
  if (value !== undefined && !isDeeperThan(DEEPEST, value)) {
    return JSON.stringify(value, null, 2).split('\n').map(printable);
  }
  return [printable(cut(body, MOST_OF_A_BODY))];
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function shortly(value: unknown): string {
  const text = typeof value === 'string' ? value : isDeeperThan(DEEPEST, value) ? '…' : JSON.stringify(value);
  return printable(cut(text, MOST_OF_A_VALUE));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} … (${text.length} characters)` : text;
}
