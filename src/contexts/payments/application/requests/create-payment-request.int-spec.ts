import { describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import {
  openPayments,
  refusal,
  withReadPayments,
  type Payments,
} from '../../testing/requests/open-payments.js';

let payments: Payments;
withReadPayments((opened) => {
  payments = opened;
});

describe('Creating a payment request', () => {
  it('opens the window from its birth and stores request, address, history and event', async () => {
    const at = await payments.platform.clock.now();

    const request = await payments.request({ at, amount: '12.5', referenceId: 'order-1042' });

    const read = await payments.read(request);
    const { network, uniqueAssetId, currency, decimals, amount, address, order, ...facts } = request;
    expect(read).toMatchObject({ ...facts, status: 'created', receivedAmount: 0n, transfers: [] });
    expect(read.order).toEqual(order);
    expect(read.asked).toEqual({ network, uniqueAssetId, currency, decimals, amount, address });
    expect([read.createdAt, read.expiresAt]).toEqual([at, new Date(at.getTime() + 480_000)]);
    expect([amount, read.referenceId, uniqueAssetId]).toEqual([
      12_500_000n,
      'order-1042',
      DOLLAR.uniqueAssetId,
    ]);
    expect(await payments.told(request)).toEqual(['created']);
  });

  it('sends one statement once its point of sale is known', async () => {
    await payments.request();

    const statements = await payments.database.sentBy(() => payments.request());

    expect(statements).toHaveLength(1);
  });

  it('keeps the order as it was given, with what was left out', async () => {
    const item = { description: 'Ünïcode ☕ "quoted"', amount: '12.50' };
    const order = { total: '12.50', items: [item] };

    const request = await payments.request({ order });

    expect((await payments.read(request)).order).toEqual({
      total: '12.50',
      coin_code: 'USDX',
      items: [{ ...item, coin_code: 'USDX', quantity: 1 }],
      merchant: { name: 'Corner Coffee' },
    });
  });

  it('gives each of many requests at once an address of its own', async () => {
    const requests = await Promise.all(Array.from({ length: 25 }, () => payments.request()));

    expect(new Set(requests.map(({ address }) => address)).size).toBe(25);
  });

  it('matches the asset without regard to case and answers it as the catalogue spells it', async () => {
    const request = await payments.request({ uniqueAssetId: DOLLAR.uniqueAssetId.toLowerCase() });

    expect(request.uniqueAssetId).toBe(DOLLAR.uniqueAssetId);
  });

  it('asks again when the point of sale has changed since it was remembered', async () => {
    await payments.request();
    const terms = { ...payments.point.terms.get(NETWORK)!, feeBasisPoints: 250 };
    await payments.pointsOfSale.change(payments.point, { terms: new Map([[NETWORK, terms]]) });

    const request = await payments.request();

    const [row] = await payments.platform.database.query<{ feeBasisPoints: number }>(
      'SELECT fee_basis_points FROM payments.deposit_addresses WHERE payment_request_id = $1',
      [request.id],
    );
    expect([row!.feeBasisPoints, payments.pointsOfSale.forgotten]).toEqual([250, 1]);
  });

  it('tells that a point of sale keeps changing', async () => {
    await payments.pointsOfSale.change(payments.point, {});
    await payments.pointsOfSale.change(payments.point, { version: 'never current' });

    const error = await refusal(payments.request());

    expect([error.kind, error.code, await payments.countStored()]).toEqual(['conflict', 'state_conflict', 0]);
    expect(error.message).toContain('settlement terms changed');
  });

  it('shows nothing of a point of sale to another organization', async () => {
    const scope = { organizationId: newId<CollectingPoint['organizationId']>(), accountId: null };

    const error = await refusal(payments.request({ scope }));

    expect([error.kind, await payments.countStored()]).toEqual(['not_found', 0]);
  });
});

describe('A payment request that cannot be created', () => {
  it.each([
    ['amount', 'not_a_decimal', { amount: '1e3' }],
    ['amount', 'too_many_decimals', { amount: '1.0000001' }],
    ['amount', 'not_positive', { amount: '0.00' }],
    ['amount', 'minimum_amount', { amount: '0.009999' }],
    ['amount', 'too_large', { amount: '9'.repeat(75) }],
    ['unique_asset_id', 'payment_option', { uniqueAssetId: EURO.uniqueAssetId }],
    ['unique_asset_id', 'payment_option', { uniqueAssetId: 'nnowhere_t0x0' }],
  ])('names the field %s and the rule %s, and stores nothing', async (field, rule, input) => {
    const error = await refusal(payments.request(input));

    expect([error.kind, error.errors.map((e) => [e.field, e.rule])]).toEqual(['invalid', [[field, rule]]]);
    expect(await payments.countStored()).toBe(0);
  });

  it('is refused where a settlement address is missing', async () => {
    const point = await payments.pointsOfSale.open({ terms: new Map() });

    const error = await refusal(payments.request({}, point));

    expect([error.kind, error.code, await payments.countStored()]).toEqual([
      'conflict',
      'settlement_address_missing',
      0,
    ]);
  });

  it('is unavailable while its network is withdrawn', async () => {
    payments.catalogue.taking = false;

    const error = await refusal(payments.request());

    expect([error.kind, await payments.countStored()]).toEqual(['unavailable', 0]);
  });

  it('is unavailable while nobody reads its network, where a payment might never be seen', async () => {
    const unread = await openPayments();
    try {
      const error = await refusal(unread.request());

      const rows = await unread.platform.database.query('SELECT id FROM payments.payment_requests');
      expect([error.kind, rows]).toEqual(['unavailable', []]);
    } finally {
      await unread.close();
    }
  });
});

describe('Two writers of one request', () => {
  it('see each other: who waited for the lock reads what the other has stored', async () => {
    const request = await payments.request();
    let locked: () => void;
    const holding = new Promise<void>((resolve) => (locked = resolve));
    let finish: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const ids = [request.id as never];

    const first = payments.database.run(async () => {
      const [held] = await payments.requests.lock(ids);
      locked();
      await finished;
      held!.receive(
        [
          {
            id: newId(),
            network: NETWORK,
            kind: 'log',
            transactionHash: `0x${'ab'.repeat(32)}`,
            index: 0,
            blockNumber: 0,
            blockHash: `0x${'cd'.repeat(32)}`,
            blockTime: request.createdAt,
            uniqueAssetId: request.uniqueAssetId,
            from: '0x',
            to: request.address.toLowerCase(),
            amount: 10_000_000n,
            currency: 'USDX',
            decimals: 6,
            requiredConfirmations: 3,
            awaitsCrossCheck: false,
            gatheredOn: null,
          },
        ],
        await payments.platform.clock.now(),
      );
      await payments.requests.save([held!]);
    });
    await holding;
    const second = payments.database.run(async () => (await payments.requests.lock(ids))[0]!.snapshot());
    setTimeout(() => finish(), 150);
    await first;

    const seen = await second;
    expect([seen.status, seen.sums.length, seen.history.length]).toEqual(['processing', 1, 2]);
    // No chain has this transfer, so its trace is removed again, but for the event.
    payments.platform.makesUp(['received-amounts-match-events']);
    await payments.database.query('UPDATE payments.transfers SET canonical = false, counted = false');
    await payments.database.query('UPDATE payments.payment_requests SET received_amount = 0');
    await payments.database.query('DELETE FROM payments.received_sums');
  });
});
