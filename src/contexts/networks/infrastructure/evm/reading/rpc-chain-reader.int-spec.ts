import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Address, createPublicClient, http, parseAbi, toHex } from 'viem';
import type { TestChain } from '#test/support/chain.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { saltOf } from '../forwarders/forwarder-derivation.js';
import {
  deployFactory,
  deployTestToken,
  sendToToken,
  submitToToken,
} from '#contexts/networks/testing/chain-contracts.js';
import { RealChain } from '#contexts/networks/testing/real-chain.js';
import { committedFactory } from '../forwarders/forwarder-artifacts.js';
import { LogFilter } from './logs/bloom-filter.js';
import { SETTLED_TOPIC, TRANSFER_TOPIC } from '../rpc/log-answers.js';

const RECIPIENT = `0x${'22'.repeat(20)}` as const;
const MINT_FROM = `0x${'00'.repeat(20)}`;
const FACTORY_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
]);

const HASH_OF = expect.stringMatching(/^0x[0-9a-f]{64}$/) as unknown as string;

let world: RealChain;
let chain: TestChain;
let token: Address;

beforeAll(async () => {
  world = await RealChain.start();
  ({ node: chain, token } = world);
});
afterAll(() => chain.stop());

describe('The factory', () => {
  it('is deployed once, at the address that was foretold', async () => {
    const deployed = await deployFactory(chain.url);
    const again = await deployFactory(chain.url);

    expect([deployed, again].map(({ outcome }) => outcome)).toEqual(['deployed', 'already_there']);
    expect([deployed, again].map(({ factory }) => factory)).toEqual([committedFactory(), committedFactory()]);
  });

  it('derives the addresses that this service derives', async () => {
    const client = createPublicClient({ transport: http(chain.url) });
    const { addresses } = world.connect();
    const address = () => toHex(randomBytes(20));

    const pairs = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const feeBasisPoints = i % 3 === 0 ? 0 : randomInt(1, 10_001);
        const feeRecipient = feeBasisPoints === 0 ? (MINT_FROM as Address) : address();
        const settlement = address();
        const request = randomUUID();
        const ours = addresses.derive(
          'sandbox',
          { settlementAddress: settlement, feeRecipient, feeBasisPoints },
          { requestId: request },
        );
        const theirs = await client.readContract({
          address: ours.derivation.factory as Address,
          abi: FACTORY_ABI,
          functionName: 'addressOf',
          args: [{ settlement, feeRecipient, feeBasisPoints, homeChainId: 31_337n }, toHex(saltOf(request))],
        });
        return [addressForPeople(ours.address), theirs] as const;
      }),
    );

    expect(pairs.map(([ours]) => ours)).toEqual(pairs.map(([, theirs]) => theirs));
  });
});

describe('A real chain', () => {
  it('is read block by block, with the transfers of catalogued tokens', async () => {
    const { reader } = world.connect();
    const lookAlike = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, lookAlike, 'mint', [RECIPIENT, 5n]);
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 1_500n]);

    const { head, finalNumber } = await reader.head('sandbox');
    const before = await reader.block('sandbox', head.number - 1);

    expect(head).toMatchObject({ hash, parentHash: before?.hash });
    expect(finalNumber).toBe(head.number - 2);
    expect(await reader.block('sandbox', head.number + 1)).toBeNull();
    expect((await world.contentsOf({ reader }, before?.hash ?? '')).transfers).toEqual([]);
    const told = {
      kind: 'log',
      transactionHash: HASH_OF,
      index: 0,
      token: token.toLowerCase(),
      from: MINT_FROM,
      to: RECIPIENT,
      amount: 1_500n,
    };
    expect((await world.contentsOf({ reader }, hash)).transfers).toEqual([told]);
    expect((await world.contentsOf({ reader }, hash, true)).transfers).toEqual([told]);
  });

  it('rules transfers out by its bloom filter exactly where there are none', async () => {
    const empty = await chain.rpc<{ logsBloom: string }>('eth_getBlockByNumber', ['0x0', false]);
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 1n]);
    const block = await chain.rpc<{ logsBloom: string }>('eth_getBlockByHash', [hash, false]);
    const transfers = new LogFilter({
      emitters: [RECIPIENT, token.toLowerCase()],
      topics: [SETTLED_TOPIC, TRANSFER_TOPIC],
    });

    expect(transfers.mayBeIn(block.logsBloom)).toBe(true);
    expect(new LogFilter({ emitters: [RECIPIENT], topics: [TRANSFER_TOPIC] }).mayBeIn(block.logsBloom)).toBe(
      false,
    );
    expect(
      new LogFilter({ emitters: [token.toLowerCase()], topics: [SETTLED_TOPIC] }).mayBeIn(block.logsBloom),
    ).toBe(false);
    expect(transfers.mayBeIn(empty.logsBloom)).toBe(false);
  });

  it('tells of several transfers in one block each by its position, and none of nothing', async () => {
    const { reader } = world.connect();
    await chain.rpc('evm_setAutomine', [false]);
    for (const amount of [7n, 0n, 9n]) await submitToToken(chain.url, token, 'mint', [RECIPIENT, amount]);
    await chain.rpc('evm_mine');
    await chain.rpc('evm_setAutomine', [true]);
    const { hash } = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false]);

    const { transfers } = await world.contentsOf({ reader }, hash);

    expect(transfers.map(({ amount }) => amount).sort()).toEqual([7n, 9n]);
    expect(new Set(transfers.map(({ index }) => index)).size).toBe(2);
  });

  it('holds nothing any more of a block that a reorganisation removed', async () => {
    const layer = world.connect();
    const hash = await sendToToken(chain.url, token, 'mint', [RECIPIENT, 3n]);
    const { transfers } = await world.contentsOf(layer, hash);
    const before = await layer.secondEndpoint.holds('sandbox', hash, transfers);

    await chain.rpc('anvil_reorg', [1, []]);

    await expect(world.contentsOf(layer, hash)).rejects.toThrow();
    expect(before).toEqual([true]);
    await expect(layer.secondEndpoint.holds('sandbox', hash, transfers)).rejects.toBeInstanceOf(
      ChainUnavailable,
    );
    await expect(
      layer.reader.succeeded('sandbox', hash, [transfers[0]!.transactionHash]),
    ).rejects.toBeInstanceOf(ChainUnavailable);
  });

  it('reads the same by the second endpoint as by the reader, over hundreds of blocks', async () => {
    const { reader, secondEndpoint } = world.connectNative();
    const { head: begin } = await reader.head('sandbox');
    for (const amount of [11n, 12n, 13n]) {
      await sendToToken(chain.url, token, 'mint', [RECIPIENT, amount]);
      await chain.mine(150);
    }
    const { head } = await reader.head('sandbox');

    const blocks = await reader.blocks('sandbox', begin.number + 1, head.number, head.number - 100);
    const { last, contents } = await secondEndpoint.contents('sandbox', begin.number + 1, head.number);

    const held = blocks.filter(({ transfers }) => transfers.length > 0);
    expect(blocks).toHaveLength(453);
    expect(held.map(({ transfers }) => transfers[0]?.amount)).toEqual([11n, 12n, 13n]);
    expect(last).toEqual(head);
    expect(contents).toEqual(
      held.map(({ header: { number, hash }, transfers, payouts }) => ({ number, hash, transfers, payouts })),
    );
  });

  it('tells its own finality by the finalized tag', async () => {
    const { reader } = world.connect({ finality: 'finalized' });
    await chain.mine(70);

    const { head, finalNumber } = await reader.head('sandbox');

    expect(finalNumber).toBe(head.number - 64);
  });
});
