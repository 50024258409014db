import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { floatKeyName } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { NATIVE_HOLDING_KEY } from '#contexts/settlement/domain/refunds/refund-float.js';
import { GAS_COST } from '#contexts/settlement/testing/refunds/made-up-chain.js';
import { NETWORK, RefundsWorld, SETTLED_TO } from '#contexts/settlement/testing/refunds/refunds-world.js';

let world: RefundsWorld;
beforeEach(async () => {
  world = await RefundsWorld.open();
});
afterEach(() => world.close());

const look = () => world.process().look.check(NETWORK);
const topUps = async () =>
  (await world.events('refund_float.topped_up')).map(({ data }) => [data['currency'], data['amount']]);

describe('A refund float', () => {
  it('has no address while no process has its key', async () => {
    world.chain.holdsKeys = false;
    const { floats, open } = world.process();
    await world.rows(
      `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
       VALUES ($1, $2, 'second', 'Second', now(), now())`,
      [newId(), world.organizationId],
    );
    const { accountId } = await floats.findOrCreate(world.organizationId, NETWORK);
    expect(accountId).toBe(world.accountId);

    const { organizationId } = world;
    expect(await open.assign(NETWORK)).toEqual([{ organizationId, says: 'There is no such key.' }]);
    await expect(world.create({ of: world.request() })).rejects.toThrow('its address is being set up');
    world.chain.holdsKeys = true;
    expect(await open.assign(NETWORK)).toEqual([]);

    const { id, address } = await floats.findOrCreate(world.organizationId, NETWORK);
    expect(address).not.toBeNull();
    await floats.setAddress(id, SETTLED_TO);
    expect((await floats.findOrCreate(world.organizationId, NETWORK)).address).toBe(address);
    expect((await floats.findOrCreate(world.organizationId, 'base')).address).toBeNull();
    expect([await floats.has(NETWORK, address!), await floats.has('base', address!)]).toEqual([true, false]);
    expect(await floats.listWithAddress('base', null, 9)).toEqual([]);
  });

  it('gets its address even if keys of other refund floats are missing', async () => {
    const { floats, open } = world.process();
    const others = [newId<OrganizationId>(), newId<OrganizationId>()];
    for (const other of others) {
      await world.organization(other);
      await floats.findOrCreate(other, NETWORK);
      world.chain.unheld.add(floatKeyName(other));
    }
    await floats.findOrCreate(world.organizationId, NETWORK);

    const without = await open.assign(NETWORK);

    expect(without.map(({ organizationId }) => organizationId)).toEqual(others);
    expect((await floats.findOrCreate(world.organizationId, NETWORK)).address).not.toBeNull();
  });

  it('counts top-ups of other assets while one token shows no balances', async () => {
    const float = await world.fund(5_000_000n, 100n);
    const holding = world.token.token;
    world.chain.unreadable.add(holding);
    world.chain.put(float, NATIVE_HOLDING_KEY, 7n);
    world.chain.put(float, holding, 10_000n);
    world.chain.finalNumber += 1;

    expect(await look()).toMatchObject([
      { holding, says: 'The token returns no balance of the refund float.' },
    ]);

    expect((await topUps()).at(-1)).toEqual(['ETH', '7']);
    expect(await world.holding(holding)).toMatchObject({ toppedUp: 5_000_000n, missing: 0n });
    world.chain.unreadable.clear();
    await look();
    expect((await topUps()).at(-1)).toEqual(['USDT', '10000']);
  });

  it('is checked more often again once its balance has changed', async () => {
    const { look: floats } = world.process();
    const float = await world.fund(5_000_000n, 100n);
    await floats.check(NETWORK);
    const quiet = () => {
      for (let cycle = 0; cycle < 1_000; cycle += 1) floats.isDue(NETWORK);
      return [floats.isDue(NETWORK), floats.isDue(NETWORK)];
    };
    const before = quiet();
    await floats.check(NETWORK);
    const unchanged = [floats.isDue(NETWORK), floats.isDue(NETWORK)];

    world.chain.put(float, world.token.token, 5_000_000n);
    world.chain.finalNumber += 1;
    await floats.check(NETWORK);

    expect([before, unchanged]).toEqual([
      [false, false],
      [false, false],
    ]);
    expect([floats.isDue(NETWORK), floats.isDue(NETWORK)]).toEqual([true, true]);
  });

  it('ignores a balance that only one of two endpoints reports', async () => {
    const float = await world.fund(5_000_000n, 100n);
    const { chain, token } = world;
    const before = await topUps();
    chain.secondSays = (address, holding) => chain.held(address, holding);
    chain.secondForkHash = `0x${'f'.repeat(64)}`;
    chain.put(float, token.token, 900_000_000n);
    await expect(look()).rejects.toThrow('has a different block 10');
    chain.secondForkHash = null;
    chain.secondSays = (_, holding) => (holding === NATIVE_HOLDING_KEY ? 100n : 5_000_000n);

    expect(await look()).toMatchObject([
      { holding: token.token, says: 'Two endpoints return different balances of the refund float.' },
    ]);
    chain.put(float, token.token, -902_000_000n);
    await look();
    expect(await topUps()).toEqual(before);
    expect(await world.holding(token.token)).toMatchObject({ toppedUp: 5_000_000n, missing: 0n });

    chain.put(float, token.token, 4_000_000n);
    chain.secondSays = (address, holding) => chain.held(address, holding);
    await look();
    expect((await topUps()).at(-1)).toEqual(['USDT', '2000000']);
  });

  it('counts a top-up only in a final block', async () => {
    await world.fund(5_000_000n, 100n);
    const { blockHeader } = world.chain.reader;
    const read: number[] = [];
    Object.assign(world.chain.reader, {
      head: async () => ({ head: { number: 12 }, finalNumber: 10 }),
      blockHeader: (number: number) => (read.push(number), blockHeader(number)),
    });
    await look();

    expect(new Set(read)).toEqual(new Set([10]));
  });

  it('publishes each top-up once, in both assets', async () => {
    const float = await world.fund(5_000_000n, 100n);
    await look();
    world.chain.put(float, world.token.token, 2_000_000n);
    world.chain.finalNumber += 1;
    await Promise.all([look(), look()]);
    await look();

    expect(await topUps()).toEqual(
      expect.arrayContaining([
        ['ETH', '100'],
        ['USDT', '5000000'],
        ['USDT', '2000000'],
      ]),
    );
    expect(await topUps()).toHaveLength(3);
    const [event] = await world.rows<{ accountId: string }>(
      `SELECT account_id FROM platform.events WHERE type = 'refund_float.topped_up' LIMIT 1`,
    );
    expect(event!.accountId).toBe(world.accountId);
  });

  it('is not topped up by its own refund at any step', async () => {
    const float = await world.fund();
    const { id } = (await world.create({ of: world.request() })).refund;
    await world.turn();
    const before = await topUps();

    world.chain.mine(id, 'mined');
    world.chain.finalNumber += 1;
    expect(await look()).toEqual([]);
    world.chain.mine(id, 'final');
    expect(await look()).toEqual([]);
    world.chain.put(float, world.token.token, 3_000_000n);
    await look();
    await world.turn();
    expect(await world.status(id)).toBe('completed');
    expect(await look()).toEqual([]);

    // The refund hid the top-up temporarily. Afterwards the full top-up is reported.
    expect((await topUps()).slice(before.length)).toEqual([['USDT', '3000000']]);
    expect(await world.holding(world.token.token)).toMatchObject({ balance: 93_000_000n, missing: 0n });
  });

  it('reports an amount that no payout explains, and excludes it from the available amount', async () => {
    const float = await world.fund(20_000_000n);
    world.chain.put(float, world.token.token, -15_000_000n);

    const missing = await look();

    expect(missing).toMatchObject([{ holding: world.token.token, amount: 15_000_000n }]);
    expect(await look()).toEqual([]);
    await expect(world.create({ of: world.request() })).rejects.toThrow('lacks 5 USDT');
    world.chain.put(float, world.token.token, 15_000_000n);
    await look();
    expect(await world.holding(world.token.token)).toMatchObject({ missing: 0n, toppedUp: 20_000_000n });
  });
});

