import type { DeliveryVerification, RawDelivery, SignatureVerification } from './verify-delivery.js';

export interface ShownDelivery {
  readonly received: RawDelivery;
  readonly verification: DeliveryVerification;
  readonly at: Date;
  readonly answered: number;
  readonly seenBefore: number;
}

const NAME_WIDTH = 22;
/** Characters of one value. */
const MAX_SHOWN_VALUE = 200;
/** Characters of a body displayed without formatting. */
const MAX_SHOWN_BODY = 2_000;
/** Nesting levels. Deeper JSON is displayed as received, because its indentation would fill the terminal. */
const MAX_DEPTH = 16;

export function deliveryReport({ received, verification, at, answered, seenBefore }: ShownDelivery): string {
  const { headers, body } = received;
  const data = fieldsOf(fieldsOf(verification.value)['data']);
  const row = (name: string, value: string) => `  ${name.padEnd(NAME_WIDTH)}${value}`;
  const field = (name: string, key: string) =>
    data[key] === undefined ? [] : [row(name, abbreviated(data[key]))];
  const id = headers['webhook-id']?.toString();
  return [
    `${at.toTimeString().slice(0, 8)}  ${abbreviated(data['notification_type'] ?? 'unknown notification')}  ` +
      `${abbreviated(data['status'] ?? 'no status')}  ${verification.verified ? 'verified' : 'NOT VERIFIED'}`,
    row('webhook-id', id === undefined ? 'none' : abbreviated(id) + duplicateNote(seenBefore)),
    ...field('payment request', 'payment_request_id'),
    ...field('refund', 'refund_id'),
    ...field('reference', 'external_reference_id'),
    row('X-Request-Signature', signatureLine(verification.own)),
    row(
      'webhook-signature',
      verification.standard === undefined ? 'not sent' : signatureLine(verification.standard),
    ),
    row('timestamp', ageLine(verification.age)),
    row('answered', String(answered)),
    ...bodyLines(body, verification.value).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function signatureLine({ verifies, explanation }: SignatureVerification): string {
  return verifies ? explanation : `does not verify: ${explanation}`;
}

function duplicateNote(seenBefore: number): string {
  if (seenBefore === 0) return '';
  return ` (duplicate: seen ${seenBefore === 1 ? 'once' : `${seenBefore} times`} before)`;
}

function ageLine(age: number | undefined): string {
  if (age === undefined) return 'none';
  return age < 0 ? `${(-age).toFixed(1)} s in the future` : `${age.toFixed(1)} s old`;
}

/** Indents JSON, unless it is nested too deeply. */
function bodyLines(body: string, value: unknown): string[] {
  if (value !== undefined && !isDeeperThan(MAX_DEPTH, value)) {
    return JSON.stringify(value, null, 2).split('\n').map(printable);
  }
  return [printable(cut(body, MAX_SHOWN_BODY))];
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(levels - 1, part));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function abbreviated(value: unknown): string {
  const text =
    typeof value === 'string' ? value : isDeeperThan(MAX_DEPTH, value) ? '…' : JSON.stringify(value);
  return printable(cut(text, MAX_SHOWN_VALUE));
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)} … (${text.length} characters)` : text;
}

/** Escapes control, invisible and direction characters, because they could act on the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
