import { createHmac, timingSafeEqual } from 'node:crypto';
import { notificationIn, type WebhookNotice } from './events.js';

/** Seconds (docs/reference/webhook-signatures.md). */
const TOLERANCE = 300;
const SECRET = /^whsec_([A-Za-z0-9_+/-]{24,}={0,2})$/;

export type HeadersOfDelivery = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Delivery {
  /** The body as it arrived, before anything has parsed it. */
  readonly body: string | Uint8Array;
  /** The headers as `node:http`, Express or fetch have them. */
  readonly headers: HeadersOfDelivery;
  /** The secret as the webhook's creation answered it; several while one is being rotated. */
  readonly secret: string | readonly string[];
  /** Seconds that a delivery may be old; 300 unless set. */
  readonly tolerance?: number;
  readonly now?: Date;
}

export interface WebhookEvent {
  /** The event's: the same at every attempt. Handle each once. */
  readonly id: string;
  readonly sentAt: Date;
  /** The event; `notification_type` says its kind. Pass over a kind that you do not know. */
  readonly data: WebhookNotice;
}

export type WebhookFault =
  | 'secret_malformed'
  | 'body_not_raw'
  | 'header_missing'
  | 'timestamp_malformed'
  | 'signature_mismatch'
  | 'too_old'
  | 'body_malformed';

/** A delivery that is not to be acted upon. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  /** @param reason a stable word for programs @param message what is wrong, without secrets */
  constructor(
    readonly reason: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Proves by the signature of Standard Webhooks that the service has sent a delivery, not too long ago. A timestamp of the
 * future is accepted. @throws WebhookVerificationError saying what is wrong
 */
export function verifyWebhook(delivery: Delivery): WebhookEvent {
  const { headers, tolerance = TOLERANCE, now = new Date() } = delivery;
  const keys = [delivery.secret].flat().map(keyOf);
  if (keys.length === 0) refuse('secret_malformed', 'No secret was given to verify with.');
  const body = rawBytes(delivery.body);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) {
    refuse('timestamp_malformed', 'The header webhook-timestamp is not a number of Unix seconds.');
  }
  const expected = keys.map((key) => {
    const made = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return `v1,${made}`;
  });
  if (!isAnySame(signatures, expected)) {
    refuse(
      'signature_mismatch',
      'No signature in webhook-signature was made with the secret, over this body: the secret is another webhook’s, or ' +
        'something has changed the body on its way.',
    );
  }
  const age = Math.floor(now.getTime() / 1_000 - Number(timestamp));
  if (age > tolerance) refuse('too_old', `It was sent ${age} s ago, and at most ${tolerance} s count.`);
  const data = notificationIn(body.toString('utf8'));
  if (data === undefined) refuse('body_malformed', 'It is signed, but its body is no event of this service.');
  return { id, sentAt: new Date(Number(timestamp) * 1_000), data: data as WebhookNotice };
}

function refuse(reason: WebhookFault, message: string): never {
  throw new WebhookVerificationError(reason, message);
}

/** The bytes that the characters after the prefix stand for, with or without padding. */
function keyOf(secret: string): Buffer {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) {
    refuse(
      'secret_malformed',
      'The secret must be whsec_ and the characters behind it, as the webhook’s creation answered it.',
    );
  }
  return Buffer.from(encoded, 'base64url');
}

function rawBytes(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return refuse(
    'body_not_raw',
    'The body must be the text or bytes as they arrived. Parsed and spelled anew, it is not what was signed: in Express use ' +
      'express.raw({ type: "application/json" }) for this route.',
  );
}

function required(headers: HeadersOfDelivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (!value) refuse('header_missing', `Header ${name} is missing.`);
  return value;
}

/** Frameworks differ in the case of names. Two headers of one name are no header of this service. */
function valueOf(headers: Exclude<HeadersOfDelivery, Headers>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** Compares all with all, each in constant time. */
function isAnySame(given: readonly string[], expected: readonly string[]): boolean {
  const pairs = given.flatMap((one) =>
    expected.map((other) => [Buffer.from(one), Buffer.from(other)] as const),
  );
  return pairs.filter(([a, b]) => a.length === b.length && timingSafeEqual(a, b)).length > 0;
}
