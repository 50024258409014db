import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Hex, toFunctionSelector } from 'viem';
import { newId } from '#shared/kernel/ids.js';
import { firstCreation } from '../forwarders/evm-address.js';
import { DETERMINISTIC_DEPLOYER, committedFactory } from '../forwarders/forwarder-artifacts.js';
import { nativeAsset } from '#contexts/networks/testing/sample-configuration.js';
import { SENDING_NETWORK, TARGET } from '#contexts/networks/testing/sending-process.js';
import { RICH, SendingWorld } from '#contexts/networks/testing/sending-world.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';

let world: SendingWorld;
beforeAll(async () => {
  world = await SendingWorld.open();
});
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
    expect(await sender.fate(id)).toMatchObject({ gasCost: cost, transactionHash: attempt!.hash });
    expect(cost).toBe(
      BigInt(RICH) - BigInt(await world.chain.rpc<Hex>('eth_getBalance', [address, 'latest'])),
    );
  });

  it('is done once for each id, and refused where the id is of another call', async () => {
    const { privateKey } = await world.key();
    const { reserve, sendings } = world.process(privateKey);
    const id = await reserve('0x01');

    await reserve('0x01', id);
    await expect(reserve('0x02', id)).rejects.toThrow('has another call');

    expect((await sendings.unfinished(SENDING_NETWORK)).filter((each) => each.id === id)).toHaveLength(1);
  });

  it('takes the nonces after its own sendings and after what is in blocks, at once from many sides', async () => {
    const { privateKey } = await world.key();
    await world.outside(privateKey, 0);
    const processes = [1, 2].map(() => world.process(privateKey));

    const ids = await Promise.all(processes.flatMap(({ reserve }) => [reserve(), reserve(), reserve()]));

    const fates = await Promise.all(ids.map((id) => processes[0]!.sender.fate(id)));
    expect(fates.map((fate) => fate!.nonce).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is refused before a nonce is reserved where the key holds too little, code or a delegation', async () => {
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

  it.each([
    ['data', 'none', /up to 1000\d{21} wei are needed/],
    ['data and by its operator for gas', 'mul', /up to 7000\d{21} wei are needed/],
  ])('counts what a rollup charges for %s', async (_, operator, needed) => {
    const oracle = '0x420000000000000000000000000000000000000F';
    const word = (10n ** 24n).toString(16).padStart(64, '0');
    const returned = '60005260206000f3';
    // `getOperatorFee` fails as one that is not there, or takes 10^20 for each of 60,000 gas; all else is 10^24.
    const ofOperator = operator === 'mul' ? `60043568056bc75e2d6310000002${returned}` : '60006000fd';
    const selector = toFunctionSelector('getOperatorFee(uint256)').slice(2);
    const code = `0x60003560e01c63${selector}14603857` + `7f${word}${returned}` + `5b${ofOperator}`;
    await world.chain.rpc('anvil_setCode', [oracle, code]);
    const { privateKey } = await world.key();

    const reserved = world.process(privateKey).reserve();
    await expect(reserved).rejects.toThrow(needed);
    await world.chain.rpc('anvil_setCode', [oracle, '0x']);
  });
});

describe('A nonce that another transaction used', () => {
  it('makes the sending foreign once that is final, and not before', async () => {
    const { privateKey, address } = await world.key();
    const { reserve, go, state } = world.process(privateKey);
    const id = await reserve('0x01');
    await world.outside(privateKey, 0);

    await go(id);
    const early = await state(id);
    await world.chain.mine(3);
    await go(id);

    expect([early, await state(id), await world.count(address)]).toEqual(['reserved', 'foreign', 1]);
  });

  it('is not believed while one of the endpoints does not answer', async () => {
    const { privateKey } = await world.key();
    const silent = new StubNode();
    const url = await silent.start();
    const { reserve, go, state } = world.process(privateKey, {}, [world.chain.url, url]);
    const id = await reserve();
    await world.outside(privateKey, 0);
    await world.chain.mine(4);

    await go(id);
    const whileSilent = await state(id);
    await silent.stop();
    await world.process(privateKey).go(id);

    expect([whileSilent, await state(id)]).toEqual(['reserved', 'foreign']);
  });
});

describe('A call that fails', () => {
  it('is reverted once its block is final', async () => {
    const { privateKey } = await world.key();
    const { reserve, go, goUntilMined, sender } = world.process(privateKey);
    await world.chain.rpc('anvil_setCode', [TARGET, '0x60006000fd']);
    const id = await reserve('0x01');

    await goUntilMined(id);
    const mined = await sender.fate(id);
    await world.chain.mine(3);
    await go(id);
    await world.chain.rpc('anvil_setCode', [TARGET, '0x']);

    expect(mined).toMatchObject({ state: 'mined', succeeded: false });
    expect(await sender.fate(id)).toMatchObject({ state: 'reverted', succeeded: false });
  });
});

describe('Deploying the factory', () => {
  it('goes on with what an earlier run of the command began, and pays for nothing twice', async () => {
    const { privateKey, address } = await world.key();
    const begun = await world.process(privateKey, { assets: [nativeAsset()] }).reserveDeployment();

    const { deploy, sender } = world.process(privateKey, { assets: [nativeAsset()] });
    const { outcome, transactionHash } = await deploy();

    expect([outcome, await world.count(address)]).toEqual(['deployed', 1]);
    expect((await sender.fate(begun))!.transactionHash).toBe(transactionHash);
  });

  it('is paid for once where two runs begin at once', async () => {
    const { privateKey, address } = await world.key();
    for (const there of [committedFactory(), firstCreation(committedFactory())]) {
      await world.chain.rpc('anvil_setCode', [there, '0x']);
      await world.chain.rpc('anvil_setNonce', [there, '0x0']);
    }
    const runs = [1, 2].map(() => world.process(privateKey, { assets: [nativeAsset()] }));

    await world.holdBlocks();
    const deployed = Promise.all(runs.map(({ deploy }) => deploy()));
    while ((await world.pooled()) === 0) await pause(5);
    await world.chain.mine(1);
    const outcomes = await deployed;
    await world.holdBlocks(false);

    expect(new Set(outcomes.map(({ transactionHash }) => transactionHash)).size).toBe(1);
    expect(await world.count(address)).toBe(1);
  });

  it('moves no coin', async () => {
    const { privateKey } = await world.key();
    const { sender } = world.process(privateKey);
    const call = { to: DETERMINISTIC_DEPLOYER, data: '0x', value: 1n, gasLimit: 60_000n };
    const order = { id: newId<string>(), network: SENDING_NETWORK, key: 'gas', call } as const;

    await expect(sender.send({ ...order, purpose: 'factory_deployment' })).rejects.toThrow(
      'value: must be 0',
    );
    await expect(
      sender.send({
        ...order,
        purpose: 'settlement',
        call: { ...call, value: 0n, to: `0x${'77'.repeat(20)}` },
      }),
    ).rejects.toThrow('to: must be a contract that a settlement calls on this network');
  });
});
