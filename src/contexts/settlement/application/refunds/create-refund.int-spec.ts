import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
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

describe('The refunds of a payment request', () => {
  it('add up to the amount received', async () => {
    const request = world.request();
    await world.create({ of: request, amount: '4' });

    expect((await world.create({ of: request })).refund.amount).toBe(6_000_000n);
    expect(await refusal(world.create({ of: request }))).toMatch(
      /^state_conflict: The full amount has already been refunded/,
    );
  });
});

describe('A refund', () => {
  it.each([
    ['below the least amount', { amount: '0.009999' }, 'must be at least 0.01 USDT'],
    ['to the zero address', { refundToAddress: `0x${'0'.repeat(40)}` }, 'zero address'],
    ['to a malformed address', { refundToAddress: '0x1234' }, 'must be an EVM address'],
    ['to a deposit address', { refundToAddress: DEPOSIT_ADDRESS }, 'is a deposit address'],
    ['to nobody, without a claim', { refundToAddress: undefined }, 'is required, unless claim is sent'],
    [
      'to both an address and a claim',
      { refundToAddress: PAYER, claim: {} },
      'exactly one of the two fields',
    ],
    ['with a claim that has ended', { claim: { expiresAt: new Date(0) } }, 'must be in the future'],
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

  it('is refused if the transfer to the recipient would fail', async () => {
    const refused = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
    world.chain.refused.add(refused);

    expect(await refusal(world.create({ of: world.request(), refundToAddress: refused }))).toContain(
      'The transfer would fail: The recipient refuses it.',
    );
  });

  it('names the address of the float and the missing amount if the float does not suffice', async () => {
    const of = world.request({}, { paid: 2_000_000_000n });

    const refused = await refusal(world.create({ of, amount: '1500' }));

    expect(refused).toMatch(
      /^refund_float_insufficient: The refund float 0x\S{40} on sandbox lacks \S+ USDT/,
    );
    expect(refused.toLowerCase()).toContain(float);
  });

  it('is approved immediately with an address and publishes both states', async () => {
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

describe('Concurrent refunds', () => {
  it('never exceed the amount received', async () => {
    const request = world.request();

    const done = await Promise.all(
      Array.from({ length: 6 }, () => refusal(world.create({ of: request, amount: '4' }))),
    );

    expect(done.filter((each) => each === 'done')).toHaveLength(2);
    for (const each of done)
      expect(each).toMatch(/^(done|validation_failed: amount: must be at most 2 USDT)/);
  });

  it('never reserve more than the float holds', async () => {
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
  it('returns the amount missing in the float, if any', async () => {
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
