import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityApi, type ApiAnswer } from '#contexts/identity/testing/identity-api.js';

let api: IdentityApi;
let whole: Record<string, string>;

beforeAll(async () => {
  api = await IdentityApi.start();
  const { organization } = await api.organization();
  whole = await api.headers(await api.credential({ organizationId: organization.id }));
});
afterAll(() => api.close());

const create = (body: object) => api.call('POST', '/v1/account', whole, body);
const change = (id: string, body: object) => api.call('PUT', `/v1/account/${id}`, whole, body);
const read = (id: string) => api.call('GET', `/v1/account/${id}`, whole);
const accountOf = ({ body }: ApiAnswer) => body.data as unknown as { id: string; [field: string]: unknown };

describe('The underpayment tolerance of an account', () => {
  const tolerance = (basis_points: unknown, at_most?: unknown) => ({
    name: 'Oslo',
    underpayment_tolerance: { basis_points, ...(at_most === undefined ? {} : { at_most }) },
  });

  it('is set, read, replaced and taken away again, each time with an entry in the audit log', async () => {
    const created = await create(tolerance(100, '2.50'));
    const { id } = accountOf(created);
    const set = { basis_points: 100, at_most: '2.5' };
    expect(accountOf(created)['underpayment_tolerance']).toEqual(set);
    expect(accountOf(await read(id))['underpayment_tolerance']).toEqual(set);

    const named = {
      name: 'Oslo',
      underpayment_tolerance: { basis_points: 50, at_most: '1', currency: 'NOK' },
    };
    expect(accountOf(await change(id, named))).toMatchObject(named);
    const replaced = accountOf(await change(id, tolerance(500, '0.000000000000000001')));
    const zero = accountOf(await change(id, tolerance(0)));
    const left = accountOf(await change(id, { name: 'Oslo' }));

    expect(replaced['underpayment_tolerance']).toEqual({
      basis_points: 500,
      at_most: '0.000000000000000001',
    });
    expect([zero, left].map((account) => 'underpayment_tolerance' in account)).toEqual([false, false]);
    const entries = await api.platform.database.query<{ after: { underpayment_tolerance: unknown } }>(
      'SELECT after FROM identity.audit_log WHERE subject_id = $1 ORDER BY position',
      [id],
    );
    expect(entries.map(({ after }) => after.underpayment_tolerance)).toEqual([
      { basisPoints: 100, atMost: '2.5' },
      { basisPoints: 50, atMost: '1', currency: 'NOK' },
      { basisPoints: 500, atMost: '0.000000000000000001' },
      null,
      null,
    ]);
  });

  it.each([
    ['basis_points', 'basis_points', tolerance(501, '1')],
    ['basis_points', 'basis_points', tolerance(-1, '1')],
    ['basis_points', 'basis_points', tolerance(1.5, '1')],
    ['basis_points', 'basis_points', tolerance('100', '1')],
    ['basis_points', 'required', { name: 'x', underpayment_tolerance: { at_most: '1' } }],
    ['at_most', 'required', tolerance(100)],
    ['at_most', 'decimal_amount', tolerance(100, '0')],
    ['at_most', 'decimal_amount', tolerance(100, '1e3')],
    ['at_most', 'decimal_amount', tolerance(100, '0.0000000000000000001')],
    ['at_most', 'decimal_amount', tolerance(100, 2)],
    [
      'currency',
      'currency',
      { name: 'x', underpayment_tolerance: { basis_points: 1, at_most: '1', currency: 'usd' } },
    ],
  ])('is refused for a bad %s, by the rule %s', async (field, rule, body) => {
    expect((await create(body)).body).toMatchObject({
      errors: [{ field: `underpayment_tolerance.${field}`, rule }],
    });
  });
});
