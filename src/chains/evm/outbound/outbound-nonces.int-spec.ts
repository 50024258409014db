import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  GWEI,
  SendingWorld,
  SECONDS_UNTIL_BUMP,
  RICH_BALANCE_WEI,
} from '#contexts/networks/testing/outbound-world.js';
import { SENDING_NETWORK, CALLABLE_CONTRACT } from '#contexts/networks/testing/outbound-process.js';
import type { Hex } from 'viem';
import { newId } from '#shared/kernel/ids.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

/** Creates a key that has used nonce 0, and another process without the key that can release an unsigned order. */
async function lost() {
  const { privateKey, address } = await world.key();
  const process = world.process(privateKey);
  await process.goUntilMined(await process.reserve('0x00'));
  const { sender } = world.process((await world.key()).privateKey);
  const release = (id: string, alongside = async () => 'released') => sender.release(id, alongside);
  const nonce = async (id: string) => (await sender.status(id))!.nonce;
  return { ...process, privateKey, address, release, nonce };
}

describe('A nonce that was released before anything was signed for it', () => {
  it('is released after the nonces behind it, and the next orders reuse them all', async () => {
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

  it('is not signed for by a process that read it before the release', async () => {
    const { reserve, release, sendings, advance, state } = await lost();
    const id = await reserve('0x01');
    const read = (await sendings.find(id))!;
    await release(id);

    await advance.cancel(read, { fees: { maxFee: 50n * GWEI, priorityFee: GWEI }, head: null });

    expect([await state(id), await world.attempts(id)]).toEqual(['foreign', []]);
  });
});

describe('A reserved nonce', () => {
  it('stays while a pool has a transaction of the key that is not stored', async () => {
    const { reserve, release, state, privateKey } = await lost();
    const id = await reserve('0x01');
    await world.holdBlocks();
    await world.outside(privateKey, 1);

    await expect(release(id)).rejects.toThrow('nonce 1.');
    expect(await state(id)).toBe('reserved');
  });
});

/** A key with one final outbound transaction, so that the service misses later transactions of the key. */
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

  it('is accepted only by its hash without an order, and holds back later transactions', async () => {
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
  it('is not signed after another transaction uses it, ends as foreign, and holds later ones', async () => {
    const { reserve, go, all, state, reconciled, privateKey, address } = await used();
    await world.holdBlocks();
    const ids = [await reserve('0x01'), await reserve('0x02')];
    const outside = await world.outside(privateKey, 1);

    for (const id of ids) await go(id);
    const pooled = await Promise.all(ids.map(state));
    const early = await reconciled();
    await world.chain.mine(4);
    await all.advance(SENDING_NETWORK);
    const mined = await Promise.all(ids.map(state));
    const late = [await reconciled(), await reconciled([outside])];
    await all.advance(SENDING_NETWORK);
    await world.chain.mine(4);
    await all.advance(SENDING_NETWORK);

    expect([pooled, early]).toEqual([['reserved', 'reserved'], ['1 reserved']]);
    expect([mined, late]).toEqual([
      ['foreign', 'reserved'],
      [['1 unknown'], ['1 adopted']],
    ]);
    expect(await Promise.all(ids.map(state))).toEqual(['foreign', 'final']);
    expect([(await world.attempts(ids[0]!)).length, await world.count(address)]).toEqual([0, 3]);
  });
});

describe('An attempt that a restore of the database has lost', () => {
  it('is ours by its call, and followed by its receipt', async () => {
    const { reserve, go, state, address } = await used();
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);
    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(SECONDS_UNTIL_BUMP);
    await go(id);
    const before = await world.attempts(id);
    await world.mineAt(GWEI, 4);

    await world.forget(id, 2);
    await go(id);

    expect([before.length, await state(id), await world.count(address)]).toEqual([2, 'final', 2]);
    expect(await world.attempts(id)).toEqual(before);
  });
});

/** Gas limit for a recipient that burns 26 million gas: more than any node accepts. */
const TOO_MUCH_GAS = 32_500_000n;

type Process = ReturnType<SendingWorld['process']>;

/** Reserves a nonce without checking the gas limit, as if the chain's block gas limit had decreased since. */
async function jammed({ sendings }: Process, address: Hex): Promise<string> {
  const id = newId<string>();
  const call = { to: CALLABLE_CONTRACT.toLowerCase(), data: '0x', value: 0n, gasLimit: TOO_MUCH_GAS };
  const draft = { id, network: SENDING_NETWORK, sender: address.toLowerCase(), key: 'gas', call };
  await sendings.reserve(
    { ...draft, feeCeiling: 500n * GWEI, purpose: 'settlement' },
    { latestCount: 0, mostCount: 0 },
  );
  return id;
}

/** Cancels an outbound transaction that was broadcast but is in no block. The cancelling attempt is not signed yet. */
async function cancelledOnceSent({ reserve, go, cancel }: Process): Promise<string> {
  await world.holdBlocks();
  const id = await reserve('0x01');
  await go(id);
  await cancel(id);
  return id;
}

describe('A ceiling for the reservation', () => {
  it('prevents a reservation without headroom, and does not limit offers for a reserved nonce', async () => {
    const { privateKey, address } = await world.key();
    const { chain, go, sender, sendings } = world.process(privateKey);
    await world.mineAt(2n * GWEI);
    const { baseFee, suggested } = await chain.gasFeeMarket(SENDING_NETWORK);
    const firstOffer = 2n * baseFee! + suggested;
    const call = { to: CALLABLE_CONTRACT, data: '0x', value: 0n, gasLimit: 60_000n };
    const order = { id: newId(), network: SENDING_NETWORK, key: 'gas', purpose: 'settlement', call } as const;

    await expect(sender.send({ ...order, reservationCeiling: firstOffer - 1n })).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(/no nonce is reserved above \d+ wei\. Nothing was sent/),
    });
    const before = await sendings.findByNonce(SENDING_NETWORK, address.toLowerCase(), 0);
    await sender.send({ ...order, reservationCeiling: firstOffer });
    await world.mineAt(9n * GWEI);
    await go(order.id);
    await world.mineAt(1n * GWEI);

    const [offer] = await world.attempts(order.id);
    expect([before, BigInt(offer!.maxFee) > 9n * GWEI]).toEqual([null, true]);
  });
});

