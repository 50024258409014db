import { createHmac, timingSafeEqual } from 'node:crypto';
import { notificationIn, type WebhookNotice } from './events.js';

/** Default maximum age of a delivery, in seconds (docs/reference/webhook-signatures.md). */
const TOLERANCE = 300;
const SECRET = /^whsec_([A-Za-z0-9_+/-]{24,}={0,2})$/;

export type HeadersOfDelivery = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface Delivery {
  /** Raw request body, before any parsing. */
  readonly body: string | Uint8Array;
  /** Request headers, as provided by `node:http`, Express or fetch. */
  readonly headers: HeadersOfDelivery;
  /** Webhook secret, as returned when the webhook was created. Pass all valid secrets during a rotation. */
  readonly secret: string | readonly string[];
  /** Maximum age of a delivery, in seconds. Default: 300. */
  readonly tolerance?: number;
  readonly now?: Date;
}

export interface WebhookEvent {
  /** Event id, the same for every delivery attempt. Handle each id only once. */
  readonly id: string;
  readonly sentAt: Date;
  /** Event body. `notification_type` is the type of the event; ignore types that you do not know. */
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

/** Error for a delivery that could not be verified. Do not process the delivery. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  /** @param reason stable, machine-readable reason @param message sentence for a log; contains no secrets */
  constructor(
    readonly reason: WebhookFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Verifies the Standard Webhooks signature and the age of a delivery. Timestamps in the future are accepted.
 * @throws WebhookVerificationError
 */
export function verifyWebhook(delivery: Delivery): WebhookEvent {
  const { headers, tolerance = TOLERANCE, now = new Date() } = delivery;
  const keys = [delivery.secret].flat().map(keyOf);
  if (keys.length === 0) refuse('secret_malformed', 'At least one webhook secret is required.');
  const body = rawBytes(delivery.body);
  const id = required(headers, 'webhook-id');
  const timestamp = required(headers, 'webhook-timestamp');
  const signatures = required(headers, 'webhook-signature').split(' ');
  if (!/^\d{1,12}$/.test(timestamp)) {
    refuse('timestamp_malformed', 'The header webhook-timestamp must be a Unix timestamp in seconds.');
  }
  const expected = keys.map((key) => {
    const made = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return `v1,${made}`;
  });
  if (!isAnySame(signatures, expected)) {
    refuse(
      'signature_mismatch',
      'No signature in webhook-signature matches. Check that the secret belongs to this webhook, and that nothing changes the ' +
        'body before it is verified.',
    );
  }
  const age = Math.floor(now.getTime() / 1_000 - Number(timestamp));
  if (age > tolerance) refuse('too_old', `The delivery is ${age} s old. The limit is ${tolerance} s.`);
  const data = notificationIn(body.toString('utf8'));
  if (data === undefined)
    refuse('body_malformed', 'The signature is valid, but the body is not an event of this service.');
  return { id, sentAt: new Date(Number(timestamp) * 1_000), data: data as WebhookNotice };
}

function refuse(reason: WebhookFault, message: string): never {
  throw new WebhookVerificationError(reason, message);
}

/** Decodes the base64 or base64url key after the prefix, with or without padding. */
function keyOf(secret: string): Buffer {
  const encoded = SECRET.exec(secret)?.[1];
  if (encoded === undefined) {
    refuse(
      'secret_malformed',
      'The secret must be whsec_ followed by the key, as returned when the webhook was created.',
    );
  }
  return Buffer.from(encoded, 'base64url');
}

function rawBytes(body: unknown): Buffer {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return refuse(
    'body_not_raw',
    'The body must be the raw request body, as a string or bytes. In Express, use express.raw({ type: "application/json" }) for ' +
      'this route.',
  );
}

function required(headers: HeadersOfDelivery, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueOf(headers, name);
  if (!value) refuse('header_missing', `The header ${name} is missing.`);
  return value;
}

/** Ignores the case of header names, which depends on the framework. Duplicate headers count as missing. */
function valueOf(headers: Exclude<HeadersOfDelivery, Headers>, name: string): string | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

/** Compares every pair in constant time. */
function isAnySame(given: readonly string[], expected: readonly string[]): boolean {
  const pairs = given.flatMap((one) =>
    expected.map((other) => [Buffer.from(one), Buffer.from(other)] as const),
  );
  return pairs.filter(([a, b]) => a.length === b.length && timingSafeEqual(a, b)).length > 0;
}
