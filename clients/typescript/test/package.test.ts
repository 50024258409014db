import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CLIENT_VERSION } from '../src/http-exchange.js';
import { isFinalStatus, isPaid, PaymentCollectionClient } from '../src/index.js';
import { ERROR_NEXT_STEPS } from '../src/next-steps.js';

const inRepository = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

describe('The TypeScript package', () => {
  it('has the version and license of the service, and the openapi-fetch that it is tested with', () => {
    const [service, client] = ['package.json', 'clients/typescript/package.json'].map(
      (file) => JSON.parse(inRepository(file)) as Record<string, Record<string, string>>,
    ) as [Record<string, Record<string, string>>, Record<string, Record<string, string>>];

    expect([client['version'], client['license']]).toEqual([service['version'], service['license']]);
    expect(CLIENT_VERSION).toBe(client['version']);
    expect(client['dependencies']).toEqual({ 'openapi-fetch': service['devDependencies']!['openapi-fetch'] });
  });

  it('has a next step for each error code of the reference, and for no other', () => {
    const { components } = JSON.parse(inRepository('openapi/openapi.json')) as {
      components: { schemas: { ErrorCode: { 'x-extensible-enum': string[] } } };
    };

    expect(Object.keys(ERROR_NEXT_STEPS).sort()).toEqual(components.schemas.ErrorCode['x-extensible-enum']);
  });

  it('rejects a missing setting, and names it', () => {
    const settings = {
      PAYMENT_COLLECTION_URL: 'http://localhost:3000',
      PAYMENT_COLLECTION_API_KEY: 'svc.dev.1',
    };

    expect(() => PaymentCollectionClient.fromEnvironment(settings)).toThrow(
      'apiSecret (PAYMENT_COLLECTION_API_SECRET) is required.',
    );
  });

  it('classifies final and paid statuses as docs/reference/payments.md does', () => {
    const [, table = ''] = inRepository('docs/reference/payments.md').split('\n## States\n');
    const rows = [...table.split('\n## ')[0]!.matchAll(/^\| `([a-z]+)` +\|[^|]*\| (yes)? +\|/gm)];
    const ended = rows.filter(([, , isFinal]) => isFinal === 'yes').map(([, status]) => status!);

    expect(rows).toHaveLength(8);
    expect(rows.map(([, status]) => status!).filter(isFinalStatus)).toEqual(ended);
    expect(ended.filter(isPaid)).toEqual(['completed', 'overpaid']);
  });
});
