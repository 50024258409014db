import { verifyWebhook, WebhookVerificationError, type Delivery } from '../../src/index.js';
import { expectSame, expectTrue } from './differences.js';
import type { WebhookCase } from './recorded-cases.js';

/** Verifies a recorded delivery. @throws Error that describes the difference */
export function runWebhookCase(one: WebhookCase): void {
  const { event, refused, message_has: part = '' } = one;
  const outcome = outcomeOf(one);
  if (outcome instanceof WebhookVerificationError) {
    const { reason, message } = outcome;
    expectSame(reason, refused, 'refused');
    expectTrue(message.includes(part), `"${part}" is not in "${message}"`);
    const secrets = [one.secret, one.headers['webhook-signature']]
      .flat()
      .filter((text) => (text ?? '').length > 9);
    expectTrue(!secrets.some((text) => message.includes(text!)), `The message contains a secret: ${message}`);
    return;
  }
  expectTrue(refused === undefined, 'The delivery was not rejected.');
  const { id, sentAt, data } = outcome;
  expectSame({ id, sent_at: sentAt.toISOString(), data }, event, 'event');
}

function outcomeOf(one: WebhookCase) {
  const headers = Object.entries(one.headers).filter(([, value]) => value !== null);
  const raw = one.body_base64 === undefined ? one.body : Buffer.from(one.body_base64, 'base64');
  const { secret, tolerance } = one;
  const delivery = {
    ...{ body: 'parsed_body' in one ? one.parsed_body : raw, headers: Object.fromEntries(headers) },
    ...{ secret, now: new Date(one.now), ...(tolerance && { tolerance }) },
  };
  try {
    return verifyWebhook(delivery as Delivery);
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error;
    throw error;
  }
}
