import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Abi,
  type Address,
  type Hex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseEventLogs,
  toHex,
  zeroAddress,
} from 'viem';
import { evmAddress, readTronAddress } from '#sandbox/tron/tron-address.js';
import { tronAddress } from '#chains/tron/addresses/tron-address.js';
import { TronForwarders } from '#chains/tron/addresses/tron-forwarders.js';
import {
  artifacts,
  cloneCode,
  create2,
  create2OfHash,
  deploymentSalt,
  factoryAbi,
  factoryCreationCode,
  mintData,
  settleData,
  tokenAbi,
  type Terms,
} from './support/forwarders.js';
import { Tvm } from './support/tvm.js';

/** The chain id of Nile. */
const CHAIN_ID = 3_448_148_188;
const CALLER = getAddress(`0x${'ca'.repeat(20)}`);
const SETTLEMENT = getAddress('0x5e771e5e771e5e771e5e771e5e771e5e771e5e77');
const FEE_RECIPIENT = getAddress('0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0');
const AMOUNT = 12_345_678n;

/** Energy for each payment. A transfer of this token alone takes `TRANSFER_ENERGY`. */
const ENERGY = {
  '0 bps': {
    ...{ 'first × 1': 69_794, 'first × 20': 64_936, 'first × 50': 64_782 },
    ...{ 'later × 1': 23_163, 'later × 20': 18_305, 'later × 50': 18_151 },
  },
  '100 bps': {
    ...{ 'first × 1': 90_174, 'first × 20': 85_107, 'first × 50': 84_947 },
    ...{ 'later × 1': 39_129, 'later × 20': 34_062, 'later × 50': 33_902 },
  },
};

/** Creates a contract that answers `transfer` with 0 and every other call, such as `balanceOf`, with 32. */
const RETURNS_ZERO: Hex = `0x${[
  '601f600c600039601f6000f3',
  ...['600035', '60e01c', '63a9059cbb14', '601957', '6020600052', '60206000f3'],
  ...['5b', '60206000f3'],
].join('')}`;

const TRANSFER_ENERGY = 12_648;

let tvm: Tvm;
let factory: Address;
let implementation: Address;
let token: Address;

beforeAll(async () => {
  tvm = await Tvm.start(CHAIN_ID, CALLER);
  factory = (await tvm.deploy(factoryCreationCode('41')))!;
  implementation = create2(factory, deploymentSalt, artifacts.TronForwarder.bytecode, '41');
  const named = { ...artifacts.TronTestToken, args: ['Tether USD', 'USDT', 6] };
  // Returns false from every transfer, as USDT does.
  token = (await tvm.deploy(encodeDeployData({ ...named, abi: named.abi as Abi })))!;
  for (const holder of [SETTLEMENT, FEE_RECIPIENT]) await tvm.call(token, mintData(holder, 1n));
});

const saltOf = (text: string): Hex => `0x${keccak256(toHex(text)).slice(2, 34).padEnd(64, '0')}`;
const termsWith = (feeBasisPoints: number, homeChainId = BigInt(CHAIN_ID)): Terms => ({
  settlement: SETTLEMENT,
  feeRecipient: feeBasisPoints === 0 ? zeroAddress : FEE_RECIPIENT,
  feeBasisPoints,
  homeChainId,
});
const forwarderOf = (terms: Terms, salt: Hex) =>
  create2(factory, salt, cloneCode(terms, implementation), '41');
const balanceOf = (holder: Address) => tvm.read(token, tokenAbi, 'balanceOf', [holder]) as Promise<bigint>;
const eventsOf = ({ logs }: Awaited<ReturnType<Tvm['call']>>) =>
  parseEventLogs({ abi: factoryAbi, logs: logs.filter(({ address }) => address === factory) as never }).map(
    (log) => log as unknown as { eventName: string; args: Record<string, unknown> },
  );

/** A contract on the main net. */
const RECORDED = JSON.parse(
  readFileSync(new URL('../../test/fixtures/tron/create2.json', import.meta.url), 'utf8'),
) as { deployer: string; tokens: [string, string]; fee: number; initCodeHash: Hex; address: string };
const hexOf = (base58: string) => getAddress(evmAddress(readTronAddress(base58)!));

describe('The formula of CREATE2 with the prefix 0x41', () => {
  it('gives the address of a contract that was created on the main net', () => {
    const { deployer, tokens, fee, initCodeHash, address } = RECORDED;
    const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }] as const;
    const [first, second] = tokens;
    const salt = keccak256(encodeAbiParameters(types, [hexOf(first), hexOf(second), fee]));
    const created = (prefix: 'ff' | '41') => create2OfHash(hexOf(deployer), salt, initCodeHash, prefix);

    expect(created('41')).toBe(hexOf(address));
    expect(created('ff')).not.toBe(hexOf(address));
  });
});

