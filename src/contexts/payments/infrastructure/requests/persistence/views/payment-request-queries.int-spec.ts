import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { newId, type AccountId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import { KnownPointsOfSale } from '#contexts/payments/testing/requests/collecting-world.js';
import {
  afterNoon,
  newTenant,
  NOON,
  randomHex,
  StoredPayments,
} from '#contexts/payments/testing/requests/stored-payments.js';
import { NO_DELIVERIES } from '#contexts/payments/testing/requests/open-payments.js';
import { presentTransfer } from '../../http/transfer.dto.js';
import { PaymentRequestQueries } from './payment-request-queries.js';
import { PostgresKnownDepositAddresses } from './merchant-wallet-addresses.js';
import { PostgresRefundableRequests } from './postgres-refundable-requests.js';

let platform: TestPlatform;
let stored: StoredPayments;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  await stored.read('sandbox', 20, 90, { final_number: 15, final_time: NOON });
});
afterAll(() => platform.close('any'));

describe('The list of the transfers of a payment request', () => {
  const read = ({ id, posId, tenant }: Awaited<ReturnType<StoredPayments['request']>>) =>
    new PaymentRequestQueries(platform.database, NO_DELIVERIES).find(
      { organizationId: tenant.organizationId, accountId: null },
      posId as PointOfSaleId,
      id as PaymentRequestId,
    );

  it('shows kind, block and booking of each transfer', async () => {
    const ended = { status: 'completed', confirmed_at: afterNoon(300), received_amount: '10000000' };
    const request = await stored.request(newTenant(), ended);
    const [paid, late, gone] = [randomHex(32), randomHex(32), randomHex(32)];
    const beside = { counted: false, final: true };
    await stored.transfer(request, { transaction_hash: paid, block_number: 11, final: true });
    await stored.transfer(request, { transaction_hash: late, deposited_at: afterNoon(600), ...beside });
    await stored.transfer(request, {
      ...{
        transaction_hash: gone,
        canonical: false,
        reversed_at: afterNoon(900),
        block_number: 13,
        ...beside,
      },
    });
    await stored.transfer(request, {
      ...{ kind: 'balance', transaction_hash: null, index: 0, block_number: 19, counted: false },
      ...{ unique_asset_id: 'nsandbox_tETH', currency: 'ETH', decimals: 18, awaits_cross_check: true },
    });
    // The transfer was never booked, so its removal from the chain is not displayed.
    await stored.transfer(request, { canonical: false, counted: false });

    const { transfers } = await read(request);

    expect(transfers.map(({ transactionHash, bookedAs }) => [transactionHash, bookedAs])).toEqual([
      [paid, 'payment_in'],
      [late, 'deposit'],
      [gone, 'payment_in'],
      [undefined, undefined],
    ]);
    expect(transfers).toMatchObject([
      {
        ...{ network: 'sandbox', kind: 'log', uniqueAssetId: 'nsandbox_tUSDX', currency: 'USDX' },
        ...{ blockNumber: 11, blockTime: afterNoon(120), confirmations: 5, final: true, counted: true },
        to: toDisplayAddress(request.address),
      },
      { depositedAt: afterNoon(600), counted: false },
      { reversedAt: afterNoon(900), confirmations: 0, final: false },
      {
        ...{ kind: 'balance', currency: 'ETH', amount: 10_000_000n, decimals: 18 },
        ...{ confirmations: 2, awaitsCrossCheck: true },
      },
    ]);
  });

  it('is hidden from another account', async () => {
    const { id, posId, tenant } = await stored.request(newTenant());
    const find = (accountId: string) =>
      new PaymentRequestQueries(platform.database, NO_DELIVERIES).find(
        { organizationId: tenant.organizationId, accountId: accountId as AccountId },
        posId as PointOfSaleId,
        id as PaymentRequestId,
      );

    await expect(find(newId())).rejects.toMatchObject({ kind: 'not_found' });
    expect((await find(tenant.accountId)).id).toBe(id);
  });

  it('shows all confirmations of a final transfer while a shorter branch is read', async () => {
    const request = await stored.request(newTenant(), { status: 'processing', received_amount: '10000000' });
    await stored.transfer(request, { final: true, block_number: 19 });

    const [transfer] = (await read(request)).transfers;

    expect(transfer).toMatchObject({ confirmations: 5, requiredConfirmations: 5, final: true });
  });

  it('shows a transfer without block last, with its times', async () => {
    const request = await stored.request(newTenant(), { status: 'processing', received_amount: '20000000' });
    const seen = { seen_at: afterNoon(60), arrived_at: afterNoon(60), lapses_at: afterNoon(9_000) };
    const output = { kind: 'output', from_address: 'unknown', evidence: '{}', ...seen };
    const pending = { block_number: null, block_hash: null, block_time: null, missing_since: afterNoon(70) };
    await stored.transfer(request, { ...output, ...pending });
    await stored.transfer(request, output);

    const { transfers } = await read(request);

    const sight = { seenAt: afterNoon(60), arrivedAt: afterNoon(60), lapsesAt: afterNoon(9_000) };
    expect(transfers).toMatchObject([
      { blockNumber: 12, blockTime: afterNoon(120), confirmations: 5, counted: true, ...sight },
      { blockNumber: Infinity, confirmations: 0, counted: true, missingSince: afterNoon(70), ...sight },
    ]);
    const [mined, waits] = transfers.map(presentTransfer);
    expect(mined).toMatchObject({ block_number: 12, arrived_at: afterNoon(60).toISOString() });
    expect(waits).toMatchObject({ from: 'unknown', seen_at: afterNoon(60).toISOString() });
    expect(Object.keys(waits!)).not.toEqual(expect.arrayContaining(['block_number']));
    expect(JSON.stringify(waits)).not.toContain('null');
  });

  it('shows a hundred transfers: counted ones first, then booked ones', async () => {
    const request = await stored.request(newTenant(), { status: 'underpaid', confirmed_at: afterNoon(600) });
    const small = { amount: '1', final: true, gathered_on: '2026-03-01' };
    for (let index = 0; index < 101; index += 1) {
      await stored.transfer(request, { ...small, index, block_number: 1 });
      const booked = { counted: false, deposited_at: afterNoon(1) };
      await stored.transfer(request, { ...small, ...booked, index, block_number: 2 });
    }
    const booked = {
      counted: false,
      amount: '1',
      final: true,
      block_number: 5,
      deposited_at: afterNoon(700),
    };
    const deposit = await stored.transfer(request, booked);
    const counted = await stored.transfer(request, { block_number: 9, final: true });

    const { transfers } = await read(request);

    expect(transfers).toHaveLength(100);
    expect(transfers.slice(-2).map(({ transactionHash }) => transactionHash)).toEqual([deposit, counted]);
  });
});

