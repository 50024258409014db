import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import { DEPOSIT_ADDRESS, NETWORK, PAYER, RefundsWorld } from '../../testing/refunds/refunds-world.js';

let world: RefundsWorld;
let float: string;

beforeAll(async () => {
  world = await RefundsWorld.open();
  float = await world.fund(1_000_000_000n, 10_000_000n);
});
afterAll(() => world.close());

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  );
const amounts = (status: RefundableRequest['status'], received: object) =>
  world.create({ of: world.request({ status }, received) }).then(({ refund }) => refund.amount);

describe('What is refunded unless an amount is set', () => {
  it('is all that was received of a request that is completed or underpaid', async () => {
    expect(await amounts('completed', { paid: 10_000_000n, deposited: 2_000_000n })).toBe(12_000_000n);
    expect(await amounts('underpaid', { paid: 4_000_000n })).toBe(4_000_000n);
  });

  it('is the excess of one that is overpaid, and no more without an amount', async () => {
    const request = world.request({ status: 'overpaid' }, { paid: 15_000_000n });

    expect((await world.create({ of: request })).refund.amount).toBe(5_000_000n);
    expect(await refusal(world.create({ of: request }))).toContain('State how much of the remaining amount');
    expect((await world.create({ of: request, amount: '10' })).refund.amount).toBe(10_000_000n);
  });

  it('is the deposits of one that has expired or failed', async () => {
    expect(await amounts('expired', { paid: 0n, deposited: 3_000_000n })).toBe(3_000_000n);
    expect(await amounts('failed', { paid: 0n, deposited: 1_000_000n })).toBe(1_000_000n);
  });

  it('is the rest once a part was refunded', async () => {
    const request = world.request();
    await world.create({ of: request, amount: '4' });

    expect((await world.create({ of: request })).refund.amount).toBe(6_000_000n);
    expect(await refusal(world.create({ of: request }))).toMatch(
      /^state_conflict: The full amount has already been refunded/,
    );
  });

  it('is of the asset that was paid, where others were deposited too', async () => {
    const paid = { asset: world.token, asked: 10_000_000n, paid: 10_000_000n, deposited: 0n };
    const other = { asset: world.coin, asked: 0n, paid: 0n, deposited: 5_000_000_000_000_000n };
    const both = world.request({ received: [other, paid] });
    const neither = world.request({
      status: 'expired',
      received: [other, { ...paid, paid: 0n, deposited: 1_000_000n }],
    });

    expect((await world.create({ of: both })).refund.asset.symbol).toBe('USDT');
    expect(await refusal(world.create({ of: neither }))).toContain(
      'unique_asset_id: is required because several assets',
    );
    const inOtherCase = world.token.uniqueAssetId.replace(/(?<=_t0x).*/, (digits) => digits.toUpperCase());
    const named = await world.create({ of: neither, uniqueAssetId: inOtherCase });
    expect(named.refund.amount).toBe(1_000_000n);
  });
});

