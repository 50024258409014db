// One node and its keys serve all of these, so that they stand in one file.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Hex } from 'viem';
import { newId } from '#shared/kernel/ids.js';
import { SENDING_NETWORK, TARGET } from '#contexts/networks/testing/sending-process.js';
import { A_BUMP_LATER, GWEI, RICH, SendingWorld } from '#contexts/networks/testing/sending-world.js';

/** The limit that a receiver which burns 26 million gas leads to: more than any node takes. */
const TOO_MUCH_GAS = 32_500_000n;

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

type Process = ReturnType<SendingWorld['process']>;

/** Reserves it without a look at its gas: the blocks of a chain may have become smaller since. */
async function jammed({ sendings }: Process, address: Hex): Promise<string> {
  const id = newId<string>();
  const call = { to: TARGET.toLowerCase(), data: '0x', value: 0n, gasLimit: TOO_MUCH_GAS };
  const draft = { id, network: SENDING_NETWORK, sender: address.toLowerCase(), key: 'gas', call };
  await sendings.reserve(
    { ...draft, feeCeiling: 500n * GWEI, purpose: 'settlement' },
    { latestCount: 0, mostCount: 0 },
  );
  return id;
}

/** No block has it, and what cancels it is not signed yet. */
async function cancelledOnceSent({ reserve, go, cancel }: Process): Promise<string> {
  await world.holdBlocks();
  const id = await reserve('0x01');
  await go(id);
  await cancel(id);
  return id;
}

describe('A call that no node can take', () => {
  it.each([
    ['uses more gas than a block holds', TOO_MUCH_GAS],
    ['uses more gas than a transaction may (EIP-7825)', 2n ** 24n + 1n],
  ])('is refused before a nonce is reserved where it %s', async (_, gasLimit) => {
    const { privateKey, address } = await world.key();
    const { reserve, sendings } = world.process(privateKey);

    await expect(reserve('0x', newId(), gasLimit)).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(`may use ${gasLimit} gas, but nodes accept at most`),
    });

    expect(await sendings.at(SENDING_NETWORK, address.toLowerCase(), 0)).toBeNull();
  });

  it('is refused before a nonce is reserved where blocks cost more than the ceiling', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, sendings } = world.process(privateKey, { fees: { ceiling_gwei: '3' } });
    await world.mineAt(9n * GWEI);

    await expect(reserve()).rejects.toThrow(/at most 3000000000 wei\. Nothing was sent/);
    await world.mineAt(1n * GWEI);

    expect(await sendings.at(SENDING_NETWORK, address.toLowerCase(), 0)).toBeNull();
  });
});

describe('A ceiling for the reservation', () => {
  it('reserves no nonce without headroom, and bounds no offer of one that is reserved', async () => {
    const { privateKey, address } = await world.key();
    const { chain, go, sender, sendings } = world.process(privateKey);
    await world.mineAt(2n * GWEI);
    const { baseFee, suggested } = await chain.market(SENDING_NETWORK);
    const firstOffer = 2n * baseFee! + suggested;
    const call = { to: TARGET, data: '0x', value: 0n, gasLimit: 60_000n };
    const order = { id: newId(), network: SENDING_NETWORK, key: 'gas', purpose: 'settlement', call } as const;

    await expect(sender.send({ ...order, reservationCeiling: firstOffer - 1n })).rejects.toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(/no nonce is reserved above \d+ wei\. Nothing was sent/),
    });
    const before = await sendings.at(SENDING_NETWORK, address.toLowerCase(), 0);
    await sender.send({ ...order, reservationCeiling: firstOffer });
    await world.mineAt(9n * GWEI);
    await go(order.id);
    await world.mineAt(1n * GWEI);

    const [offer] = await world.attempts(order.id);
    expect([before, BigInt(offer!.maxFee) > 9n * GWEI]).toEqual([null, true]);
  });
});

