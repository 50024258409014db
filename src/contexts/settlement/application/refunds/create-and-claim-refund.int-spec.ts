import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  DEPOSIT_ADDRESS,
  NETWORK,
  PAYER,
  RefundsWorld,
  rejectionText,
  SETTLED_TO,
} from '../../testing/refunds/refunds-world.js';
import { GAS_COST } from '../../testing/refunds/made-up-chain.js';

let world: RefundsWorld;
let float: string;
beforeAll(async () => {
  world = await RefundsWorld.open();
  float = await world.fund(1_000_000_000n, 10_000_000n);
});
afterAll(() => world.close());

const claimed = async (input: object = {}) => {
  const { refund, claim } = await world.create({ of: world.request(), claim: {}, ...input });
  return { id: refund.id, refund, claim: claim! };
};

const confirm = (claim: string, refundToAddress = PAYER, confirmed = true) =>
  world.process().claim.claim({ claim, refundToAddress, confirmed });

const approve = (id: string) => world.process().approve.approve({ scope: world.scope, id, by: 'credential' });

const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

describe('A refund', () => {
  it.each([
    ['to the zero address', { refundToAddress: `0x${'0'.repeat(40)}` }, 'zero address'],
    ['to a deposit address', { refundToAddress: DEPOSIT_ADDRESS }, 'is a deposit address'],
    ['to nobody, without a claim', { refundToAddress: undefined }, 'is required, unless claim is sent'],
    [
      'to both an address and a claim',
      { refundToAddress: PAYER, claim: {} },
      'exactly one of the two fields',
    ],
  ])('is rejected without one valid recipient: %s', async (_, input, sentence) => {
    const refused = await rejectionText(world.create({ of: world.request(), ...input }));

    expect(refused).toMatch(/^validation_failed/);
    expect(refused).toContain(sentence);
  });

  it('is rejected if the recipient is the contract of a token or a refund float', async () => {
    const of = world.request();

    expect(await rejectionText(world.create({ of, refundToAddress: world.token.token }))).toContain(
      'contract of a token',
    );
    expect(await rejectionText(world.create({ of, refundToAddress: float }))).toContain(
      'a refund float of this service',
    );
  });

  it('hides payment requests of other organizations', async () => {
    const scope = { organizationId: newId<never>(), accountId: null };

    expect(await rejectionText(world.create({ of: world.request(), scope }))).toMatch(/^not_found/);
  });

  it('is rejected if its transfer would fail', async () => {
    const refused = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65';
    world.chain.refused.add(refused);

    expect(await rejectionText(world.create({ of: world.request(), refundToAddress: refused }))).toContain(
      'The transfer would fail: The recipient refuses it.',
    );
  });

  it.each<[string, Parameters<RefundsWorld['request']>[0], object, string]>([
    ['of an open payment request', { status: 'processing' }, {}, 'The payment request is processing.'],
    ['below the minimum of the asset', {}, { amount: '0.000001' }, 'amount: must be at least'],
    ['with a claim in the past', {}, { claim: { expiresAt: new Date(0) } }, 'must be in the future'],
  ])('is rejected %s', async (_, facts, input, sentence) => {
    expect(await rejectionText(world.create({ of: world.request(facts), ...input }))).toContain(sentence);
  });

  it('is rejected while its float is held, lacks money on the chain or cannot be read', async () => {
    const { chain, token } = world;
    const rejection = () => rejectionText(world.create({ of: world.request() }));
    chain.hold = 'The key is held.';
    expect(await rejection()).toContain('The key is held.');
    chain.hold = null;
    chain.put(float, token.token, -1_000_000_000n);
    expect(await rejection()).toMatch(/^refund_float_insufficient: .* lacks 10 USDT\./);
    chain.put(float, token.token, 1_000_000_000n);
    const { plan } = chain.planning;
    chain.planning.plan = () => Promise.reject(new ChainUnavailable(NETWORK, 'it is down.'));
    expect(await rejection()).toMatch(/^unavailable: sandbox does not respond/);
    chain.planning.plan = plan;
  });

  it('names the address of a refund float that holds too little, and the missing amount', async () => {
    const of = world.request({}, { paid: 2_000_000_000n });

    const refused = await rejectionText(world.create({ of, amount: '1500' }));

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

describe('The sum of concurrent refunds', () => {
  it('does not exceed the amount received', async () => {
    const request = world.request();

    const done = await Promise.all(
      Array.from({ length: 6 }, () => rejectionText(world.create({ of: request, amount: '4' }))),
    );

    expect(done.filter((each) => each === 'done')).toHaveLength(2);
    for (const each of done)
      expect(each).toMatch(/^(done|validation_failed: amount: must be at most 2 USDT)/);
  });

  it.each([
    ['asset', 25_000_000n, undefined],
    ['coin for gas', 100_000_000n, 3n * GAS_COST - 1n],
  ])('does not exceed what the refund float holds of its %s', async (_, tokens, coins) => {
    const poor = await RefundsWorld.open();
    await poor.fund(tokens, coins);

    const done = await Promise.all(
      Array.from({ length: 6 }, () => rejectionText(poor.create({ of: poor.request() }))),
    );

    expect(done.filter((each) => each === 'done')).toHaveLength(2);
    expect(await poor.holding(poor.token.token)).toMatchObject({ reserved: 20_000_000n });
    const float = await poor.process().floats.findOrCreate(poor.organizationId, NETWORK);
    expect(float.address).not.toBeNull();
    await poor.close();
  });
});

describe('A refund with a claim', () => {
  it('returns the amount missing in the refund float, if any', async () => {
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

describe('A claim', () => {
  it('is stored only as a digest and ends after 30 days by default', async () => {
    const { claim, refund } = await claimed();

    expect(claim).toMatch(/^0[A-Za-z0-9_-]{22}$/);
    expect(refund).toMatchObject({ status: 'pending' });
    expect(refund.claimExpiresAt!.getTime() - refund.createdAt.getTime()).toBe(30 * 86_400_000);
    const [row] = await world.rows<{ found: boolean }>(
      'SELECT r::text LIKE $1 AS found FROM settlement.refunds r WHERE id = $2',
      [`%${claim}%`, refund.id],
    );
    expect(row).toEqual({ found: false });
  });

  it('accepts the confirmed address, then waits for approval', async () => {
    const { id, claim } = await claimed();

    await confirm(claim, PAYER, false);
    expect((await world.process().readClaimed.find(claim)).to).toBeUndefined();
    await confirm(claim);

    expect(await world.process().readClaimed.find(claim)).toMatchObject({ status: 'pending', to: PAYER });
    expect(await approve(id)).toMatchObject({ status: 'processing', approvedBy: 'credential' });
  });

  it('accepts one address, even from concurrent requests', async () => {
    const { id, claim } = await claimed();

    const done = await Promise.all(
      [PAYER, SETTLED_TO, PAYER].map((address) => outcome(confirm(claim, address))),
    );

    expect(done.sort()).toEqual(['done', 'state_conflict', 'state_conflict']);
    expect(await outcome(confirm(claim, SETTLED_TO))).toBe('state_conflict');
    expect(await world.status(id)).toBe('pending');
  });

  it.each(['', 'A'.repeat(22), 'é'.repeat(22)])('finds nothing for an invalid text: %j', async (text) => {
    expect(await outcome(world.process().readClaimed.find(text))).toBe('not_found');
    expect(await outcome(confirm(text))).toBe('not_found');
  });

  it('finds nothing after its end, which frees the amount', async () => {
    const request = world.request();
    const now = await world.platform.clock.now();
    const expiresAt = new Date(now.getTime() + 3_600_000);
    const { refund, claim } = await world.create({ of: request, claim: { expiresAt } });
    await confirm(claim!, PAYER, false);
    await world.platform.advance(3_601);

    expect(await outcome(world.process().readClaimed.find(claim!))).toBe('not_found');
    expect(await outcome(confirm(claim!))).toBe('not_found');
    await world.process().endUnclaimed.expire();

    expect(await world.status(refund.id)).toBe('failed');
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('finds nothing after it was replaced, and the new one names the address', async () => {
    const { id, claim } = await claimed();
    const replace = (scope: RefundsWorld['scope'] = world.scope) =>
      world.process().replaceClaimLink.replace({ scope, id });
    const stranger = { organizationId: newId<never>(), accountId: null };

    const lost = await replace();
    const { refund, claim: current } = await replace();

    for (const old of [claim, lost.claim]) expect(await outcome(confirm(old))).toBe('not_found');
    expect(refund.claimExpiresAt!.getTime() - refund.updatedAt.getTime()).toBe(30 * 86_400_000);
    expect(await outcome(replace(stranger))).toBe('not_found');
    await confirm(current);
    expect(await outcome(replace())).toBe('state_conflict');
  });

  it('names no address by a link that is replaced concurrently', async () => {
    // Either transaction may win the race. Several races make both outcomes likely to be tested.
    for (let race = 0; race < 6; race += 1) {
      const { id, claim } = await claimed();

      const outcomes = await Promise.all([
        outcome(confirm(claim)),
        outcome(world.process().replaceClaimLink.replace({ scope: world.scope, id })),
      ]);

      expect([
        ['done', 'state_conflict'],
        ['not_found', 'done'],
      ]).toContainEqual(outcomes);
    }
  });

  it('keeps a refund whose expired link is replaced before the worker ends it', async () => {
    const expiresAt = new Date((await world.platform.clock.now()).getTime() + 3_600_000);
    const { id } = await claimed({ claim: { expiresAt } });
    await world.platform.advance(3_601);

    await world.process().replaceClaimLink.replace({ scope: world.scope, id });
    await world.process().endUnclaimed.expire();

    expect(await world.status(id)).toBe('pending');
  });

  it('skips approval below the limit of the account, but not at the limit', async () => {
    const { uniqueAssetId } = world.token;
    const owner = { organizationId: world.organizationId, accountId: world.accountId };
    await world
      .process()
      .setLimit.set({ ...owner, uniqueAssetId, automaticBelow: '5', actor: 'operator anna' });
    const [small, exact] = [await claimed({ amount: '4.999999' }), await claimed({ amount: '5' })];

    await confirm(small.claim);
    await confirm(exact.claim);
    const later = await claimed({ amount: '4' });
    world.chain.hold = 'The key is held.';
    await confirm(later.claim);
    world.chain.hold = null;

    expect([await world.status(small.id), await world.status(exact.id)]).toEqual(['processing', 'pending']);
    expect(await world.status(later.id)).toBe('pending');
    const { limits } = world.process();
    expect(await limits.find(world.accountId, world.coin.uniqueAssetId)).toBeNull();
    expect(await limits.list(newId())).toEqual([]);
  });
});

describe('The approval of a refund', () => {
  it('requires an address and happens once', async () => {
    const { id, claim } = await claimed();
    expect(await outcome(approve(id))).toBe('state_conflict');
    await confirm(claim);

    const done = await Promise.all([1, 2, 3].map(() => outcome(approve(id))));

    expect(done.sort()).toEqual(['done', 'state_conflict', 'state_conflict']);
    const payouts = await world.rows('SELECT 1 FROM settlement.refund_float_payouts WHERE id = $1', [id]);
    expect(payouts).toHaveLength(1);
  });

  it('stays within the day limit of the account and continues a day later', async () => {
    const other = await RefundsWorld.open();
    await other.fund();
    const owner = { organizationId: other.organizationId, accountId: other.accountId };
    await other.process().setLimit.set({
      ...{ ...owner, uniqueAssetId: other.token.uniqueAssetId, perDay: '15', actor: 'operator anna' },
    });
    const { refund: failed } = await other.create({ of: other.request() });
    await other.process().cancel.cancel(other.scope, failed.id);
    await other.create({ of: other.request() });

    const refused = await Promise.allSettled([1, 2].map(() => other.create({ of: other.request() })));
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(other.create({ of: other.request() })).rejects.toThrow('5 USDT remain');
    await other.platform.advance(86_401);

    expect((await other.create({ of: other.request() })).refund.status).toBe('processing');
    await other.close();
  });
});

describe('The cancellation of a refund', () => {
  it('ends a pending refund, and frees its amount', async () => {
    const request = world.request();
    const { refund, claim } = await world.create({ of: request, claim: {} });
    const cancel = () => world.process().cancel.cancel(world.scope, refund.id);

    expect(await cancel()).toMatchObject({ status: 'failed', failure: 'The merchant cancelled the refund.' });

    expect(await outcome(cancel())).toBe('state_conflict');
    expect(await outcome(world.process().readClaimed.find(claim!))).toBe('not_found');
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('wins against a concurrent approval, which is refused or cancelled before it is paid', async () => {
    // Either transaction may win the race. Several races make both outcomes likely to be tested.
    for (let race = 0; race < 6; race += 1) {
      const { id, claim } = await claimed();
      await confirm(claim);

      const [approved, cancelled] = await Promise.all([
        outcome(approve(id)),
        outcome(world.process().cancel.cancel(world.scope, id)),
      ]);

      expect(['done', 'state_conflict']).toContain(approved);
      expect(cancelled).toBe('done');
      expect(await world.status(id)).toBe('failed');
      const payouts = await world.rows<{ status: string }>(
        'SELECT status FROM settlement.refund_float_payouts WHERE id = $1',
        [id],
      );
      expect(payouts).toEqual(approved === 'done' ? [{ status: 'failed' }] : []);
    }
  });
});
