import { createHmac, createSecretKey } from 'node:crypto';
import { SECRET_PREFIX } from '../../domain/registration/webhook.js';

export interface UnsignedDelivery {
  /** Id of the message, the same in every attempt, so that receivers can detect duplicates. */
  readonly messageId: string;
  /** Canonical JSON: serializing the parsed value again yields the signed bytes. */
  readonly body: string;
}

/** Decrypted webhook secrets, including the prefix `whsec_`. */
export interface OpenSecrets {
  readonly current: string;
  /** The secret before the last rotation. Present while both secrets sign. */
  readonly previous?: string;
}

/**
 * The headers that authenticate one attempt.
 * `X-Request-Signature`: hex, keyed with the complete secret as text. It holds one signature: while two secrets are
 * valid after a rotation, that of the previous secret.
 * `webhook-signature` (Standard Webhooks): base64, keyed with the decoded part after `whsec_`. It holds the signatures
 * of both valid secrets.
 * That part is decoded as base64url: new secrets have only letters and digits, and older secrets may contain `-` and
 * `_`.
 */
export function signDelivery(
  { messageId, body }: UnsignedDelivery,
  { current, previous }: OpenSecrets,
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
