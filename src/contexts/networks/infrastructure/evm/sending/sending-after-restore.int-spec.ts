import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { SENDING_NETWORK } from '#contexts/networks/testing/sending-process.js';
import { A_BUMP_LATER, GWEI, SendingWorld } from '#contexts/networks/testing/sending-world.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

/** A key that has one final sending, so that what comes after it is missed. */
async function used() {
  const { privateKey, address } = await world.key();
  const process = world.process(privateKey);
  await process.goUntilMined(await process.reserve('0x00'));
  return { ...process, privateKey, address };
}

describe('A sending that a restore of the database has lost', () => {
  it('is not sent again under the next nonce', async () => {
    const { reserve, goUntilMined, address } = await used();
    const id = await reserve('0x01');
    await goUntilMined(id);

    await world.forget(id);

    await expect(reserve('0x01', id)).rejects.toThrow(/nonce 1\. Nothing is sent with the key gas/);
    expect(await world.count(address)).toBe(2);
  });

  it('holds its key too while it is in a pool alone', async () => {
    const { reserve, go, address } = await used();
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);

    await world.forget(id);
    await expect(reserve('0x02')).rejects.toThrow('nonce 1.');
    await world.chain.mine(1);

    await expect(reserve('0x02')).rejects.toThrow('nonce 1.');
    expect(await world.count(address)).toBe(2);
  });

  it('holds the key of a float where not one is left', async () => {
    const { sender, address } = await used();
    const { address: unused } = await world.key();
    const float = 'float:0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
    const elsewhere = await world.key();
    await world.outside(elsewhere.privateKey, 0);
    await world.chain.mine(1);

    const [of, never, stored, gas] = await Promise.all([
      sender.holdOf(SENDING_NETWORK, float, elsewhere.address),
      sender.holdOf(SENDING_NETWORK, float, unused),
      sender.holdOf(SENDING_NETWORK, float, address),
      sender.holdOf(SENDING_NETWORK, 'gas', elsewhere.address),
    ]);

    expect([of?.message, never, stored, gas]).toEqual([
      expect.stringContaining('nonce 0.'),
      null,
      null,
      null,
    ]);
  });

  it('is taken up from final blocks, and followed to its end', async () => {
    const { reserve, go, goUntilMined, reconciled, state, sendings, address, all } = await used();
    const lost = [await reserve('0x01'), await reserve('0x02')];
    for (const id of lost) await goUntilMined(id);
    for (const id of lost) await world.forget(id);

    const early = await reconciled();
    await world.chain.mine(3);
    const late = await reconciled();
    const adopted = await sendings.unfinished(SENDING_NETWORK);
    await all.execute(SENDING_NETWORK);
    const next = await reserve('0x03');
    await go(next);
    await world.chain.mine(3);
    await go(next);

    expect([early, late]).toEqual([['1 not_final'], ['1 adopted', '2 adopted']]);
    const mine = adopted.filter(({ sender, nonce }) => sender === address.toLowerCase() && nonce > 0);
    expect(mine.map(({ nonce, call, purpose }) => [nonce, call.data, purpose])).toEqual([
      [1, '0x01', 'settlement'],
      [2, '0x02', 'settlement'],
    ]);
    expect(await Promise.all(mine.map(({ id }) => state(id)))).toEqual(['final', 'final']);
    expect([await state(next), await world.count(address)]).toEqual(['final', 4]);
  });

  it('that is nobody’s order is accepted by its hash alone, and keeps back what came after it', async () => {
    const { reserve, go, reconciled, privateKey } = await used();
    const outside = await world.outside(privateKey, 1);
    await world.chain.mine(1);
    await world.outside(privateKey, 2);
    await world.chain.mine(4);

    const outcomes = [await reconciled(), await reconciled([outside]), await reconciled()];

    expect(outcomes).toEqual([['1 unknown', '2 waits'], ['1 adopted', '2 unknown'], ['2 unknown']]);
    await expect(reserve('0x01').then(go)).rejects.toThrow('nonce 2.');
  });
});