describe('A factory whose chain hashes the prefix 0x41', () => {
  it('is not created with the prefix of EVM networks', async () => {
    expect(await tvm.deploy(factoryCreationCode('ff'))).toBeNull();
  });

  it('creates its implementation at the address that follows from its own', async () => {
    expect(await tvm.read(factory, factoryAbi, 'implementation')).toBe(implementation);
  });

  it('derives the addresses that are derived off chain', async () => {
    for (let i = 0; i < 100; i += 1) {
      const terms = termsWith((i * 101) % 10_001, BigInt(CHAIN_ID) << BigInt(i % 32));
      const salt = saltOf(`derived ${i}`);

      expect(await tvm.read(factory, factoryAbi, 'addressOf', [terms, salt])).toBe(forwarderOf(terms, salt));
    }
  });

  it('derives the deposit addresses that the service shows', async () => {
    const forwarders = new TronForwarders({
      factory: tronAddress(factory),
      create2Prefix: 0x41,
      chainId: CHAIN_ID,
    });
    const requestId = '51525354-5556-4758-995a-5b5c5d5e5f60';
    const salt: Hex = `0x${requestId.replaceAll('-', '').padEnd(64, '0')}`;

    for (const feeBasisPoints of [0, 100]) {
      const terms = termsWith(feeBasisPoints);
      const theirs = (await tvm.read(factory, factoryAbi, 'addressOf', [terms, salt])) as Address;
      const { settlement, feeRecipient } = terms;
      const ours = {
        settlementAddress: tronAddress(settlement),
        feeRecipient: tronAddress(feeRecipient),
        feeBasisPoints,
      };

      expect(forwarders.addressOf(ours, requestId)).toBe(tronAddress(theirs));
    }
    expect(forwarders.implementation).toBe(tronAddress(implementation));
  });

  it.each([0, 100, 10_000])(
    'settles the first and the later payments with a fee of %i basis points',
    async (feeBasisPoints) => {
      const terms = termsWith(feeBasisPoints);
      const salt = saltOf(`settled ${feeBasisPoints}`);
      const forwarder = forwarderOf(terms, salt);
      const fee = (AMOUNT * BigInt(feeBasisPoints)) / 10_000n;

      for (const undeployed of [true, false]) {
        await tvm.call(token, mintData(forwarder, AMOUNT));
        const before = [await balanceOf(SETTLEMENT), await balanceOf(FEE_RECIPIENT)] as const;
        const result = await tvm.call(factory, settleData([{ terms, token, undeployed, salts: [salt] }]));

        expect(eventsOf(result)).toMatchObject([
          { eventName: 'Settled', args: { forwarder, token, toSettlement: AMOUNT - fee, toFee: fee } },
        ]);
        expect([
          await balanceOf(forwarder),
          await balanceOf(SETTLEMENT),
          await balanceOf(FEE_RECIPIENT),
        ]).toEqual([0n, before[0] + AMOUNT - fee, before[1] + fee]);
      }
    },
  );

  it('measures with a token whose transfer takes little energy', async () => {
    await tvm.call(token, mintData(CALLER, 2n * AMOUNT));
    const args = [SETTLEMENT, AMOUNT] as const;
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args });

    expect((await tvm.call(token, data)).energy).toBe(TRANSFER_ENERGY);
  });

  it('pays nothing in a token that returns false and moves nothing', async () => {
    const stubborn = (await tvm.deploy(RETURNS_ZERO))!;
    const terms = termsWith(0);
    const salt = saltOf('stubborn');
    const group = { terms, token: stubborn, undeployed: true, salts: [salt] };

    expect(eventsOf(await tvm.call(factory, settleData([group])))).toMatchObject([
      { eventName: 'Failed', args: { forwarder: forwarderOf(terms, salt) } },
    ]);
  });

  it('refuses another home chain, and names the forwarder', async () => {
    const terms = termsWith(0, 1n);
    const salt = saltOf('away');
    const group = { terms, token, undeployed: true, salts: [salt] };

    expect(eventsOf(await tvm.call(factory, settleData([group])))).toMatchObject([
      { eventName: 'Failed', args: { forwarder: forwarderOf(terms, salt) } },
    ]);
  });

  it.each([0, 100])('uses the published energy with a fee of %i basis points', async (feeBasisPoints) => {
    const terms = termsWith(feeBasisPoints);
    const used: Record<string, number> = {};
    for (const count of [1, 20, 50]) {
      const salts = Array.from({ length: count }, (_, i) => saltOf(`energy ${feeBasisPoints} ${count} ${i}`));
      for (const undeployed of [true, false]) {
        for (const salt of salts) await tvm.call(token, mintData(forwarderOf(terms, salt), AMOUNT));
        const result = await tvm.call(factory, settleData([{ terms, token, undeployed, salts }]));

        expect(eventsOf(result).map(({ eventName }) => eventName)).toEqual(salts.map(() => 'Settled'));
        used[`${undeployed ? 'first' : 'later'} × ${count}`] = Math.round(result.energy / count);
      }
    }

    expect(used).toEqual(ENERGY[`${feeBasisPoints} bps` as keyof typeof ENERGY]);
  });
});
