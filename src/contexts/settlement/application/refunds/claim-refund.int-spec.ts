import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEPOSIT_ADDRESS, PAYER, RefundsWorld, SETTLED_TO } from '../../testing/refunds/refunds-world.js';

let world: RefundsWorld;

beforeAll(async () => {
  world = await RefundsWorld.open();
  await world.fund(1_000_000_000n);
});
afterAll(() => world.close());

const claimed = async (input: object = {}) => {
  const { refund, claim } = await world.create({ of: world.request(), claim: {}, ...input });
  return { id: refund.id, refund, claim: claim! };
};
const confirm = (claim: string, refundToAddress = PAYER, confirmed = true) =>
  world.process().claim.execute({ claim, refundToAddress, confirmed });
const approve = (id: string) => world.process().approve.execute({ scope: world.scope, id, by: 'credential' });
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

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

  it('takes the address once it is confirmed, then waits for the merchant', async () => {
    const { id, claim } = await claimed();

    await confirm(claim, PAYER, false);
    expect((await world.process().readClaimed.execute(claim)).to).toBeUndefined();
    await confirm(claim);

    expect(await world.process().readClaimed.execute(claim)).toMatchObject({ status: 'pending', to: PAYER });
    expect(await approve(id)).toMatchObject({ status: 'processing', approvedBy: 'credential' });
  });

  it('accepts one address, also from concurrent requests', async () => {
    const { id, claim } = await claimed();

    const done = await Promise.all(
      [PAYER, SETTLED_TO, PAYER].map((address) => outcome(confirm(claim, address))),
    );

    expect(done.sort()).toEqual(['done', 'state_conflict', 'state_conflict']);
    expect(await outcome(confirm(claim, SETTLED_TO))).toBe('state_conflict');
    expect(await world.status(id)).toBe('pending');
  });

  it('refuses a deposit address', async () => {
    const { claim } = await claimed();

    expect(await outcome(confirm(claim, DEPOSIT_ADDRESS))).toBe('validation_failed');
  });

  it.each(['', 'x', 'A'.repeat(22), '../../etc', 'é'.repeat(22)])(
    'opens nothing for the invalid text %j',
    async (text) => {
      expect(await outcome(world.process().readClaimed.execute(text))).toBe('not_found');
      expect(await outcome(confirm(text))).toBe('not_found');
    },
  );

  it('opens nothing after its end, which frees its amount', async () => {
    const request = world.request();
    const now = await world.platform.clock.now();
    const expiresAt = new Date(now.getTime() + 3_600_000);
    const { refund, claim } = await world.create({ of: request, claim: { expiresAt } });
    await confirm(claim!, PAYER, false);
    await world.platform.advance(3_601);

    expect(await outcome(world.process().readClaimed.execute(claim!))).toBe('not_found');
    expect(await outcome(confirm(claim!))).toBe('not_found');
    await world.process().endUnclaimed.execute();

    expect(await world.status(refund.id)).toBe('failed');
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('needs no approval below the limit of the account, but does at the limit', async () => {
    const { uniqueAssetId } = world.token;
    const owner = { organizationId: world.organizationId, accountId: world.accountId };
    await world
      .process()
      .setLimit.execute({ ...owner, uniqueAssetId, automaticBelow: '5', actor: 'operator anna' });
    const [small, exact] = [await claimed({ amount: '4.999999' }), await claimed({ amount: '5' })];

    await confirm(small.claim);
    await confirm(exact.claim);

    expect([await world.status(small.id), await world.status(exact.id)]).toEqual(['processing', 'pending']);
  });
});

describe('Approving', () => {
  it('requires an address and happens once', async () => {
    const { id, claim } = await claimed();
    expect(await outcome(approve(id))).toBe('state_conflict');
    await confirm(claim);

    const done = await Promise.all([1, 2, 3].map(() => outcome(approve(id))));

    expect(done.sort()).toEqual(['done', 'state_conflict', 'state_conflict']);
    const payouts = await world.rows('SELECT 1 FROM settlement.refund_float_payouts WHERE id = $1', [id]);
    expect(payouts).toHaveLength(1);
  });

  it('is refused while the float is held', async () => {
    const { id, claim } = await claimed();
    await confirm(claim);
    world.chain.hold = 'The key is held.';

    await expect(approve(id)).rejects.toThrow('The key is held.');
    world.chain.hold = null;

    expect(await outcome(approve(id))).toBe('done');
  });

  it('stays within the day limit of the account and continues a day later', async () => {
    const other = await RefundsWorld.open();
    await other.fund();
    const owner = { organizationId: other.organizationId, accountId: other.accountId };
    await other.process().setLimit.execute({
      ...{ ...owner, uniqueAssetId: other.token.uniqueAssetId, perDay: '15', actor: 'operator anna' },
    });
    const { refund: failed } = await other.create({ of: other.request() });
    await other.process().cancel.execute(other.scope, failed.id);
    await other.create({ of: other.request() });

    const refused = await Promise.allSettled([1, 2].map(() => other.create({ of: other.request() })));
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(other.create({ of: other.request() })).rejects.toThrow('5 USDT remain');
    await other.platform.advance(86_401);

    expect((await other.create({ of: other.request() })).refund.status).toBe('processing');
    await other.close();
  });
});

describe('Cancelling', () => {
  it('ends a pending refund, and frees its amount', async () => {
    const request = world.request();
    const { refund, claim } = await world.create({ of: request, claim: {} });
    const cancel = () => world.process().cancel.execute(world.scope, refund.id);

    expect(await cancel()).toMatchObject({ status: 'failed', failure: 'The merchant cancelled the refund.' });

    expect(await outcome(cancel())).toBe('state_conflict');
    expect(await outcome(world.process().readClaimed.execute(claim!))).toBe('not_found');
    expect((await world.create({ of: request })).refund.amount).toBe(10_000_000n);
  });

  it('wins against a concurrent approval, which is refused or cancelled before it is paid', async () => {
    // Both orders are legitimate, and one race takes one of them: several take both.
    for (let race = 0; race < 12; race += 1) {
      const { id, claim } = await claimed();
      await confirm(claim);

      const [approved, cancelled] = await Promise.all([
        outcome(approve(id)),
        outcome(world.process().cancel.execute(world.scope, id)),
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
