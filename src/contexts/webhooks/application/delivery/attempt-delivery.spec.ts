import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import type { RetryPlan, WebhookRequest } from '../../domain/delivery/attempt.js';
import { FixedHostResolver } from '../../testing/fixed-host-resolver.js';
import {
  AesWebhookSecrets,
  WebhookSecretBox,
} from '../../infrastructure/registration/persistence/aes-webhook-secrets.js';
import { ValidateWebhookUrl } from '../endpoints/validate-webhook-url.js';
import { WebhooksSettings } from '../webhooks-settings.js';
import { AttemptDelivery } from './attempt-delivery.js';

const settings = new WebhooksSettings({
  secretKeys: [{ id: 'test', secret: randomBytes(32) }],
  allowLoopbackHttp: false,
});
const secrets = new AesWebhookSecrets(new WebhookSecretBox(settings));
const { sealed } = secrets.issue('w' as WebhookId);

const posted: WebhookRequest[] = [];
const resolver = new FixedHostResolver();
resolver.setAddresses('shop.example', '192.88.98.1', '192.88.98.2');
const attemptDelivery = new AttemptDelivery(new ValidateWebhookUrl(settings, resolver), secrets, {
  post: async (request) => (posted.push(request), { httpStatus: 500 }),
});

function execute(url: string, attemptsBefore: number, plan: RetryPlan | null) {
  const to = { webhookId: 'w' as WebhookId, url, secrets: { current: sealed } };
  const delivery = { id: 'd' as DeliveryId, messageId: 'm', body: '{}', active: true, attemptsBefore, ...to };
  return attemptDelivery.attempt({ delivery, startedAt: new Date('2026-03-01T12:00:00.000Z'), plan });
}

/** @returns the attempt number and the address that received the request */
async function attempt(attemptsBefore: number, plan: RetryPlan | null) {
  const { number } = await execute('https://shop.example/hooks', attemptsBefore, plan);
  return [number, posted.at(-1)!.address];
}

describe('An attempt of a delivery', () => {
  it('uses the next address of the host after each failure', async () => {
    const after = (failuresBefore: number) => attempt(0, { failuresBefore, chance: 0 });

    expect([await after(0), await after(1), await after(2)]).toEqual([
      [1, '192.88.98.1'],
      [2, '192.88.98.2'],
      [3, '192.88.98.1'],
    ]);
  });

  it.each([
    ['10.0.0.1', 'address_not_allowed'],
    [undefined, 'unresolvable'],
  ])(
    'sends no request and is repeated later if the host has no allowed address: %s',
    async (address, error) => {
      resolver.setAddresses('moved.example', ...(address === undefined ? [] : [address]));
      const before = posted.length;

      const made = await execute('https://moved.example/', 0, { failuresBefore: 0, chance: 0 });

      expect(made).toMatchObject({ status: 'pending', error, nextAttemptAt: expect.any(Date) });
      expect(posted).toHaveLength(before);
    },
  );

  it('resolves the host again, and connects only to addresses that were checked', async () => {
    resolver.setAddresses('rebound.example', '192.88.98.1');
    await execute('https://rebound.example/', 0, { failuresBefore: 0, chance: 0 });
    const first = posted.at(-1)!.address;
    resolver.setAddresses('rebound.example', '192.88.98.1', '127.0.0.1');
    const before = posted.length;
    const second = await execute('https://rebound.example/', 0, { failuresBefore: 1, chance: 0 });

    expect([first, second.error, posted.length]).toEqual(['192.88.98.1', 'address_not_allowed', before]);
    expect(resolver.asked.filter((host) => host === 'rebound.example')).toHaveLength(2);
  });

  it('is numbered after all attempts that were made before the delivery was sent again', async () => {
    expect((await attempt(10, { failuresBefore: 2, chance: 0 }))[0]).toBe(13);
    expect((await attempt(10, null))[0]).toBe(11);
  });
});
