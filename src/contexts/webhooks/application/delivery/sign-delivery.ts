import { createHmac, createSecretKey } from 'node:crypto';
import { SECRET_PREFIX } from '../../domain/registration/webhook.js';

export interface UnsignedDelivery {
  /** The same in every attempt, so that receivers can detect duplicates. */
  readonly messageId: string;
  readonly body: string;
}

export interface DecryptedSecrets {
  readonly current: string;
  readonly previous?: string;
}

/**
 * `X-Request-Signature`: hex, keyed with the complete secret as text; during a rotation, with the previous secret.
 * `webhook-signature` (Standard Webhooks): base64, with both secrets, keyed with the part after `whsec_`, decoded as
 * base64url because older secrets may contain `-` and `_`.
 */
export function signDelivery(
  { messageId, body }: UnsignedDelivery,
  { current, previous }: DecryptedSecrets,
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString();
  const standard = (secret: string) => {
    // Creating a key from a `Buffer` would take longer than computing the signature.
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
