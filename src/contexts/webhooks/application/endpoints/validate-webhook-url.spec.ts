import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { FixedHostResolver } from '#contexts/webhooks/testing/fixed-host-resolver.js';
import { WebhooksSettings } from '../webhooks-settings.js';
import { ValidateWebhookUrl } from './validate-webhook-url.js';

const settings = (allowLoopbackHttp = false) => new WebhooksSettings({ secretKeys: [], allowLoopbackHttp });

describe('The check of an endpoint', () => {
  it('resolves the host once and returns the checked addresses', async () => {
    const resolver = new FixedHostResolver();
    resolver.setAddresses('shop.example', '93.184.215.14', '2606:2800:21f:cb07::1');

    const checked = await new ValidateWebhookUrl(settings(), resolver).validate('https://shop.example/hooks');

    expect(checked).toMatchObject({ addresses: ['93.184.215.14', '2606:2800:21f:cb07::1'] });
    expect(resolver.asked).toEqual(['shop.example']);
  });

  it('does not resolve an IP address', async () => {
    const resolver = new FixedHostResolver();

    const checked = await new ValidateWebhookUrl(settings(), resolver).validate(
      'https://93.184.215.14/hooks',
    );

    expect(checked).toMatchObject({ addresses: ['93.184.215.14'] });
    expect(resolver.asked).toEqual([]);
  });

  it('rejects a host whose lookup fails or takes more than a second and a half', async () => {
    const resolver = new FixedHostResolver();
    resolver.hangLookupOf('slow.example');
    const endpoints = new ValidateWebhookUrl(settings(), resolver);

    const slow = endpoints.validate('https://slow.example/');
    const unknown = endpoints.validate('https://unknown.example/');
    // The shorter of two timers in one process fires first, even if both fire late.
    const tooLate = pause(1_600, 'too late');

    expect(await Promise.race([unknown, slow])).toMatchObject({ rule: 'resolvable' });
    expect(await Promise.race([unknown, 'the other first'])).toMatchObject({ rule: 'resolvable' });
    expect(await Promise.race([slow, tooLate])).toMatchObject({ rule: 'resolvable' });
  });

  it('accepts loopback names only in development, without a lookup', async () => {
    const resolver = new FixedHostResolver();
    resolver.setAddresses('localhost', '93.184.215.14');
    const check = (allowLoopbackHttp: boolean) =>
      new ValidateWebhookUrl(settings(allowLoopbackHttp), resolver).validate('https://localhost:4000/');

    expect(await check(true)).toMatchObject({ addresses: ['127.0.0.1', '::1'] });
    expect(await check(false)).toMatchObject({ rule: 'public_address' });
    expect(resolver.asked).toEqual([]);
  });
});
