import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { KnownPointsOfSale } from '#contexts/payments/testing/requests/collecting-world.js';
import { afterNoon, newTenant, StoredPayments } from '#contexts/payments/testing/requests/stored-payments.js';
import { PostgresRefundableRequests } from './postgres-refundable-requests.js';

const TOKEN = `nsandbox_t0x${'D1'.repeat(20)}`;

let platform: TestPlatform;
let stored: StoredPayments;
let pointsOfSale: KnownPointsOfSale;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  pointsOfSale = new KnownPointsOfSale(platform.database);
});
afterAll(() => platform.close('any'));

async function request(fields: Record<string, unknown>) {
  const { id, organizationId, accountId } = await pointsOfSale.open({ merchant: { name: 'Corner' } });
  return stored.request(
    { organizationId, accountId },
    { point_of_sale_id: id, unique_asset_id: TOKEN, ...fields },
  );
}

const views = () => new PostgresRefundableRequests(platform.database, pointsOfSale);
const find = ({ id, tenant }: Awaited<ReturnType<StoredPayments['request']>>, scope = {}) =>
  views().find({ organizationId: tenant.organizationId, accountId: null, ...scope }, id as PaymentRequestId);

describe('What can be refunded of a payment request', () => {
  it('is what was booked as its payment, and its deposits by asset; what is gone, open or not final is not', async () => {
    const ended = { status: 'overpaid', confirmed_at: afterNoon(300), received_amount: '12000000' };
    const paid = await request(ended);
    const asset = { unique_asset_id: TOKEN, final: true };
    const deposit = { counted: false, deposited_at: afterNoon(600) };
    const coin = { unique_asset_id: 'nsandbox_tETH', currency: 'ETH', decimals: 18 };
    await stored.transfer(paid, { ...asset, amount: '5000000' });
    await stored.transfer(paid, { ...asset, amount: '7000000' });
    await stored.transfer(paid, { ...asset, ...deposit, amount: '300000' });
    await stored.transfer(paid, { ...asset, ...deposit, ...coin, amount: '9' });
    await stored.transfer(paid, { ...asset, ...deposit, amount: '1', canonical: false });
    await stored.transfer(paid, { ...asset, counted: false, amount: '2', final: false });

    expect(await find(paid)).toEqual({
      id: paid.id,
      ...paid.tenant,
      pointOfSaleId: paid.posId,
      status: 'overpaid',
      referenceId: 'order-1042',
      merchantName: 'Corner',
      received: [
        {
          asset: {
            uniqueAssetId: TOKEN,
            network: 'sandbox',
            token: `0x${'d1'.repeat(20)}`,
            symbol: 'USDX',
            decimals: 6,
          },
          asked: 10_000_000n,
          paid: 12_000_000n,
          deposited: 300_000n,
        },
        {
          asset: {
            uniqueAssetId: 'nsandbox_tETH',
            network: 'sandbox',
            token: 'ETH',
            symbol: 'ETH',
            decimals: 18,
          },
          asked: 0n,
          paid: 0n,
          deposited: 9n,
        },
      ],
    });
  });

  it('is nothing before the outcome is booked, however much has come', async () => {
    const open = await request({ status: 'processing', received_amount: '10000000' });
    await stored.transfer(open, { unique_asset_id: TOKEN, final: true });

    expect((await find(open)).received).toEqual([]);
  });

  it('names the merchant of the order', async () => {
    const order = { total: '10', coin_code: 'USDX', merchant: { name: 'Market stall' } };

    expect((await find(await request({ '"order"': JSON.stringify(order) }))).merchantName).toBe(
      'Market stall',
    );
  });

  it('is not by its own transactions, dropped ones too, nor by others that pay its addresses', async () => {
    const [one, other] = [await request({}), await request({})];
    const transactionHash = await stored.transfer(one, {
      ...{ unique_asset_id: TOKEN, canonical: false, counted: false },
    });
    const isPaidBy = ({ id }: typeof one, changes = {}) =>
      views().isPaidBy(id as PaymentRequestId, {
        ...{ network: 'sandbox', transactionHash: 'cd'.repeat(32), to: [] },
        ...changes,
      });

    const payments = [{ transactionHash }, { to: ['out1', one.address] }];
    for (const payment of payments) {
      expect(await isPaidBy(one, payment)).toBe(true);
      expect(await isPaidBy(one, { ...payment, network: 'other' })).toBe(false);
      expect(await isPaidBy(other, payment)).toBe(false);
    }
    expect(await isPaidBy(one, { to: ['out1'] })).toBe(false);
  });

  it('is nobody else’s to know', async () => {
    const one = await request({});
    const stranger = newTenant();

    await expect(find(one, { organizationId: stranger.organizationId })).rejects.toThrow(
      'No such payment request',
    );
    await expect(find(one, { accountId: newId() })).rejects.toThrow('No such payment request');
    expect((await find(one, { accountId: one.tenant.accountId })).id).toBe(one.id);
  });
});
