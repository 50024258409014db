import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { GWEI, SendingWorld } from '#contexts/networks/testing/sending-world.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

/** A key that has used nonce 0, and another process that has no part in it but can release what waits for its signature. */
async function lost() {
  const { privateKey, address } = await world.key();
  const process = world.process(privateKey);
  await process.goUntilMined(await process.reserve('0x00'));
  const { sender } = world.process((await world.key()).privateKey);
  const release = (id: string, alongside = async () => 'released') => sender.release(id, alongside);
  const nonce = async (id: string) => (await sender.fate(id))!.nonce;
  return { ...process, privateKey, address, release, nonce };
}

describe('A nonce that was released before anything was signed for it', () => {
  it('is released after those behind it, and the next orders take it and those', async () => {
    const { reserve, go, goUntilMined, release, state, nonce, address } = await lost();
    const [first, second] = [await reserve('0x01'), await reserve('0x02')];

    const released = [await release(first), await release(second), await release(first)];
    const again = await release(first);
    for (const id of [first, second]) await go(id);
    const next = [await reserve('0x03'), await reserve('0x04')];
    for (const id of next) await goUntilMined(id);

    expect([released, again]).toEqual([[null, 'released', 'released'], null]);
    expect(await Promise.all([first, second].map(state))).toEqual(['foreign', 'foreign']);
    expect(await Promise.all(next.map(nonce))).toEqual([1, 2]);
    expect(await Promise.all(next.map(state))).toEqual(['mined', 'mined']);
    expect(await world.count(address)).toBe(3);
  });

  it('is not accounted for where a transaction uses it after all: the key is held', async () => {
    const { reserve, release, reconciled, privateKey } = await lost();
    await release(await reserve('0x01'));
    await world.outside(privateKey, 1);
    await world.chain.mine(4);

    await expect(reserve('0x02')).rejects.toThrow('nonce 1.');
    expect(await reconciled()).toEqual(['1 unknown']);
  });

  it('is signed no more by a process that has read it before', async () => {
    const { reserve, release, sendings, advance, state } = await lost();
    const id = await reserve('0x01');
    const read = (await sendings.find(id))!;
    await release(id);

    await advance.cancel(read, { fees: { maxFee: 50n * GWEI, priorityFee: GWEI }, head: null });

    expect([await state(id), await world.attempts(id)]).toEqual(['foreign', []]);
  });
});

describe('A nonce stays', () => {
  it('where something is signed for it or behind it', async () => {
    const { reserve, go, release, state } = await lost();
    await world.holdBlocks();
    const [reserved, signed] = [await reserve('0x01'), await reserve('0x02')];
    await go(signed);

    expect([await release(signed), await release(reserved)]).toEqual([null, null]);
    expect(await Promise.all([reserved, signed].map(state))).toEqual(['reserved', 'broadcast']);
  });

  it('where a transaction of the key is in a pool that is not stored', async () => {
    const { reserve, release, state, privateKey } = await lost();
    const id = await reserve('0x01');
    await world.holdBlocks();
    await world.outside(privateKey, 1);

    await expect(release(id)).rejects.toThrow('nonce 1.');
    expect(await state(id)).toBe('reserved');
  });

  it('where what is to be stored with its release cannot be', async () => {
    const { reserve, release, state } = await lost();
    const id = await reserve('0x01');

    await expect(release(id, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await state(id)).toBe('reserved');
  });
});
