import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { USER_AGENT_PRODUCT, faultsOfOptions } from '../src/options.js';

const GOOD = {
  baseUrl: 'https://payments.example',
  apiKey: 'svc.dev.1',
  apiSecret: 'the secret',
  pointOfSaleId: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  webhookSecret: `whsec_${'Ab1'.repeat(14)}Zz`,
};

describe('The Medusa provider', () => {
  it('has the name of its package', () => {
    const { name, version } = JSON.parse(readFileSync('clients/medusa-payment/package.json', 'utf8')) as {
      name: string;
      version: string;
    };

    expect(USER_AGENT_PRODUCT).toBe(`${name}/${version}`);
  });

  it.each([
    [{}],
    [{ returnUrl: 'https://shop.example/thanks', capture: 'manual' }],
    [{ returnUrl: undefined, capture: '' }],
  ])('accepts valid options: %j', (more) => {
    expect(faultsOfOptions({ ...GOOD, ...more })).toEqual([]);
  });

  it.each([
    [{ apiKey: undefined }, 'apiKey is required.'],
    [{ apiSecret: '' }, 'apiSecret is required.'],
    [{ baseUrl: 'payments.example' }, 'baseUrl must be an absolute http or https URL.'],
    [{ webhookSecret: [] }, expect.stringMatching('^webhookSecret must be whsec_')],
    [{ baseUrl: 'http://payments.example' }, expect.stringMatching('^baseUrl must begin with https://')],
    [{ baseUrl: 'https://key:secret@payments.example' }, 'baseUrl must not have a user name or password.'],
    [{ returnUrl: 'http://shop.example' }, 'returnUrl must be an https URL without a user name or password.'],
    [{ capture: 'later' }, 'capture must be automatic or manual.'],
    [{ returnURL: 'https://shop.example' }, 'returnURL is not an option of this provider.'],
  ])('rejects invalid options, and repeats no value in the error: %j', (more, sentence) => {
    expect(faultsOfOptions({ ...GOOD, ...more })).toEqual([sentence]);
  });

  it('reports every missing option', () => {
    expect(faultsOfOptions(undefined)).toHaveLength(5);
  });
});
