import { createHmac, createSecretKey } from 'node:crypto';
import { SECRET_PREFIX } from '../../domain/registration/webhook.js';

export interface UnsignedDelivery {
  /** The same in every attempt, so that receivers can deduplicate by it. */
  readonly messageId: string;
  /** Canonical JSON, so that a signature of the bytes is also a signature of the parsed value. */
  readonly body: string;
}

/** Decrypted secrets, with their prefix. */
export interface OpenSecrets {
  readonly current: string;
  /** Present during the overlap of a rotation. */
  readonly previous?: string;
}

/**
 * The headers that authenticate one attempt.
 * `X-Request-Signature`: hex, keyed with the complete secret as text. It holds one signature, which during an overlap is that
 * of the previous secret.
 * `webhook-signature` (Standard Webhooks): base64, keyed with the decoded part after `whsec_`. It holds both signatures.
 * Base64 and base64url decode that part identically, because it has only letters and digits; older secrets may contain `-` and
 * `_` of base64url.
 */
export function signDelivery(
  { messageId, body }: UnsignedDelivery,
  { current, previous }: OpenSecrets,
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const standard = (secret: string) => {
    // Creating a key from a `Buffer` costs more than the signature.
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
