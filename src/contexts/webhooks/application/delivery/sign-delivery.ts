import { createHmac, createSecretKey } from 'node:crypto';
import { SECRET_PREFIX } from '../../domain/registration/webhooks.js';

export interface UnsignedDelivery {
  /** The same at every attempt; receivers may deduplicate on it. */
  readonly messageId: string;
  /** Canonical JSON, so that signing the bytes and signing the parsed value are one and the same. */
  readonly body: string;
}

/** Secrets as text, prefix included. */
export interface OpenSecrets {
  readonly current: string;
  /** While a rotation's overlap lasts. */
  readonly previous?: string;
}

/**
 * The headers that prove where a delivery comes from, for one attempt: the service's own (hex, keyed with the whole
 * secret as text) and beside them those of Standard Webhooks (base64, keyed with the bytes that the part after
 * `whsec_` stands for). That part is letters and digits, which base64 and base64url decode alike; secrets of before may
 * have `-` and `_` of base64url. The service's own header has room for one signature, and keeps the previous secret while there
 * is one; the other carries both.
 */
export function signDelivery(
  { messageId, body }: UnsignedDelivery,
  { current, previous }: OpenSecrets,
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const standard = (secret: string) => {
    // A key that is a `Buffer` costs more than the signature.
    const key = createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64url');
    return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'Content-Type': 'application/json',
    'X-Request-Timestamp': timestamp,
    'X-Request-Signature': createHmac('sha256', previous ?? current)
      .update(`${timestamp}.${body}`)
      .digest('hex'),
    'webhook-id': messageId,
    'webhook-timestamp': timestamp,
    'webhook-signature':
      previous === undefined ? standard(current) : `${standard(current)} ${standard(previous)}`,
  };
}
