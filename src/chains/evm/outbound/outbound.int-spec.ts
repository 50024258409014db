import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Hex, toFunctionSelector } from 'viem';
import { nativeAsset } from '#contexts/networks/testing/sample-configuration.js';
import { SENDING_NETWORK, CALLABLE_CONTRACT } from '#contexts/networks/testing/outbound-process.js';
import {
  RICH_BALANCE_WEI,
  SendingWorld,
  SECONDS_UNTIL_BUMP,
  GWEI,
} from '#contexts/networks/testing/outbound-world.js';
import { RpcProxy } from '#test/support/rpc/rpc-proxy.js';
import { hangsUp } from '#test/support/rpc/rpc-replies.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
afterEach(() => world.holdBlocks(false));
afterAll(() => world.close());

describe('Sending a call', () => {
  it('reserves, stores the signed bytes, broadcasts them, and follows them until they are final', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, step, goUntilMined, state, sender } = world.process(privateKey);
    const id = await reserve('0x01');

    const states = [await state(id)];
    const stored = [(await world.attempts(id)).length];
    for (const next of [step, step, goUntilMined]) {
      await next(id);
      states.push(await state(id));
      stored.push((await world.attempts(id)).length);
    }
    await world.chain.mine(3);
    await step(id);

    expect(states).toEqual(['reserved', 'signed', 'broadcast', 'mined']);
    expect(stored).toEqual([0, 1, 1, 1]);
    expect([await state(id), await world.count(address)]).toEqual(['final', 1]);
    const [attempt] = await world.attempts(id);
    const receipt = await world.chain.rpc<{ gasUsed: Hex; effectiveGasPrice: Hex }>(
      'eth_getTransactionReceipt',
      [attempt!.hash],
    );
    const cost = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    expect(await sender.status(id)).toMatchObject({ gasCost: cost, transactionHash: attempt!.hash });
    expect(cost).toBe(
      BigInt(RICH_BALANCE_WEI) - BigInt(await world.chain.rpc<Hex>('eth_getBalance', [address, 'latest'])),
    );
  });

  it('is done once for each id, and refused if the id is of another call', async () => {
    const { privateKey } = await world.key();
    const { reserve, sendings } = world.process(privateKey);
    const id = await reserve('0x01');

    await reserve('0x01', id);
    await expect(reserve('0x02', id)).rejects.toThrow('has another call');

    expect((await sendings.unfinished(SENDING_NETWORK)).filter((each) => each.id === id)).toHaveLength(1);
  });

  it('takes the next nonces when many processes reserve concurrently', async () => {
    const { privateKey } = await world.key();
    await world.outside(privateKey, 0);
    const processes = [1, 2].map(() => world.process(privateKey));

    const ids = await Promise.all(processes.flatMap(({ reserve }) => [reserve(), reserve(), reserve()]));

    const fates = await Promise.all(ids.map((id) => processes[0]!.sender.status(id)));
    expect(fates.map((fate) => fate!.nonce).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is refused before a nonce is reserved if the key holds too little, code or a delegation', async () => {
    const poor = await world.key('0x1');
    const contract = await world.key();
    const delegated = await world.key();
    await world.chain.rpc('anvil_setCode', [contract.address, '0x6001']);
    await world.chain.rpc('anvil_setCode', [delegated.address, `0xef0100${'99'.repeat(20)}`]);

    await expect(world.process(poor.privateKey).reserve()).rejects.toThrow(
      /holds 1 wei.*Send at least (\d+) wei to it\. Nothing was sent/,
    );
    await expect(world.process(contract.privateKey).reserve()).rejects.toThrow('has code');
    await expect(world.process(delegated.privateKey).reserve()).rejects.toThrow('EIP-7702: 0x9999');
    const rows = await world.platform.database.query(
      'SELECT 1 FROM networks.sendings WHERE sender = ANY ($1)',
      [[poor, contract, delegated].map(({ address }) => address.toLowerCase())],
    );
    expect(rows).toEqual([]);
  });

  it('counts the fees of a rollup for data and for its operator', async () => {
    const oracle = '0x420000000000000000000000000000000000000F';
    const word = (10n ** 24n).toString(16).padStart(64, '0');
    const returned = '60005260206000f3';
    // Contract code: `getOperatorFee` returns 10^20 for 60,000 gas each, every other function returns 10^24.
    const selector = toFunctionSelector('getOperatorFee(uint256)').slice(2);
    const ofOperator = `60043568056bc75e2d6310000002${returned}`;
    const code = `0x60003560e01c63${selector}14603857` + `7f${word}${returned}` + `5b${ofOperator}`;
    await world.chain.rpc('anvil_setCode', [oracle, code]);
    const { privateKey } = await world.key();

    await expect(world.process(privateKey).reserve()).rejects.toThrow(/up to 7000\d{21} wei are needed/);
    await world.chain.rpc('anvil_setCode', [oracle, '0x']);
  });
});

