import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit, reversalOf } from '../../testing/movements.js';
import { startLedgerApi, type LedgerApi } from '../../testing/ledger-api.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { MAX_DOWNLOADS } from './open-downloads.js';

const organizationId = newId<OrganizationId>();
const FILE = '/v1/transactions.csv';
const LIST = '/v1/transactions';

let ledger: TestLedger;
let api: LedgerApi;

beforeAll(async () => {
  ledger = await openLedger();
  const deposit = receivedDeposit({ organizationId, referenceId: '=HYPERLINK("http://evil.example")' });
  const movements = [
    confirmedPayment({ organizationId, referenceId: 'order-1' }),
    deposit,
    reversalOf(deposit),
    confirmedPayment({ organizationId }),
    confirmedPayment({ referenceId: 'a stranger' }),
  ];
  await ledger.happen(movements);
  await ledger.post(movements);
  api = await startLedgerApi(ledger.database, organizationId);
});
afterAll(async () => {
  await api.close();
  expect(await ledger.breaches()).toEqual({});
  await ledger.close();
});

interface Refusal {
  readonly code: string;
  readonly errors: { field: string; rule: string }[];
}

describe('Transactions as CSV', () => {
  it('are the fields of the list, newest first, with harmless texts and plain numbers', async () => {
    const response = await api.get(FILE);

    const [header, ...lines] = (await response.text()).split('\r\n');
    const columns = header!.split(',');
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="transactions-2026-02-01T102030Z.csv"',
    );
    const { data } = (await (await api.get(`${LIST}?page=1&page_size=5`)).json()) as {
      data: { data: Record<string, string>[] };
    };
    expect(Object.keys(data.data[1]!).every((field) => columns.includes(field))).toBe(true);
    expect(lines.pop()).toBe('');
    const written = data.data.map((record) =>
      columns
        .map((column) => {
          const value = record[column] ?? '';
          return value.startsWith('=') ? `"'=HYPERLINK(""http://evil.example"")"` : value;
        })
        .join(','),
    );
    expect(lines).toEqual(written);
    expect(lines[1]!.split(',').slice(3, 6)).toEqual(['-4', '-4', '-4']);
  });

  it.each([
    ['text/csv', true],
    ['text/csv;q=0.9, application/json;q=0.5', true],
    ['text/*', true],
    ['*/*', false],
    ['application/json', false],
    ['application/json, text/csv;q=0.9', false],
    ['text/csv;q=0, application/json', false],
    ['image/png', false],
  ])('are what the list answers by Accept: %s, or are not', async (accept, isFile) => {
    const response = await api.get(`${LIST}?type=payment_in${isFile ? '' : '&page=1&page_size=5'}`, accept);

    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      isFile ? 'text/csv; charset=utf-8; header=present' : 'application/json; charset=utf-8',
    ]);
    expect(response.headers.get('vary')).toContain('Accept');
    if (isFile) expect(await response.text()).toBe(await (await api.get(`${FILE}?type=payment_in`)).text());
  });

  it.each([
    [`${FILE}?reference_id=order-1`, 1],
    [`${FILE}?type=adjustment`, 1],
    [`${FILE}?status=failed`, 0],
    [`${FILE}?created_to=2020-01-01T00:00:00Z`, 0],
    [`${FILE}?created_from=2020-01-01T00:00:00%2B02:00`, 4],
  ])('are those that match: %s', async (target, count) => {
    expect((await (await api.get(target)).text()).split('\r\n')).toHaveLength(count + 2);
  });

  it.each([
    ['page=1&page_size=5', ['page', 'page_size'], 'unknown_field'],
    ['type=bribe', ['type'], 'in'],
    ['type=', ['type'], 'in'],
    ['status=paid', ['status'], 'in'],
    ['status=completed&status=completed', ['status'], 'duplicate_key'],
    ['reference_id=', ['reference_id'], 'text'],
    ['reference_id=a%0Ab', ['reference_id'], 'text'],
    ['reference_id=a%00b', ['reference_id'], 'characters'],
    ['created_from=2026-01-01T00:00:00', ['created_from'], 'instant'],
    ['created_to=9999-01-01T00:00:00Z', ['created_to'], 'instant'],
    [
      'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z',
      ['created_from', 'created_to'],
      'time_order',
    ],
    ['colour=red', ['colour'], 'unknown_field'],
  ])('are refused for %s, as JSON that names the field', async (query, fields, rule) => {
    for (const answer of [api.get(`${FILE}?${query}`), api.get(`${LIST}?${query}`, 'text/csv')]) {
      const response = await answer;
      const { code, errors } = (await response.json()) as Refusal;

      expect([response.status, code]).toEqual([
        400,
        rule === 'unknown_field' ? 'unknown_field' : 'validation_failed',
      ]);
      expect(errors.map((error) => [error.field, error.rule])).toEqual(fields.map((field) => [field, rule]));
    }
  });

  it.each([`${FILE}?`, `${LIST}?page=1&page_size=5&`])(
    'are refused for times that are out of order before the account is judged: %s',
    async (target) => {
      const times = 'created_from=2026-02-01T00:00:00Z&created_to=2026-01-01T00:00:00Z';

      const [refused, foreign] = await Promise.all([
        api.get(`${target}accountID=${newId()}&${times}`),
        api.get(`${target}accountID=${newId()}`),
      ]);

      expect([refused.status, ((await refused.json()) as Refusal).code]).toEqual([400, 'validation_failed']);
      expect([foreign.status, ((await foreign.json()) as Refusal).code]).toEqual([
        403,
        'account_not_allowed',
      ]);
    },
  );

  it(`are sent to a credential ${MAX_DOWNLOADS} times at once, and again when one has ended`, async () => {
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const query = ledger.database.query.bind(ledger.database);
    ledger.database.query = async (text, values) => {
      await held;
      return query(text, values);
    };
    const downloads = Array.from({ length: MAX_DOWNLOADS + 1 }, () => api.get(FILE));
    const refused = await Promise.race(downloads);
    ledger.database.query = query;
    release();
    const statuses = (await Promise.all(downloads)).map(({ status }) => status).sort();

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(statuses).toEqual([...Array.from({ length: MAX_DOWNLOADS }, () => 200), 429]);
    expect((await api.get(FILE)).status).toBe(200);
  });
});
