import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isFinalStatus, isPaid, PaymentCollectionClient } from '../src/index.js';
import { NEXT_STEPS } from '../src/next-steps.js';

const inRepository = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

describe('An error', () => {
  it('has a next step for each code of the reference, and for no other', () => {
    const { components } = JSON.parse(inRepository('openapi/openapi.json')) as {
      components: { schemas: { ErrorCode: { 'x-extensible-enum': string[] } } };
    };

    expect(Object.keys(NEXT_STEPS).sort()).toEqual(components.schemas.ErrorCode['x-extensible-enum']);
  });
});

describe('Settings', () => {
  it('that are missing are named', () => {
    const read = () =>
      PaymentCollectionClient.fromEnvironment({
        PAYMENT_COLLECTION_URL: 'http://localhost:3000',
        PAYMENT_COLLECTION_API_KEY: 'svc.dev.1',
      });

    expect(read).toThrow('apiSecret (PAYMENT_COLLECTION_API_SECRET) is missing.');
  });

  it('name an absolute URL', () => {
    const make = () =>
      new PaymentCollectionClient({ baseUrl: 'payments.example', apiKey: 'k', apiSecret: 's' });

    expect(make).toThrow('baseUrl must be an absolute http or https URL.');
  });
});

describe('Statuses', () => {
  it('are final and paid as docs/reference/payments.md says', () => {
    const [, table = ''] = inRepository('docs/reference/payments.md').split('\n## States\n');
    const rows = [...table.split('\n## ')[0]!.matchAll(/^\| `([a-z]+)` +\|[^|]*\| (yes)? +\|/gm)];
    const ended = rows.filter(([, , isFinal]) => isFinal === 'yes').map(([, status]) => status!);

    expect(rows).toHaveLength(8);
    expect(rows.map(([, status]) => status!).filter(isFinalStatus)).toEqual(ended);
    expect(ended.filter(isPaid)).toEqual(['completed', 'overpaid']);
  });
});