describe('A call that fails', () => {
  it('is reverted once its block is final', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, goUntilMined, sender } = world.process(privateKey);
    await world.chain.rpc('anvil_setCode', [CALLABLE_CONTRACT, '0x60006000fd']);
    const id = await reserve('0x01');

    await goUntilMined(id);
    const mined = await sender.status(id);
    await world.chain.mine(3);
    await go(id);
    await world.chain.rpc('anvil_setCode', [CALLABLE_CONTRACT, '0x']);

    expect(mined).toMatchObject({ state: 'mined', succeeded: false });
    expect(await sender.status(id)).toMatchObject({ state: 'reverted', succeeded: false });
  });
});

describe('Deploying the factory', () => {
  it('goes on with what an earlier run of the command began, and pays for nothing twice', async () => {
    const { privateKey, address } = await world.key();
    const begun = await world.process(privateKey, { assets: [nativeAsset()] }).reserveDeployment();

    const { deploy, sender } = world.process(privateKey, { assets: [nativeAsset()] });
    const { outcome, transactionHash } = await deploy();

    expect([outcome, await world.count(address)]).toEqual(['deployed', 1]);
    expect((await sender.status(begun))!.transactionHash).toBe(transactionHash);
  });
});

describe('A transaction that stays in no block', () => {
  it('is sent with a higher offer in both parts of the fee, and mined under the same nonce', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state } = world.process(privateKey);
    await world.holdBlocks();
    const id = await reserve('0x01');
    await go(id);

    await world.mineAt(20n * GWEI, 3);
    await world.platform.advance(SECONDS_UNTIL_BUMP);
    await go(id);
    await world.mineAt(GWEI, 4);
    await go(id);

    const [first, second] = await world.attempts(id);
    expect(second!.maxFee * 100n).toBeGreaterThanOrEqual(first!.maxFee * 110n);
    expect(second!.priorityFee * 100n).toBeGreaterThanOrEqual(first!.priorityFee * 110n);
    expect([await state(id), await world.count(address)]).toEqual(['final', 1]);
  });

  it('has no offer above the ceiling: its last bytes are sent again, also after the pool lost them', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, state } = world.process(privateKey, { fees: { ceiling_gwei: '3' } });
    await world.holdBlocks();
    const id = await reserve();
    await go(id);

    await world.platform.advance(SECONDS_UNTIL_BUMP);
    await go(id);
    await world.platform.advance(SECONDS_UNTIL_BUMP);
    await world.chain.rpc('anvil_dropAllTransactions');
    await go(id);
    await world.chain.mine(1);
    await go(id);

    const fees = (await world.attempts(id)).map(({ maxFee }) => maxFee);
    expect(fees.every((fee) => fee <= 3n * GWEI)).toBe(true);
    expect(await state(id)).toBe('mined');
  });
});

describe('A reorganization deeper than finality', () => {
  it('causes the finished bytes to be sent again, before those of the nonce that waits for them', async () => {
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
    await all.advance(SENDING_NETWORK);
    await world.chain.mine(1);
    await all.advance(SENDING_NETWORK);

    expect([await state(finished), lost]).toEqual(['final', 0]);
    expect([await state(waiting), await world.count(address)]).toEqual(['mined', 2]);
  });
});

describe('A receipt that a reorganization drops', () => {
  it('takes the sending back to broadcast, and the same bytes are mined again', async () => {
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

describe('A process that sends beside others, or dies', () => {
  it('leaves one call under a nonce, whichever process is first', async () => {
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

  it.each(['reserve', 'addAttempt', 'broadcast', 'changeState'] as const)(
    'leaves the same bytes to continue with if it dies right after each step: %s',
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

/** Each situation that `sender status` can show is caused once. */
describe('A sending', () => {
  it('waits while its key is empty, and is mined after a refill', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, goUntilMined, state, situation } = world.process(privateKey);
    const id = await reserve('0x01');
    await world.chain.rpc('anvil_setBalance', [address, '0x0']);

    await go(id);
    await go(id);
    const empty = [await state(id), await situation(id)];
    await expect(reserve('0x02')).rejects.toThrow('Nothing was sent');
    await world.chain.rpc('anvil_setBalance', [address, RICH_BALANCE_WEI]);
    await goUntilMined(id);

    expect(empty).toEqual(['signed', 'funds_missing']);
    expect([await state(id), (await world.attempts(id)).length, await world.count(address)]).toEqual([
      'mined',
      1,
      1,
    ]);
  });

  it.each(['reserved', 'signed', 'broadcast'])(
    'continues with the same bytes after the node was down: it was %s',
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

  it('becomes foreign when another transaction takes its nonce, and holds the key until the operator accepts that', async () => {
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
    expect([await state(again), (await sender.status(again))!.nonce]).toEqual(['mined', 1]);
    expect(await world.count(address)).toBe(2);
  });
});