describe('A nonce that was reserved and never signed for', () => {
  it('is not signed once another transaction uses it, ends as foreign, and holds what is behind it', async () => {
    const { reserve, go, all, state, reconciled, privateKey, address } = await used();
    await world.holdBlocks();
    const ids = [await reserve('0x01'), await reserve('0x02')];
    const outside = await world.outside(privateKey, 1);

    for (const id of ids) await go(id);
    const pooled = await Promise.all(ids.map(state));
    const early = await reconciled();
    await world.chain.mine(4);
    await all.execute(SENDING_NETWORK);
    const mined = await Promise.all(ids.map(state));
    const late = [await reconciled(), await reconciled([outside])];
    await all.execute(SENDING_NETWORK);
    await world.chain.mine(4);
    await all.execute(SENDING_NETWORK);

    expect([pooled, early]).toEqual([['reserved', 'reserved'], ['1 reserved']]);
    expect([mined, late]).toEqual([
      ['foreign', 'reserved'],
      [['1 unknown'], ['1 adopted']],
    ]);
    expect(await Promise.all(ids.map(state))).toEqual(['foreign', 'final']);
    expect([(await world.attempts(ids[0]!)).length, await world.count(address)]).toEqual([0, 3]);
  });

  it('is followed by the transaction of its own call, where that was lost', async () => {
    const { reserve, go, state, step, address } = await used();
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);
    const attempts = await world.attempts(id);

    await world.forget(id, 1, 'reserved');
    const early = [await step(id), await world.attempts(id)];
    await world.chain.mine(4);
    await go(id);

    expect(early).toEqual(['waiting', []]);
    expect([await state(id), await world.attempts(id)]).toEqual(['final', attempts]);
    expect(await world.count(address)).toBe(2);
  });

  it('is held by none of the key’s own transactions', async () => {
    const { reserve, go, all, state } = await used();
    await world.holdBlocks();
    const ids = await Promise.all(['0x01', '0x02', '0x03'].map((data) => reserve(data as Hex)));
    await go(ids[0]!);
    await reserve('0x04').then(go);
    await world.chain.mine(1);
    for (const _ of [1, 2]) await all.execute(SENDING_NETWORK);
    await world.chain.mine(5);
    await all.execute(SENDING_NETWORK);

    expect(await Promise.all(ids.map(state))).toEqual(['final', 'final', 'final']);
  });
});

describe('A transaction of a kind that the service never signs', () => {
  it('holds its key until its hash is accepted', async () => {
    const { reserve, go, goUntilMined, reconciled, state, privateKey } = await used();
    const foreign = await reserve('0x01');
    const created = [await world.outside(privateKey, 1, null), await world.outside(privateKey, 2, null)];
    await world.chain.mine(4);
    await go(foreign);

    const outcomes = [await reconciled(), await reconciled(created), await reconciled()];

    expect(outcomes).toEqual([['1 no_call', '2 waits'], ['1 adopted', '2 adopted'], []]);
    expect(
      await world.platform.database.query(
        `SELECT state, purpose, used_by FROM networks.sendings WHERE used_by = ANY ($1) AND adopted ORDER BY nonce`,
        [created],
      ),
    ).toEqual(created.map((hash) => ({ state: 'foreign', purpose: 'unknown', usedBy: hash })));
    const next = await reserve('0x02');
    await goUntilMined(next);
    expect([await state(foreign), await state(next)]).toEqual(['foreign', 'mined']);
  });
});

describe('An attempt that a restore of the database has lost', () => {
  it('is ours by its call, and followed by its receipt', async () => {
    const { reserve, go, state, address } = await used();
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);
    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(A_BUMP_LATER);
    await go(id);
    const before = await world.attempts(id);
    await world.mineAt(GWEI, 4);

    await world.forget(id, 2);
    await go(id);

    expect([before.length, await state(id), await world.count(address)]).toEqual([2, 'final', 2]);
    expect(await world.attempts(id)).toEqual(before);
  });

  it('is ours too where its network has no EIP-1559', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state, sendings } = world.process(privateKey);
    const id = await reserve('0x01');
    const legacy = await legacyTransaction(privateKey, (await sendings.find(id))!.call);
    await world.chain.mine(4);
    await go(id);

    expect(await state(id)).toBe('final');
    expect((await world.attempts(id)).map(({ raw }) => `0x${raw}`)).toContain(legacy);
  });
});

async function legacyTransaction(privateKey: Hex, call: { to: string; data: string }): Promise<Hex> {
  const raw = await privateKeyToAccount(privateKey).signTransaction({
    type: 'legacy',
    chainId: 31_337,
    nonce: 0,
    gas: 90_000n,
    gasPrice: 60n * GWEI,
    to: call.to as Hex,
    data: call.data as Hex,
  });
  await world.chain.rpc('eth_sendRawTransaction', [raw]);
  return raw;
}