describe('A refund float that lacks an amount', () => {
  it('keeps the missing amount while a payout is in flight', async () => {
    const float = await world.fund(40_000_000n);
    world.chain.put(float, world.token.token, -15_000_000n);
    await look();
    const { id } = (await world.create({ of: world.request() })).refund;
    await world.turn();
    world.chain.mine(id, 'mined');
    world.chain.finalNumber += 1;

    expect(await look()).toEqual([]);

    expect(await world.holding(world.token.token)).toMatchObject({ missing: 15_000_000n });
  });
});

describe('A withdrawal', () => {
  const withdraw = (uniqueAssetId: string, amount: string) =>
    world.process().withdraw.withdraw({
      ...{
        organizationId: world.organizationId,
        network: NETWORK,
        uniqueAssetId,
        amount,
        actor: 'operator anna',
      },
    });

  it('pays the unreserved amount to the settlement address', async () => {
    await world.fund(30_000_000n);
    await world.create({ of: world.request() });

    const { id, amount } = await withdraw(world.token.uniqueAssetId, 'all');
    await world.turn();
    for (const order of world.chain.orders) world.chain.mine(order.id, 'final');
    await world.turn();
    await look();

    expect(amount).toBe(20_000_000n);
    expect(world.chain.held(SETTLED_TO, world.token.token)).toBe(20_000_000n);
    expect(world.chain.orders.find((order) => order.id === id)).toMatchObject({
      purpose: 'float_withdrawal',
    });
    expect(await world.holding(world.token.token)).toMatchObject({
      ...{ withdrawn: 20_000_000n, refunded: 10_000_000n, balance: 0n, missing: 0n },
    });
    const events = await world.events('refund_float.withdrawal_status_changed');
    expect(events.map(({ data }) => data['status'])).toEqual(['processing', 'completed']);
  });

  it('leaves the cost of gas if all native coin is withdrawn', async () => {
    await world.fund(0n, 1_000_000n);

    const { amount } = await withdraw(world.coin.uniqueAssetId, 'all');

    expect(amount).toBe(1_000_000n - GAS_COST);
    expect(await world.holding(NATIVE_HOLDING_KEY)).toMatchObject({ reserved: 1_000_000n });
    await expect(withdraw(world.coin.uniqueAssetId, 'all')).rejects.toThrow('Nothing can be withdrawn');
  });

  it('rejects a withdrawal of native coin that only covers its gas', async () => {
    await world.fund(0n, GAS_COST);

    await expect(withdraw(world.coin.uniqueAssetId, 'all')).rejects.toThrow('does not cover the gas');
  });
});
