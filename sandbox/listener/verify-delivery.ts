import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { verifyWebhook, WebhookVerificationError } from '#client/verify-webhook.js';
import { canonicalJson } from '#shared/kernel/canonical-json.js';

/** Seconds (docs/reference/webhook-signatures.md). */
const MAX_AGE = 300;
const MISMATCH = 'not made with the secret';

export interface RawDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The body as received. */
  readonly body: string;
}

export interface SignatureVerification {
  readonly verifies: boolean;
  /** Which secret verifies the signature, or why none does. */
  readonly explanation: string;
}

export interface DeliveryVerification {
  /** True if the service's own signature verifies, and the Standard Webhooks signature too, if present. */
  readonly verified: boolean;
  /** `X-Request-Signature`. */
  readonly own: SignatureVerification;
  /** `webhook-signature`; undefined if the header is missing. */
  readonly standard: SignatureVerification | undefined;
  /** Seconds since the timestamp, negative if it is in the future. Undefined without a timestamp. */
  readonly age: number | undefined;
  /** The parsed body; undefined if it is not JSON. */
  readonly value: unknown;
}

/**
 * Verifies `webhook-signature` with the merchants' client, and `X-Request-Signature` with the service's
 * canonicalJson. test/docs checks that canonical form against the independent receivers in docs/receivers.
 */
export function verifyDelivery(
  { headers, body }: RawDelivery,
  secrets: readonly string[],
  now: Date,
): DeliveryVerification {
  const { value, canonical } = read(body);
  const own = firstOf(secrets, (secret) => faultOfOwn(headers, canonical, secret, now));
  const isStandard = headers['webhook-signature'] !== undefined;
  const standard = isStandard
    ? firstOf(secrets, (secret) => faultOfStandard({ headers, body, secret, now }))
    : undefined;
  const timestamp = (headers['x-request-timestamp'] ?? headers['webhook-timestamp'])?.toString();
  return {
    verified: own.verifies && standard?.verifies !== false,
    own,
    standard,
    age: isUnixSeconds(timestamp) ? ageOf(timestamp, now) : undefined,
    value,
  };
}

/** @param faultWith returns why the signature does not verify with a secret; undefined if it verifies */
function firstOf(
  secrets: readonly string[],
  faultWith: (secret: string) => string | undefined,
): SignatureVerification {
  const faults = secrets.map(faultWith);
  const index = faults.indexOf(undefined);
  const isOne = secrets.length === 1;
  if (index !== -1) {
    const which = isOne ? '' : ` with secret ${index + 1} of ${secrets.length}`;
    return { verifies: true, explanation: `verifies${which}` };
  }
  const mismatch = isOne ? MISMATCH : `made with none of ${secrets.length} secrets`;
  return { verifies: false, explanation: faults.find((fault) => fault !== MISMATCH) ?? mismatch };
}

function faultOfOwn(
  headers: IncomingHttpHeaders,
  canonical: string | undefined,
  secret: string,
  now: Date,
): string | undefined {
  const [signature, timestamp] = [headers['x-request-signature'], headers['x-request-timestamp']?.toString()];
  if (!signature) return 'header X-Request-Signature is missing';
  if (!timestamp) return 'header X-Request-Timestamp is missing';
  if (!isUnixSeconds(timestamp)) return 'its timestamp is not unix seconds';
  if (canonical === undefined) return 'the body is not JSON';
  const expected = createHmac('sha256', secret).update(`${timestamp}.${canonical}`).digest('hex');
  if (!isSame(signature.toString(), expected)) return MISMATCH;
  const age = ageOf(timestamp, now);
  return age > MAX_AGE ? `too old: ${Math.floor(age)} s; the limit is ${MAX_AGE} s` : undefined;
}

function faultOfStandard(delivery: Parameters<typeof verifyWebhook>[0]): string | undefined {
  try {
    verifyWebhook(delivery);
    return undefined;
  } catch (error) {
    const { reason, message } = error as WebhookVerificationError;
    // The signature is valid, although the body is not an event of this service.
    if (reason === 'body_malformed') return undefined;
    return reason === 'signature_mismatch' ? MISMATCH : message.replace(/\.$/, '');
  }
}

function read(body: string): { value?: unknown; canonical?: string } {
  try {
    const value: unknown = JSON.parse(body);
    return { value, canonical: canonicalJson(value) };
  } catch {
    // Not JSON, or nested too deep to canonicalize.
    return {};
  }
}

function isUnixSeconds(text: string | undefined): text is string {
  return /^\d{1,12}$/.test(text ?? '');
}

function ageOf(timestamp: string, now: Date): number {
  return now.getTime() / 1_000 - Number(timestamp);
}

function isSame(sent: string, made: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(made)];
  return a.length === b.length && timingSafeEqual(a, b);
}
