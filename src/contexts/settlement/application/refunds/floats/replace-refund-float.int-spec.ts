import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { NETWORK, RefundsWorld } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
let old: string;

beforeEach(async () => {
  world = await RefundsWorld.open();
  old = await world.fund();
});
afterEach(() => world.close());

const replace = () =>
  world.process().replace.replace({ organizationId: world.organizationId, network: NETWORK, actor: 'ops' });
const present = () => world.process().floats.findOrCreate(world.organizationId, NETWORK);

describe('A refund float whose key is replaced', () => {
  it('stops paying, while top-ups of both refund floats are published', async () => {
    world.chain.keysAre = ' of 2';
    const { address } = await replace();
    await expect(world.create({ of: world.request() })).rejects.toMatchObject({
      code: 'refund_float_insufficient',
    });

    expect(await world.fund()).toBe(address);
    world.chain.put(old, world.token.token, 7_000_000n);
    world.chain.finalNumber += 1;
    await world.process().look.check(NETWORK);
    const { refund } = await world.create({ of: world.request() });
    await world.turn();
    world.chain.mine(refund.id, 'final');
    await world.turn();

    expect(address).not.toBe(old);
    const floats = await world.process().floats.list(world.organizationId);
    expect(floats.map((float) => float.address)).toEqual([address, old]);
    expect(await world.status(refund.id)).toBe('completed');
    const events = await world.events('refund_float.topped_up');
    expect(events.filter(({ data }) => data['to'] === old).map(({ data }) => data['amount'])).toEqual(
      expect.arrayContaining(['7000000']),
    );
    const [entry] = await world.rows(
      'SELECT action, actor FROM identity.audit_log ORDER BY position DESC LIMIT 1',
    );
    expect(entry).toEqual({ action: 'refund_float.replaced', actor: 'ops' });
  });

  it('stays in use while payments are unfinished or its key is present', async () => {
    await expect(replace()).rejects.toThrow('still has the key of the current float');
    const { refund } = await world.create({ of: world.request() });
    world.chain.keysAre = ' of 2';

    await expect(replace()).rejects.toThrow('has unfinished payments');

    expect((await present()).address).toBe(old);
    world.chain.keysAre = '';
    await world.turn();
    world.chain.mine(refund.id, 'final');
    await world.turn();
    expect(await world.status(refund.id)).toBe('completed');
  });

  it('stays in use if a concurrent refund reserves its money', async () => {
    const commit = Promise.withResolvers<void>();
    const reserved = Promise.withResolvers<void>();
    const refunding = world.platform.database.run(async () => {
      await world.create({ of: world.request() });
      reserved.resolve();
      await commit.promise;
    });
    await reserved.promise;
    world.chain.keysAre = ' of 2';

    const rejected = expect(replace()).rejects.toThrow('has unfinished payments');
    const locked = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await world.rows(locked)).length > 0).finally(() => commit.resolve());
    await refunding;

    await rejected;
    expect((await present()).address).toBe(old);
  });

  it('rejects refunds and withdrawals prepared before the replacement', async () => {
    const { chain, organizationId, token } = world;
    const plan = chain.planning.plan.bind(chain.planning);
    // Replaces the float while the payment is simulated.
    const replacedMeanwhile = (keys: string) => {
      chain.planning.plan = async (...args) => {
        const planned = await plan(...args);
        chain.keysAre = keys;
        await replace();
        return planned;
      };
    };

    replacedMeanwhile(' of 2');
    await expect(world.create({ of: world.request() })).rejects.toThrow('was replaced in the meantime.');
    await world.fund();
    replacedMeanwhile(' of 3');
    const withdrawn = world.process().withdraw.withdraw({
      ...{ organizationId, network: NETWORK, uniqueAssetId: token.uniqueAssetId, amount: '1', actor: 'ops' },
    });

    await expect(withdrawn).rejects.toThrow('was replaced in the meantime.');
    expect(await world.rows('SELECT 1 FROM settlement.refund_float_payouts')).toEqual([]);
  });

  it('is replaced by the first of concurrent commands', async () => {
    world.chain.keysAre = ' of 2';

    const done = await Promise.allSettled([replace(), replace()]);

    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await present()).address).not.toBe(old);
  });
});