describe('The list of the refundable amounts of a payment request', () => {
  const TOKEN = `nsandbox_t0x${'D1'.repeat(20)}`;
  let pointsOfSale: KnownPointsOfSale;
  beforeAll(() => {
    pointsOfSale = new KnownPointsOfSale(platform.database);
  });

  async function request(fields: Record<string, unknown>) {
    const { id, organizationId, accountId } = await pointsOfSale.open({ merchant: { name: 'Corner' } });
    return stored.request(
      { organizationId, accountId },
      { point_of_sale_id: id, unique_asset_id: TOKEN, ...fields },
    );
  }

  const views = () => new PostgresRefundableRequests(platform.database, pointsOfSale);
  const find = ({ id, tenant }: Awaited<ReturnType<StoredPayments['request']>>, scope = {}) =>
    views().find(
      { organizationId: tenant.organizationId, accountId: null, ...scope },
      id as PaymentRequestId,
    );

  it('contains the booked payment and the deposits per asset, with a sender if it is the only one', async () => {
    const ended = { status: 'overpaid', confirmed_at: afterNoon(300), received_amount: '12000000' };
    const paid = await request(ended);
    const asset = { unique_asset_id: TOKEN, final: true };
    const deposit = { counted: false, deposited_at: afterNoon(600) };
    const sender = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
    const coin = {
      ...{ unique_asset_id: 'nsandbox_tETH', currency: 'ETH', decimals: 18 },
      from_address: sender.toLowerCase(),
    };
    await stored.transfer(paid, { ...asset, amount: '5000000' });
    await stored.transfer(paid, { ...asset, amount: '7000000' });
    await stored.transfer(paid, { ...asset, ...deposit, amount: '300000' });
    await stored.transfer(paid, { ...asset, ...deposit, ...coin, amount: '9' });
    await stored.transfer(paid, { ...asset, ...deposit, amount: '1', canonical: false });
    const elsewhere = { ...asset, ...coin, from_address: '0x02', amount: '3' };
    await stored.transfer(paid, { ...elsewhere, ...deposit, canonical: false });
    await stored.transfer(paid, { ...elsewhere, counted: false, final: false });
    await stored.transfer(paid, { ...asset, counted: false, amount: '2', final: false });

    const of = { network: 'sandbox' };
    expect(await find(paid)).toEqual({
      id: paid.id,
      ...paid.tenant,
      pointOfSaleId: paid.posId,
      status: 'overpaid',
      referenceId: 'order-1042',
      merchantName: 'Corner',
      received: [
        {
          asset: { uniqueAssetId: TOKEN, ...of, token: `0x${'d1'.repeat(20)}`, symbol: 'USDX', decimals: 6 },
          ...{ asked: 10_000_000n, paid: 12_000_000n, deposited: 300_000n },
        },
        {
          asset: { uniqueAssetId: 'nsandbox_tETH', ...of, token: 'ETH', symbol: 'ETH', decimals: 18 },
          ...{ asked: 0n, paid: 0n, deposited: 9n, sender },
        },
      ],
    });
  });

  it('is empty before the outcome is booked', async () => {
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

  it('recognizes transactions that pay the request itself', async () => {
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

  it('is hidden from other tenants', async () => {
    const one = await request({});
    const stranger = newTenant();

    await expect(find(one, { organizationId: stranger.organizationId })).rejects.toThrow(
      'No such payment request',
    );
    await expect(find(one, { accountId: newId() })).rejects.toThrow('No such payment request');
    expect((await find(one, { accountId: one.tenant.accountId })).id).toBe(one.id);
  });
});

describe('The set of known deposit addresses', () => {
  it('includes addresses of every network', async () => {
    const known = new PostgresKnownDepositAddresses(platform.database);
    await stored.read('erc20', 1);
    const shown = [
      await stored.request(newTenant(), { network: 'erc20' }),
      await stored.request(newTenant()),
    ];

    const answers = [...shown.map(({ address }) => address), randomHex(20)].map((each) =>
      known.isDepositAddress(each),
    );

    expect(await Promise.all(answers)).toEqual([true, true, false]);
  });
});
