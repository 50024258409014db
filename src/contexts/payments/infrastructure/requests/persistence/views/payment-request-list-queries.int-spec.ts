import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { executed } from '#test/support/plans.js';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentPointOfSale, PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { OPEN_STATUSES, STATUS_TRANSITIONS } from '#contexts/payments/domain/requests/status.js';
import {
  PaymentRequestListQueries,
  type FoundPaymentRequests,
  MAX_COUNTED_REQUESTS,
  PAYMENT_REQUEST_PAGE,
  PAYMENT_REQUEST_SEARCH,
  PAYMENT_REQUEST_SEARCH_BY_REFERENCE,
} from './payment-request-list-queries.js';
import { openPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { afterNoon, NOON, StoredPayments } from '#contexts/payments/testing/requests/stored-payments.js';
import type { PaymentRequestFilter } from '#contexts/payments/application/requests/payment-request-view.js';

const STATUSES = Object.keys(STATUS_TRANSITIONS) as PaymentRequestStatus[];
const OUTCOMES = ['completed', 'overpaid', 'underpaid'];
const UNSELECTED = { network: null, unique_asset_id: null, currency: null, decimals: null, amount: null };

let payments: Payments;
let requests: PaymentRequestListQueries;

beforeAll(async () => {
  payments = await openPayments();
  await payments.follow();
  requests = new PaymentRequestListQueries(payments.database, payments.pointsOfSale);
});

// The tests store rows without the events that lead to them.
afterAll(() => payments.platform.close('any'));

const scopeOf = ({ organizationId }: PaymentPointOfSale) => ({ organizationId, accountId: null });

type PageInput = PaymentRequestFilter & PageRequest & { readonly scope: TenantScope };

function page(point: PaymentPointOfSale, input: Partial<PageInput> = {}) {
  return pageOf(scopeOf(point), point, input);
}

/** @param point null for all points of sale of the scope */
function pageOf(scopeUnlessGiven: TenantScope, point: PaymentPointOfSale | null, input: Partial<PageInput>) {
  const { scope = scopeUnlessGiven, page = 1, pageSize = 50, after, ...filter } = input;
  const { referenceId: reference, ...others } = { created: {}, ...filter };
  if (point !== null)
    return requests.page(scope, point.id, { created: {}, ...filter }, { page, pageSize, after });
  const search = { pointOfSale: null, ...(reference !== undefined && { reference }), ...others };
  return requests.search(scope, search, { page, pageSize, after });
}

async function store(point: PaymentPointOfSale, fields: Record<string, unknown>) {
  const status = fields['status'] as PaymentRequestStatus;
  return new StoredPayments(payments.platform.database).request(point, {
    point_of_sale_id: point.id,
    expires_at: afterNoon(9_000),
    counts_until: afterNoon(9_060),
    confirmed_at: OUTCOMES.includes(status) ? afterNoon(60) : null,
    ...(status === 'pending' ? UNSELECTED : {}),
    ...fields,
  });
}

describe('The list of payment requests of a point of sale', () => {
  it('shows current facts, newest first, in one statement', async () => {
    const first = await payments.request({ referenceId: 'order-1' });
    const second = await payments.request({ referenceId: 'order-2' });
    const before = payments.database.statements.length;

    const { items, total } = await page(payments.point);

    expect(payments.database.statements.length - before).toBe(1);
    expect(total).toBe(2);
    const { order: _order, organizationId: _organization, token: _token, ...facts } = second;
    const { network, uniqueAssetId, currency, decimals, amount, address, ...own } = facts;
    expect(items[0]).toEqual({
      ...own,
      asked: { network, uniqueAssetId, currency, decimals, amount, address },
      checkout: undefined,
      receivedAmount: 0n,
    });
    expect(items[1]!.id).toBe(first.id);
  });

  it('supports every combination of filters, of one or all points of sale, with exact totals', async () => {
    const point = await payments.pointsOfSale.open();
    const sibling = await payments.pointsOfSale.open({ organizationId: point.organizationId });
    const stored = [];
    for (let n = 0; n < 48; n += 1) {
      const made = {
        status: STATUSES[n % STATUSES.length]!,
        reference_id: ['a', 'b', null][(n % 5) % 3]!,
        created_at: afterNoon(n >> 1),
      };
      const at = n % 3 === 0 ? sibling : point;
      stored.push({ ...made, at, id: (await store(at, made)).id });
    }
    const newestFirst = stored.sort((a, b) => +b.created_at - +a.created_at || (a.id < b.id ? 1 : -1));
    const filters: PaymentRequestFilter[] = [
      undefined,
      ...STATUSES.map((status) => [status]),
      OPEN_STATUSES,
    ].flatMap((statuses) =>
      [undefined, 'a', 'A'].flatMap((referenceId) => [
        { statuses, referenceId, created: {} },
        { statuses, referenceId, created: { from: afterNoon(8), before: afterNoon(20) } },
        { statuses, referenceId, created: { from: afterNoon(15) } },
        { statuses, referenceId, created: { before: NOON } },
      ]),
    );

    for (const filter of filters) {
      const { from = new Date(0), before = afterNoon(1_000) } = filter.created;
      const withReference = (typed?: string, statuses = filter.statuses ?? STATUSES) =>
        newestFirst.filter(
          (each) =>
            statuses.includes(each.status) &&
            (typed ?? each.reference_id) === each.reference_id &&
            each.created_at >= from &&
            each.created_at < before,
        );
      const expected = withReference(filter.referenceId);
      const searched = withReference(filter.referenceId?.toLowerCase());
      const listed = await readByCursor((request) => page(point, { ...filter, ...request }), 7);
      expect(listed.map(({ id }) => id)).toEqual(
        expected.filter(({ at }) => at === point).map(({ id }) => id),
      );
      const { organizationId, accountId } = point;
      for (const [scope, at, own] of [
        [scopeOf(point), point, [point]],
        [scopeOf(point), null, [point, sibling]],
        [{ organizationId, accountId }, null, [point]],
      ] as const)
        for (const [number, pageSize] of [
          [1, 50],
          [2, 7],
          [4, 7],
        ] as const) {
          const ids = (at === null ? searched : expected)
            .filter((one) => own.some((of) => of === one.at))
            .map(({ id }) => id);
          const read = await pageOf(scope, at, { ...filter, page: number, pageSize });
          const { items, total, counts }: Partial<FoundPaymentRequests> = read;
          const inAnyStatus = withReference(filter.referenceId?.toLowerCase(), STATUSES).filter((one) =>
            own.some((of) => of === one.at),
          );
          if (counts !== undefined)
            expect(STATUSES.map((status) => counts[status] ?? 0)).toEqual(
              STATUSES.map((status) => inAnyStatus.filter((one) => one.status === status).length),
            );
          expect([total, ...items!.map(({ id }) => id)]).toEqual([
            ids.length,
            ...ids.slice((number - 1) * pageSize, number * pageSize),
          ]);
        }
    }
  });

  it('is separate for each tenant', async () => {
    const { point } = payments;
    const stranger = await payments.pointsOfSale.open();
    const always = { find: async () => point } as Partial<PointsOfSale> as PointsOfSale;
    const queries = new PaymentRequestListQueries(payments.database, always);

    for (const scope of [scopeOf(stranger), { ...scopeOf(point), accountId: newId<AccountId>() }]) {
      await expect(page(point, { scope })).rejects.toMatchObject({ code: 'not_found' });
      // The statement itself must separate tenants, even if the cached point of sale is not checked.
      const read = await queries.page(scope, point.id, { created: {} }, { page: 1, pageSize: 50 });
      expect(read).toEqual({ items: [], total: 0 });
    }
    const own = { organizationId: point.organizationId, accountId: point.accountId };
    expect((await page(point, { scope: own })).total).toBe(2);
  });

  describe('with 10,300 requests', () => {
    let client: pg.Client;
    let point: PaymentPointOfSale;
    beforeAll(async () => {
      point = await payments.pointsOfSale.open();
      client = new pg.Client({ connectionString: payments.platform.url });
      await client.connect();
      await client.query(
        `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
           unique_asset_id, currency, decimals, amount, reference_id, token, created_at, expires_at, counts_until)
         SELECT gen_random_uuid(), '${point.organizationId}', '${point.accountId}',
           CASE WHEN n % 4 = 0 THEN '${point.id}'::uuid ELSE md5((n % 4)::text)::uuid END, 'fixed',
           CASE WHEN n % 80 = 0 THEN 'processing' ELSE 'expired' END, 'sandbox', 'a', 'USDX', 6, 1, 'order-' || n,
           repeat('x', 700), now() - make_interval(secs => n), now(), now() FROM generate_series(1, 41200) n`,
      );
      await client.query('VACUUM ANALYZE payments.payment_requests');
    });
    afterAll(() => client.end());

    it('reads only the rows of a page, even of a deep one', async () => {
      for (const [text, offset] of [
        [PAYMENT_REQUEST_PAGE, 0],
        [PAYMENT_REQUEST_PAGE, 5_000],
        [PAYMENT_REQUEST_SEARCH, 0],
      ] as const)
        for (const statuses of [STATUSES, ['processing'], ['expired']]) {
          const types = [
            'uuid',
            'uuid',
            'uuid',
            'text[]',
            'timestamptz',
            'timestamptz',
            'timestamptz',
            'uuid',
          ];
          const values = [`'${point.id}'`, `'${point.organizationId}'`, 'NULL', `'{${statuses.join(',')}}'`];
          values.push('NULL', 'NULL', `'infinity'`, `'${newId()}'`, '20', `${offset}`);
          const plan = [...types, 'bigint', 'bigint'];
          const scans = (await executed(client, text, plan, values, 'force_generic_plan')).scans.filter(
            ({ relation }) => relation === 'payment_requests',
          );

          const fromTable = scans.filter(({ kind }) => kind !== 'Index Only Scan');
          expect(fromTable.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(20);
          expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(
            MAX_COUNTED_REQUESTS +
              offset +
              1_000 +
              (text === PAYMENT_REQUEST_SEARCH ? 1_000 * STATUSES.length : 0),
          );
          expect(scans.map(({ kind }) => kind)).not.toContain('Seq Scan');
        }
    });

    it('finds requests by the beginning of the reference and counts each status, up to 1,000', async () => {
      const search = (reference?: string) =>
        requests.search(
          scopeOf(point),
          { pointOfSale: null, created: {}, ...(reference && { reference }) },
          { page: 1, pageSize: 5 },
        );
      const found = async (reference: string) => {
        const { items, counts } = await search(reference);
        return [items.map(({ referenceId }) => referenceId), counts];
      };

      expect(await found('order-4120')).toEqual([
        ['order-4120', 'order-41200'],
        { processing: 1, expired: 1 },
      ]);
      expect(await found('Order-4120')).toEqual(await found('order-4120'));
      expect(await found('%')).toEqual([[], {}]);
      await expect(search('order-')).rejects.toMatchObject({ kind: 'invalid' });
      await client.query(
        `UPDATE payments.payment_requests SET reference_id = 'other' WHERE id IN (SELECT id FROM payments.payment_requests
         WHERE point_of_sale_id = $1 AND reference_id LIKE 'order-1%' LIMIT 300)`,
        [point.id],
      );
      expect((await search('order-')).total).toBe(MAX_COUNTED_REQUESTS);
      expect((await search()).counts).toMatchObject({ processing: 515, expired: 1_000, pending: 0 });
    });

    it('reads the index of references for a search by the beginning', async () => {
      const types = ['uuid', 'uuid', 'uuid', 'text[]', 'timestamptz', 'timestamptz', 'timestamptz', 'uuid'];
      const values = [
        'NULL',
        `'${point.organizationId}'`,
        'NULL',
        `'{expired}'`,
        'NULL',
        'NULL',
        `'infinity'`,
      ];
      values.push(`'${newId()}'`, '20', '0', `'order-412'`);
      const plan = [...types, 'bigint', 'bigint', 'text'];
      const { scans } = await executed(
        client,
        PAYMENT_REQUEST_SEARCH_BY_REFERENCE,
        plan,
        values,
        'force_generic_plan',
      );
      const read = scans.filter(({ relation }) => relation === 'payment_requests');

      expect(read.map(({ kind }) => kind)).not.toContain('Seq Scan');
      expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(200);
    });

    it('counts up to 10,000 and as far as the next page', async () => {
      const counted = async (at: PaymentPointOfSale | null, page: number) =>
        (await pageOf(scopeOf(point), at, { page, pageSize: 100 })).total;

      expect(await counted(null, 1)).toBe(MAX_COUNTED_REQUESTS);
      expect(await counted(null, 102)).toBe(10_201);
      expect(await counted(null, 103)).toBe(10_300);
      expect(await counted(point, 1)).toBe(10_300);
    });
  });
});