describe('A jammed nonce', () => {
  it('is freed by the operator, and the transactions that waited behind it go on', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    const id = await jammed(process, address);
    const waiting = await process.reserve('0x02');
    for (const _ of [1, 2, 3]) await process.all.advance(SENDING_NETWORK);
    const before = [await process.state(id), await process.state(waiting), await process.situation(id)];

    const { hash, number } = (await process.cancel(`${address}:0`))!;
    await process.all.advance(SENDING_NETWORK);
    for (const sending of [id, waiting]) await process.goUntilMined(sending);
    const mined = await process.sender.status(id);
    await world.chain.mine(3);
    await process.all.advance(SENDING_NETWORK);

    expect(before).toEqual(['signed', 'broadcast', 'above_block']);
    expect(number).toBe(2);
    expect(mined).toMatchObject({ state: 'mined', succeeded: false, transactionHash: hash });
    expect(await process.sender.status(id)).toMatchObject({ state: 'cancelled', succeeded: false });
    expect(await process.state(waiting)).toBe('final');
    const used = await world.chain.rpc('eth_getTransactionByHash', [hash]);
    expect(used).toMatchObject({ to: address.toLowerCase(), value: '0x0', input: '0x', gas: '0x5208' });
  });
});

describe('A sending that is cancelled', () => {
  it('offers an eighth more for each cancelling attempt, and is not foreign', async () => {
    const { privateKey } = await world.key();
    const process = world.process(privateKey);
    const id = await cancelledOnceSent(process);

    await process.go(id);
    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(SECONDS_UNTIL_BUMP);
    await process.go(id);
    await world.mineAt(GWEI, 4);
    await process.go(id);

    const [first, second, third] = (await world.attempts(id)).map(({ maxFee }) => maxFee);
    expect(second! * 8n).toBeGreaterThanOrEqual(first! * 9n);
    expect(third! * 8n).toBeGreaterThanOrEqual(second! * 9n);
    expect(await process.state(id)).toBe('cancelled');
  });

  it('has one outcome if worker and operator sign concurrently', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    await world.holdBlocks();
    const ids = await Promise.all([1, 2, 3, 4].map((data) => process.reserve(`0x0${data}`)));

    const cancelled = await Promise.all(
      ids.map(async (id) => {
        const [cancel] = await Promise.allSettled([process.cancel(id), process.step(id)]);
        return cancel.status;
      }),
    );
    for (let turn = 0; turn < 6; turn += 1) {
      await process.all.advance(SENDING_NETWORK);
      await world.chain.mine(1);
    }
    for (let turn = 0; turn < 3; turn += 1) await process.all.advance(SENDING_NETWORK);

    const states = await Promise.all(ids.map((id) => process.state(id)));
    states.forEach((state, at) => expect(state).toBe(cancelled[at] === 'fulfilled' ? 'cancelled' : 'final'));
    expect(await world.count(address)).toBe(4);
  });

  it('is refused once a block has it, once it has ended, and by a process without its key', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    const stranger = world.process((await world.key()).privateKey);
    const id = await process.reserve('0x01');

    await expect(stranger.cancel(id)).rejects.toThrow('does not have the key of');
    await process.go(id);
    await expect(process.cancel(id)).rejects.toThrow('The nonce 0 has already been used');
    await world.chain.mine(3);
    await process.go(id);
    await expect(process.cancel(id)).rejects.toThrow('it is final');
    await expect(process.cancel(`${address}:7`)).rejects.toMatchObject({ code: 'not_found' });
    const poor = await process.reserve('0x02');
    await world.chain.rpc('anvil_setBalance', [address, '0x1']);
    await expect(process.cancel(poor)).rejects.toThrow('wei to it. Nothing was sent');
    await world.chain.rpc('anvil_setBalance', [address, RICH_BALANCE_WEI]);
  });

  it('is never stored as if the call had succeeded', async () => {
    const { privateKey } = await world.key();
    const process = world.process(privateKey);
    const id = await process.reserve('0x01');
    await process.cancel(id);
    await process.go(id);

    await expect(
      world.platform.database.query(
        `UPDATE networks.sendings SET state = 'final', mined_succeeded = true WHERE id = $1`,
        [id],
      ),
    ).rejects.toThrow('the attempt that was mined is one that cancels');
    await world.chain.mine(3);
    await process.go(id);
  });
});
