import { createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../domain/canonical-json.js';

/** Older deliveries are refused, so that a recorded one cannot be played back for ever. */
const MAX_AGE_SECONDS = 300;

export interface ReceivedWebhook {
  /** As received; it is parsed and spelled anew, so its spacing and order of keys do not matter. */
  readonly body: string;
  /** Header `X-Request-Signature`. */
  readonly signature: string;
  /** Header `X-Request-Timestamp`, unix seconds. */
  readonly timestamp: string;
  /** As answered when the webhook was created, with its prefix. */
  readonly secret: string;
  readonly now: Date;
}

/**
 * What a receiver does before it acts on a delivery (specification, Signature). Timestamps in the future are accepted.
 * @returns false for anything that was not signed with the secret, or too long ago; never throws
 */
export function verifyWebhookSignature({
  body,
  signature,
  timestamp,
  secret,
  now,
}: ReceivedWebhook): boolean {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return false;
  let canonical: string;
  try {
    canonical = canonicalJson(JSON.parse(body));
  } catch {
    return false;
  }
  const expected = Buffer.from(
    createHmac('sha256', secret).update(`${timestamp}.${canonical}`).digest('hex'),
  );
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return now.getTime() / 1000 - Number(timestamp) <= MAX_AGE_SECONDS;
}