describe('A jammed nonce', () => {
  it('is freed by the operator, and what waited behind it goes on', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    const id = await jammed(process, address);
    const waiting = await process.reserve('0x02');
    for (const _ of [1, 2, 3]) await process.all.execute(SENDING_NETWORK);
    const before = [await process.state(id), await process.state(waiting), await process.situation(id)];

    const { hash, number } = await process.cancel(`${address}:0`);
    await process.all.execute(SENDING_NETWORK);
    for (const sending of [id, waiting]) await process.goUntilMined(sending);
    const mined = await process.sender.fate(id);
    await world.chain.mine(3);
    await process.all.execute(SENDING_NETWORK);

    expect(before).toEqual(['signed', 'broadcast', 'above_block']);
    expect(number).toBe(2);
    expect(mined).toMatchObject({ state: 'mined', succeeded: false, transactionHash: hash });
    expect(await process.sender.fate(id)).toMatchObject({ state: 'cancelled', succeeded: false });
    expect(await process.state(waiting)).toBe('final');
    const used = await world.chain.rpc('eth_getTransactionByHash', [hash]);
    expect(used).toMatchObject({ to: address.toLowerCase(), value: '0x0', input: '0x', gas: '0x5208' });
  });

  it('is freed before its call was ever signed', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    const id = await jammed(process, address);

    await process.cancel(id);
    await process.go(id);
    await world.chain.mine(3);
    await process.go(id);

    expect([await process.state(id), (await world.attempts(id)).length]).toEqual(['cancelled', 1]);
  });
});

describe('A sending that is cancelled', () => {
  it('offers at least an eighth more than before, more again where that stays in no block, and is not foreign', async () => {
    const { privateKey } = await world.key();
    const process = world.process(privateKey);
    const id = await cancelledOnceSent(process);

    await process.go(id);
    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(A_BUMP_LATER);
    await process.go(id);
    await world.mineAt(GWEI, 4);
    await process.go(id);

    const [first, second, third] = (await world.attempts(id)).map(({ maxFee }) => maxFee);
    expect(second! * 8n).toBeGreaterThanOrEqual(first! * 9n);
    expect(third! * 8n).toBeGreaterThanOrEqual(second! * 9n);
    expect(await process.state(id)).toBe('cancelled');
  });

  it('is final where its call is mined first: whichever attempt is mined decides', async () => {
    const { privateKey, address } = await world.key();
    const process = world.process(privateKey);
    const id = await cancelledOnceSent(process);

    await world.chain.mine(4);
    await process.go(id);

    expect(await process.sender.fate(id)).toMatchObject({ state: 'final', succeeded: true });
    expect(await world.count(address)).toBe(1);
  });

  it('goes one way where worker and operator sign in the same moment', async () => {
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
      await process.all.execute(SENDING_NETWORK);
      await world.chain.mine(1);
    }
    for (let turn = 0; turn < 3; turn += 1) await process.all.execute(SENDING_NETWORK);

    const states = await Promise.all(ids.map((id) => process.state(id)));
    states.forEach((state, at) => expect(state).toBe(cancelled[at] === 'fulfilled' ? 'cancelled' : 'final'));
    expect(await world.count(address)).toBe(4);
  });

  it('takes a higher ceiling from the operator where its own is reached', async () => {
    const { privateKey } = await world.key();
    const process = world.process(privateKey, { fees: { ceiling_gwei: '5' } });
    await world.holdBlocks();
    const id = await process.reserve('0x01');
    await process.go(id);
    await world.mineAt(40n * GWEI);

    await expect(process.cancel(id)).rejects.toThrow(/Pass a higher --fee-ceiling/);
    await process.cancel(id, 200n * GWEI);
    await process.go(id);
    await world.chain.mine(4);
    await process.go(id);
    await world.mineAt(1n * GWEI);

    expect(await process.state(id)).toBe('cancelled');
  });

  it('is cancelled by an attempt that a restore of the database has lost', async () => {
    const { privateKey } = await world.key();
    const process = world.process(privateKey);
    const id = await cancelledOnceSent(process);
    await process.go(id);
    const before = await world.attempts(id);
    await world.chain.mine(4);

    await world.forget(id, 2);
    await process.go(id);

    expect([await process.state(id), await world.attempts(id)]).toEqual(['cancelled', before]);
    expect(await process.reconciled()).toEqual([]);
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
    await world.chain.rpc('anvil_setBalance', [address, RICH]);
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
