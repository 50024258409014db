import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
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

let platform: TestPlatform;
let stored: StoredPayments;

beforeAll(async () => {
  platform = await openTestDatabase();
  stored = new StoredPayments(platform.database);
  await stored.read('sandbox', 20, 90, { final_number: 15, final_time: NOON });
});
afterAll(() => platform.close('any'));

describe('Reading the transfers of a payment request', () => {
  const read = ({ id, posId, tenant }: Awaited<ReturnType<StoredPayments['request']>>) =>
    new PaymentRequestQueries(platform.database, NO_DELIVERIES).find(
      { organizationId: tenant.organizationId, accountId: null },
      posId as PointOfSaleId,
      id as PaymentRequestId,
    );

  it('names for each its kind, its block and how it is booked', async () => {
    const ended = { status: 'completed', confirmed_at: afterNoon(300), received_amount: '10000000' };
    const request = await stored.request(newTenant(), ended);
    const final = { final: true };
    const [paid, late, gone] = [randomHex(32), randomHex(32), randomHex(32)];
    await stored.transfer(request, { transaction_hash: paid, block_number: 11, ...final });
    const beside = { counted: false, ...final };
    await stored.transfer(request, { transaction_hash: late, deposited_at: afterNoon(600), ...beside });
    await stored.transfer(request, {
      transaction_hash: gone,
      canonical: false,
      reversed_at: afterNoon(900),
      block_number: 13,
      ...beside,
    });
    await stored.transfer(request, {
      kind: 'balance',
      transaction_hash: null,
      index: 0,
      block_number: 19,
      counted: false,
      unique_asset_id: 'nsandbox_tETH',
      currency: 'ETH',
      decimals: 18,
      awaits_cross_check: true,
    });
    // As rare as it is, it was never booked, so nobody need hear that it is gone.
    await stored.transfer(request, { canonical: false, counted: false });

    const { transfers } = await read(request);

    expect(transfers.map(({ transactionHash, bookedAs }) => [transactionHash, bookedAs])).toEqual([
      [paid, 'payment_in'],
      [late, 'deposit'],
      [gone, 'payment_in'],
      [undefined, undefined],
    ]);
    expect(transfers[0]).toMatchObject({
      network: 'sandbox',
      kind: 'log',
      uniqueAssetId: 'nsandbox_tUSDX',
      currency: 'USDX',
      blockNumber: 11,
      blockTime: afterNoon(120),
      confirmations: 5,
      final: true,
      counted: true,
      to: addressForPeople(request.address),
    });
    expect(transfers[1]).toMatchObject({ depositedAt: afterNoon(600), counted: false });
    expect(transfers[2]).toMatchObject({ reversedAt: afterNoon(900), confirmations: 0, final: false });
    expect(transfers[3]).toMatchObject({
      kind: 'balance',
      currency: 'ETH',
      amount: 10_000_000n,
      decimals: 18,
      confirmations: 2,
      awaitsCrossCheck: true,
    });
  });

  it('shows all confirmations of what is final, also while a shorter branch is read', async () => {
    const request = await stored.request(newTenant(), { status: 'processing', received_amount: '10000000' });
    await stored.transfer(request, { final: true, block_number: 19 });

    const [transfer] = (await read(request)).transfers;

    expect(transfer).toMatchObject({ confirmations: 5, requiredConfirmations: 5, final: true });
  });

  it('books nothing before the request has ended', async () => {
    const request = await stored.request(newTenant(), { status: 'processing', received_amount: '10000000' });
    await stored.transfer(request);

    const [transfer] = (await read(request)).transfers;

    expect(transfer).toMatchObject({
      counted: true,
      confirmations: 5,
      requiredConfirmations: 5,
      final: false,
    });
    expect(transfer!.bookedAs).toBeUndefined();
  });

  it('shows of what is in no block yet when it was seen and until when it counts, behind all blocks', async () => {
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

  it('shows a hundred: what counts, then what is booked otherwise, however much dust counts and is booked', async () => {
    const request = await stored.request(newTenant(), { status: 'underpaid', confirmed_at: afterNoon(600) });
    const small = { amount: '1', final: true, gathered_on: '2026-03-01' };
    for (let index = 0; index < 101; index += 1) {
      await stored.transfer(request, { ...small, index, block_number: 1 });
      await stored.transfer(request, {
        ...small,
        index,
        block_number: 2,
        counted: false,
        deposited_at: afterNoon(1),
      });
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
