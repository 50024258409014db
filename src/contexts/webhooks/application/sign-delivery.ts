import { createHmac } from 'node:crypto';
import { SECRET_PREFIX } from '../domain/webhook-secrets.js';

export interface UnsignedDelivery {
  /** The same at every attempt; receivers may deduplicate on it. */
  readonly id: string;
  /** Canonical JSON, so that signing the bytes and signing the parsed value are one and the same. */
  readonly body: string;
}

/**
 * The headers that prove where a delivery comes from, for one attempt: the specification's (hex, keyed with the whole
 * secret as text) and beside them those of Standard Webhooks (base64, keyed with the bytes that the part after
 * `whsec_` stands for). That part is base64url without padding: a library that insists on padded base64 wants
 * it converted first.
 */
export function signDelivery(delivery: UnsignedDelivery, secret: string, at: Date): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64url');
  const standard = createHmac('sha256', key).update(`${delivery.id}.${timestamp}.${delivery.body}`);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'payment-collection-service/1 (webhooks)',
    'X-Request-Timestamp': timestamp,
    'X-Request-Signature': createHmac('sha256', secret).update(`${timestamp}.${delivery.body}`).digest('hex'),
    'webhook-id': delivery.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard.digest('base64')}`,
  };
}
