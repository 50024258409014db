import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SENDING_NETWORK } from '#contexts/networks/testing/sending-process.js';
import { A_BUMP_LATER, GWEI, SendingWorld } from '#contexts/networks/testing/sending-world.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

describe('A transaction that stays in no block', () => {
  it('is offered more for in both parts, and mined under the same nonce', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state } = world.process(privateKey);
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);

    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(A_BUMP_LATER);
    await go(id);
    await world.mineAt(GWEI, 4);
    await go(id);

    const [first, second] = await world.attempts(id);
    expect(second!.maxFee * 100n).toBeGreaterThanOrEqual(first!.maxFee * 110n);
    expect(second!.priorityFee * 100n).toBeGreaterThanOrEqual(first!.priorityFee * 110n);
    expect([await state(id), await world.count(address)]).toEqual(['final', 1]);
  });

  it('is offered no more for while it offers what blocks ask for, however many pass', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state } = world.process(privateKey);
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);

    await world.chain.rpc('anvil_dropAllTransactions');
    await world.chain.mine(20);
    await world.platform.advance(A_BUMP_LATER);
    await go(id);

    expect([await state(id), (await world.attempts(id)).length, await world.pooled()]).toEqual([
      'broadcast',
      1,
      1,
    ]);
  });

  it('is offered no more for behind an earlier nonce that is in no block either', async () => {
    const { privateKey } = await world.key();
    const { reserve, go } = world.process(privateKey);
    await world.holdBlocks();
    const [, behind] = [await reserve('0x01'), await reserve('0x02')];
    await go(behind);

    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(A_BUMP_LATER);
    await go(behind);
    await world.mineAt(GWEI);

    expect(await world.attempts(behind)).toHaveLength(1);
  });

  it('is never offered more for than the ceiling: its last bytes are given again, also after the pool lost them', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state } = world.process(privateKey, { fees: { ceiling_gwei: '3' } });
    await world.holdBlocks();
    const id = await reserve();
    await go(id);

    await world.platform.advance(A_BUMP_LATER);
    await go(id);
    await world.platform.advance(A_BUMP_LATER);
    await world.chain.rpc('anvil_dropAllTransactions');
    await go(id);
    await world.chain.mine(1);
    await go(id);

    const fees = (await world.attempts(id)).map(({ maxFee }) => maxFee);
    expect(fees.every((fee) => fee <= 3n * GWEI)).toBe(true);
    expect(await state(id)).toBe('mined');
  });

  it('waits below its ceiling while the base fee is above it', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state } = world.process(privateKey, { fees: { ceiling_gwei: '3' } });
    const id = await reserve();
    await world.chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${(9n * GWEI).toString(16)}`]);
    await world.chain.mine(1);

    await go(id);
    const above = await state(id);
    await world.chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${GWEI.toString(16)}`]);
    await world.chain.mine(1);
    await go(id);
    await world.chain.mine(1);
    await go(id);

    expect(['signed', 'broadcast']).toContain(above);
    expect(await state(id)).toBe('mined');
    expect((await world.attempts(id)).every(({ maxFee }) => maxFee <= 3n * GWEI)).toBe(true);
  });

  it('that another pool entry outbids is given again until it is mined or foreign', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state, sender } = world.process(privateKey);
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);
    await world.chain.rpc('anvil_dropAllTransactions');
    await world.outside(privateKey, 0);

    await go(id);
    const { response } = (await sender.fate(id))!;
    await world.chain.mine(4);
    await go(id);

    expect(response).toMatch(/underpriced/);
    expect(await state(id)).toBe('foreign');
  });
});

describe('A reorganisation deeper than finality', () => {
  it('has the finished bytes given again, before those of the nonce that waits for them', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, all, state } = world.process(privateKey);
    const finished = await reserve('0x01');
    await goUntilMined(finished);
    await world.chain.mine(3);
    await go(finished);
    const waiting = await reserve('0x02');

    await world.holdBlocks();
    await world.chain.rpc('anvil_reorg', [4, []]);
    await world.chain.rpc('anvil_dropAllTransactions');
    const lost = await world.count(address);
    await all.execute(SENDING_NETWORK);
    await world.chain.mine(1);
    await all.execute(SENDING_NETWORK);

    expect([await state(finished), lost]).toEqual(['final', 0]);
    expect([await state(waiting), await world.count(address)]).toEqual(['mined', 2]);
  });
});

describe('A receipt that a reorganisation drops', () => {
  it('leads back to broadcast, and the same bytes are mined again', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state } = world.process(privateKey);
    const id = await reserve('0x01');
    await goUntilMined(id);
    const mined = await state(id);

    await world.holdBlocks();
    await world.chain.rpc('anvil_reorg', [1, []]);
    await world.chain.rpc('anvil_dropAllTransactions');
    await go(id);
    const dropped = [await state(id), await world.count(address)];
    await world.chain.mine(4);
    await go(id);

    expect([mined, ...dropped]).toEqual(['mined', 'broadcast', 0]);
    expect([await state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
      'final',
      1,
      1,
    ]);
  });
});

describe('A receipt that only one of two endpoints would show', () => {
  it('is kept while that one is silent, and gone once all answer without it', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, goUntilMined, state } = world.process(privateKey);
    const id = await reserve('0x01');
    await goUntilMined(id);
    await world.holdBlocks();
    await world.chain.rpc('anvil_reorg', [1, []]);
    const silent = new StubNode();
    const urls = [world.chain.url, await silent.start()];

    await world.process(privateKey, {}, urls).go(id);
    const whileSilent = await state(id);
    await silent.stop();
    await go(id);

    expect([whileSilent, await state(id)]).toEqual(['mined', 'broadcast']);
  });
});

describe('Processes that send at once, or die', () => {
  it('leave one call under a nonce, whichever of two is first at each step', async () => {
    const { privateKey, address } = await world.key();
    const [one, other] = [world.process(privateKey), world.process(privateKey)];
    const id = await one.reserve('0x01');

    for (let turn = 0; turn < 4; turn += 1) await Promise.all([one.step(id), other.step(id)]);
    await world.chain.mine(3);
    await Promise.all([one.step(id), other.step(id)]);

    expect([await one.state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
      'final',
      1,
      1,
    ]);
  });

  it.each(['reserve', 'attempt', 'broadcast', 'step'] as const)(
    'go on with the same bytes after one died right after each %s, before it stored or said anything more',
    async (point) => {
      const { privateKey, address } = await world.key();
      const died = new Error('died');
      const dying = () => {
        const process = world.process(privateKey);
        const object = (point === 'broadcast' ? process.chain : process.sendings) as unknown as Record<
          string,
          (...given: unknown[]) => Promise<unknown>
        >;
        const whole = object[point]!.bind(object);
        object[point] = async (...given) => {
          await whole(...given);
          throw died;
        };
        return process;
      };
      const id = '01990000-0000-7000-8000-' + address.slice(2, 14).toLowerCase();

      await dying()
        .reserve('0x0a', id)
        .catch((error) => expect(error).toBe(died));
      const { reserve, go, state } = world.process(privateKey);
      await reserve('0x0a', id);
      for (let lives = 0; lives < 6; lives += 1)
        await dying()
          .step(id)
          .catch((error) => expect(error).toBe(died));
      await go(id);
      await world.chain.mine(4);
      await go(id);

      const transaction = (await world.attempts(id)).map(({ hash }) => hash);
      expect([await state(id), transaction.length, await world.count(address)]).toEqual(['final', 1, 1]);
    },
  );
});