describe('A refund', () => {
  it.each(['pending', 'created', 'processing'] as const)(
    'is refused while the request is %s',
    async (status) => {
      expect(await refusal(world.create({ of: world.request({ status }) }))).toMatch(
        /^state_conflict: The payment request is/,
      );
    },
  );

  it.each([
    ['above what is left', { amount: '10.000001' }, 'must be at most 10 USDT'],
    ['below the least amount', { amount: '0.009999' }, 'must be at least 0.01 USDT'],
    ['with more decimals than the asset', { amount: '1.0000001' }, 'at most 6 decimals'],
    ['to the zero address', { refundToAddress: `0x${'0'.repeat(40)}` }, 'zero address'],
    ['to a malformed address', { refundToAddress: '0x1234' }, 'must be an EVM address'],
    ['to a deposit address', { refundToAddress: DEPOSIT_ADDRESS }, 'is a deposit address'],
    ['to nobody, without a claim', { refundToAddress: undefined }, 'is required, unless claim is sent'],
    ['to both an address and a claim', { refundToAddress: PAYER, claim: {} }, 'exactly one of the two fields'],
    ['with a claim that has ended', { claim: { expiresAt: new Date(0) } }, 'must be in the future'],
    [
      'of an asset that was not received',
      { uniqueAssetId: 'nsandbox_tETH' },
      'must be an asset that was received',
    ],
  ])('is refused %s', async (_, input, sentence) => {
    const refused = await refusal(world.create({ of: world.request(), ...input }));

    expect(refused).toMatch(/^validation_failed/);
    expect(refused).toContain(sentence);
  });

  it('is refused to a token’s contract and to a float', async () => {
    const of = world.request();

    expect(await refusal(world.create({ of, refundToAddress: world.token.token }))).toContain(
      'contract of a token',
    );
    expect(await refusal(world.create({ of, refundToAddress: float }))).toContain(
      'a refund float of this service',
    );
  });

  it('is not found for another organization’s request', async () => {
    const scope = { organizationId: newId<never>(), accountId: null };

    expect(await refusal(world.create({ of: world.request(), scope }))).toMatch(/^not_found/);
  });

  it('is refused where the recipient would not be paid', async () => {
    const refused = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
    world.chain.refused.add(refused);

    expect(await refusal(world.create({ of: world.request(), refundToAddress: refused }))).toContain(
      'The transfer would fail: The recipient refuses it.',
    );
  });

  it('says the float’s address and what is missing where that does not suffice', async () => {
    const of = world.request({}, { paid: 2_000_000_000n });

    const refused = await refusal(world.create({ of, amount: '1500' }));

    expect(refused).toMatch(
      /^refund_float_insufficient: The refund float 0x\S{40} on sandbox lacks \S+ USDT/,
    );
    expect(refused.toLowerCase()).toContain(float);
  });

  it('is approved at once with an address, and publishes both states', async () => {
    const { refund } = await world.create({
      of: world.request({ referenceId: 'order-7' }),
      reason: 'Sold out',
    });

    expect(refund).toMatchObject({
      status: 'processing',
      to: PAYER,
      approvedBy: 'credential',
      reason: 'Sold out',
    });
    const events = (await world.events('refund.status_changed')).filter(
      (each) => each.aggregateId === refund.id,
    );
    expect(events.map(({ data }) => data['status'])).toEqual(['pending', 'processing']);
    expect(events[1]!.data).toMatchObject({
      from: float,
      to: PAYER,
      amount: '10000000',
      referenceId: 'order-7',
    });
  });
});

describe('Several refunds at once', () => {
  it('come to no more than was received', async () => {
    const request = world.request();

    const done = await Promise.all(
      Array.from({ length: 6 }, () => refusal(world.create({ of: request, amount: '4' }))),
    );

    expect(done.filter((each) => each === 'done')).toHaveLength(2);
    for (const each of done)
      expect(each).toMatch(/^(done|validation_failed: amount: must be at most 2 USDT)/);
  });

  it('promise no more than the float holds', async () => {
    const poor = await RefundsWorld.open();
    await poor.fund(25_000_000n);

    const done = await Promise.all(
      Array.from({ length: 6 }, () => refusal(poor.create({ of: poor.request() }))),
    );

    expect(done.filter((each) => each === 'done')).toHaveLength(2);
    expect(await poor.holding(poor.token.token)).toMatchObject({ reserved: 20_000_000n });
    const float = await poor.process().floats.findOrCreate(poor.organizationId, NETWORK);
    expect(float.address).not.toBeNull();
    await poor.close();
  });
});

describe('A refund with a claim', () => {
  it('is created with what the float lacks to pay it, if that is anything', async () => {
    const rich = await world.create({ of: world.request(), claim: {} });
    const paid = 10_000_000_000n;
    const { floats } = world.process();
    const { id } = await floats.findOrCreate(world.organizationId, NETWORK);
    const { toppedUp, reserved, refunded } = (await floats.holdings(id)).get(world.token.token)!;
    const poor = await world.create({ of: world.request({}, { paid }), claim: {} });

    expect(rich).not.toHaveProperty('floatMissing');
    expect(poor.floatMissing).toBe(paid - (toppedUp - reserved - refunded));
  });
});
