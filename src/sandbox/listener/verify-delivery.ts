import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { canonicalJson } from '#shared/kernel/canonical-json.js';

const SECRET_PREFIX = 'whsec_';
/** Seconds (docs/api/webhooks.md, "Signature"). */
const MAX_AGE = 300;

export interface RawDelivery {
  readonly headers: IncomingHttpHeaders;
  /** The body as it arrived. */
  readonly body: string;
}

export interface SignatureVerification {
  readonly verifies: boolean;
  /** The secret that verifies it, or why none does, for the terminal. */
  readonly explanation: string;
}

export interface DeliveryVerification {
  /** The service's own signature verifies, and that of Standard Webhooks too where it was sent. */
  readonly verified: boolean;
  /** `X-Request-Signature`. */
  readonly own: SignatureVerification;
  /** `webhook-signature`; undefined where it was not sent. */
  readonly standard: SignatureVerification | undefined;
  /** Seconds since the timestamp, negative when that lies in the future; undefined without one. */
  readonly age: number | undefined;
  /** The parsed body; undefined when it is not JSON. */
  readonly value: unknown;
}

/**
 * Both signatures of a delivery, and why one does not verify. What a receiver of a merchant's own needs is the shorter
 * docs/receivers/verify-webhook.ts. The body is spelled by the service's own canonicalJson here; test/docs checks that
 * spelling against the independent receivers in docs/receivers.
 */
export function verifyDelivery(
  received: RawDelivery,
  secrets: readonly string[],
  now: Date,
): DeliveryVerification {
  const { value, canonical } = read(received.body);
  const header = (name: string) => received.headers[name]?.toString();
  const timestamp = header('x-request-timestamp') ?? header('webhook-timestamp');
  const own = verifySignature({
    missing: missing(header, ['X-Request-Signature', 'X-Request-Timestamp']),
    timestamp: header('x-request-timestamp'),
    candidates: [header('x-request-signature') ?? ''],
    signatures: secrets.map((secret) =>
      canonical === undefined
        ? undefined
        : createHmac('sha256', secret)
            .update(`${header('x-request-timestamp')}.${canonical}`)
            .digest('hex'),
    ),
    now,
  });
  const standard =
    header('webhook-signature') === undefined
      ? undefined
      : verifyStandardSignature(received, header, secrets, now);
  return {
    verified: own.verifies && standard?.verifies !== false,
    own,
    standard,
    age: isUnixSeconds(timestamp) ? ageOf(timestamp, now) : undefined,
    value,
  };
}

type Header = (name: string) => string | undefined;

/** Standard Webhooks signs the body as it was sent, keyed with the bytes that the secret stands for. */
function verifyStandardSignature(
  { body }: RawDelivery,
  header: Header,
  secrets: readonly string[],
  now: Date,
) {
  const timestamp = header('webhook-timestamp');
  return verifySignature({
    missing: missing(header, ['webhook-id', 'webhook-timestamp']),
    timestamp,
    candidates: header('webhook-signature')!.split(' '),
    signatures: secrets.map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64url');
      const signed = `${header('webhook-id')}.${timestamp}.${body}`;
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    }),
    now,
  });
}

function verifySignature(proof: {
  missing: string | undefined;
  timestamp: string | undefined;
  /** The signatures that were sent. */
  candidates: readonly string[];
  /** The signature that each secret would make; undefined where the body is not JSON. */
  signatures: readonly (string | undefined)[];
  now: Date;
}): SignatureVerification {
  const { missing: name, timestamp, candidates, signatures, now } = proof;
  const no = (explanation: string): SignatureVerification => ({ verifies: false, explanation });
  if (name !== undefined) return no(`header ${name} is missing`);
  if (!isUnixSeconds(timestamp)) return no('its timestamp is not unix seconds');
  if (signatures.includes(undefined)) return no('the body is not JSON');
  const index = signatures.findIndex((made) => candidates.some((sent) => isSame(sent, made!)));
  if (index === -1) {
    return no(
      signatures.length === 1 ? 'not made with the secret' : `made with none of ${signatures.length} secrets`,
    );
  }
  const age = ageOf(timestamp, now);
  if (age > MAX_AGE) return no(`too old: ${Math.floor(age)} s, and at most ${MAX_AGE} s count`);
  return {
    verifies: true,
    explanation:
      signatures.length === 1 ? 'verifies' : `verifies with secret ${index + 1} of ${signatures.length}`,
  };
}

function read(body: string): { value?: unknown; canonical?: string } {
  try {
    const value: unknown = JSON.parse(body);
    return { value, canonical: canonicalJson(value) };
  } catch {
    // Not JSON, or nested too deep to be spelled.
    return {};
  }
}

function missing(header: Header, names: readonly string[]): string | undefined {
  return names.find((name) => !header(name.toLowerCase()));
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
