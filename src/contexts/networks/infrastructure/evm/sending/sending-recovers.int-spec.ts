import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { hangsUp } from '#test/support/rpc/rpc-replies.js';
import { SENDING_NETWORK } from '#contexts/networks/testing/sending-process.js';
import { A_BUMP_LATER, GWEI, RICH, SendingWorld } from '#contexts/networks/testing/sending-world.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

/** The situations that `sender status` shows while each lasts. */
describe('A sending', () => {
  it('whose key was emptied after its reservation waits, and is mined once it is refilled', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state, situation } = world.process(privateKey);
    const id = await reserve('0x01');
    await world.chain.rpc('anvil_setBalance', [address, '0x0']);

    await go(id);
    await go(id);
    const empty = [await state(id), await situation(id)];
    await expect(reserve('0x02')).rejects.toThrow('Nothing was sent');
    await world.chain.rpc('anvil_setBalance', [address, RICH]);
    await goUntilMined(id);

    expect(empty).toEqual(['signed', 'funds_missing']);
    expect([await state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
      'mined',
      1,
      1,
    ]);
  });

  it.each(['reserved', 'signed', 'broadcast'])(
    'goes on by the same bytes where it was %s when the node went down',
    async (reached) => {
      const { privateKey, address } = await world.key();
      const proxy = await RpcProxy.before(world.chain.url);
      const { reserve, step, go, state, situation } = world.process(privateKey, {}, [proxy.url]);
      await world.holdBlocks();
      const id = await reserve('0x01');
      while ((await state(id)) !== reached) await step(id);
      const before = await world.attempts(id);

      proxy.misbehave(hangsUp());
      await go(id).catch((error: Error) => expect(error.name).toBe('ChainUnavailable'));
      const down = [await state(id), await situation(id)];
      proxy.behave();
      await go(id);
      await world.chain.mine(1);
      await go(id);
      await proxy.close();

      expect(down).toEqual([reached, 'nodes_silent']);
      expect((await world.attempts(id)).slice(0, before.length)).toEqual(before);
      expect([await state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
        'mined',
        1,
        1,
      ]);
    },
  );

  it('that is stuck by a spike of fees is offered more for up to its ceiling, and mined when it is over', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state, situation } = world.process(privateKey, { fees: { ceiling_gwei: '5' } });
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);

    const situations = [];
    for (let turn = 0; turn < 12; turn += 1) {
      await world.mineAt(40n * GWEI, 3);
      await world.platform.advance(A_BUMP_LATER);
      await go(id);
      situations.push(await situation(id));
    }
    await world.mineAt(GWEI);
    await go(id);
    await world.chain.mine(1);
    await go(id);

    const fees = (await world.attempts(id)).map(({ maxFee }) => maxFee);
    expect(situations.at(-1)).toBe('at_ceiling');
    expect(fees.length).toBeGreaterThan(1);
    expect(fees.every((fee) => fee <= 5n * GWEI)).toBe(true);
    expect([await state(id), await world.count(address)]).toEqual(['mined', 1]);
  });

  it('whose nonce an outside transaction took becomes foreign, and holds the key until the operator has accepted that', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state, situation, sender, reconciled } = world.process(privateKey);
    const id = await reserve('0x01');
    const outside = await world.outside(privateKey, 0);
    while ((await world.count(address)) === 0) await pause(5);

    await go(id);
    const taken = await situation(id);
    await world.chain.mine(3);
    await go(id);
    await expect(reserve('0x01')).rejects.toThrow('nonce 0.');
    const outcomes = [await reconciled(), await reconciled([outside]), await reconciled()];
    const again = await reserve('0x01');
    await goUntilMined(again);

    expect([taken, await state(id), await situation(id)]).toEqual(['nonce_used', 'foreign', undefined]);
    expect(outcomes).toEqual([['0 unknown'], ['0 adopted'], []]);
    expect([await state(again), (await sender.fate(again))!.nonce]).toEqual(['mined', 1]);
    expect(await world.count(address)).toBe(2);
  });

  it('behind a gap says so, and goes on once the earlier one is sent', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state, situation, all } = world.process(privateKey);
    const [, second] = [await reserve('0x01'), await reserve('0x02')];

    await go(second);
    const behind = [await state(second), await situation(second)];
    await all.execute(SENDING_NETWORK);
    await goUntilMined(second);

    expect(behind).toEqual(['broadcast', 'earlier_nonce']);
    expect([await state(second), await world.count(address)]).toEqual(['mined', 2]);
  });

  it('that a reorganisation dropped is in a pool again, and mined again by the same bytes', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state, situation } = world.process(privateKey);
    const id = await reserve('0x01');
    await goUntilMined(id);
    const mined = [await state(id), await situation(id)];

    await world.holdBlocks();
    await world.chain.rpc('anvil_reorg', [1, []]);
    await world.chain.rpc('anvil_dropAllTransactions');
    await go(id);
    const dropped = [await state(id), await situation(id)];
    await world.chain.mine(1);
    await go(id);

    expect([mined, dropped]).toEqual([
      ['mined', 'in_a_block'],
      ['broadcast', 'in_a_pool'],
    ]);
    expect([await state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
      'mined',
      1,
      1,
    ]);
  });

  it('without its key waits, also beside processes with others, until one holds it', async () => {
    const { privateKey } = await world.key();
    const other = world.process(`0x${randomBytes(32).toString('hex')}`);
    const { reserve, goUntilMined, state } = world.process(privateKey);
    const id = await reserve('0x01');

    await other.go(id);
    const without = [await state(id), await other.situation(id)];
    await goUntilMined(id);

    expect([without, await state(id)]).toEqual([['reserved', 'key_missing'], 'mined']);
  });
});
