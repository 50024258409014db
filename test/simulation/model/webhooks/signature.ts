import { createHmac } from 'node:crypto';
import type { DeliveryFact } from '../../facts/fact.js';
import { canonical } from '../known/values.js';

/** The signature as a receiver checks it: over the timestamp and the canonical JSON of the body. */
export function isSigned({ headers, body }: DeliveryFact, secret: string): boolean {
  let signed: string;
  try {
    signed = `${headers['x-request-timestamp']}.${canonical(JSON.parse(body))}`;
  } catch {
    return false;
  }
  return headers['x-request-signature'] === createHmac('sha256', secret).update(signed).digest('hex');
}

/** The signature as libraries for Standard Webhooks check it. */
export function isSignedStandard({ headers, body }: DeliveryFact, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const signature = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(signature);
}
