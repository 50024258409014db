import { afterEach, describe, expect, it } from '@jest/globals';
import { assembleBlock } from '../encoding/assemble-block.js';
import { BITCOIN_NETWORK, bitcoinLayer } from '../testing/bitcoin-layer.js';
import { StubNode, type RpcRequest } from '#contexts/networks/testing/stub-node.js';
import { BITCOIN_CHAINS } from '../bitcoin-network.js';

const REGTEST = BITCOIN_CHAINS.find(({ name }) => name === 'regtest')!;
const REGTEST_BITS = 0x207fffff;
/** Difficulty bits for about a quarter and a sixteenth of the regtest target. */
const [QUARTER, SIXTEENTH] = [0x20200000, 0x2007ffff];
const nodes: StubNode[] = [];

afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

/** Starts a node whose chain has blocks with these difficulty bits, beginning at height `first`. */
async function chainOf(first: number, bits: readonly number[]) {
  const blocks: { readonly hash: string; readonly header: Buffer }[] = [];
  for (const [i, each] of bits.entries())
    blocks.push(
      assembleBlock({
        ...{ parentHash: blocks.at(-1)?.hash ?? '00'.repeat(32), height: first + i, bits: each },
        ...{ stamp: 1_900_000_000 + i, payTo: { script: '51', amount: 1n }, transactions: [] },
      }),
    );
  const ofHeight = (height: number) => blocks[height - first]!;
  const node = new StubNode();
  nodes.push(node);
  node.answers('getblockhash', ({ params: [height] }: RpcRequest) => ofHeight(height as number).hash);
  node.answers('getblockheader', ({ params: [hash] }: RpcRequest) =>
    blocks.find((block) => block.hash === hash)!.header.toString('hex'),
  );
  const { headers, rpc } = bitcoinLayer([await node.start()]);
  const [endpoint] = rpc.endpoints(BITCOIN_NETWORK);
  const at = (number: number, chain = REGTEST) =>
    headers.blockHeader(endpoint!, chain, number, ofHeight(number).hash);
  const head = (number: number, chain = REGTEST) =>
    headers.head(endpoint!, chain, { number, hash: ofHeight(number).hash });
  return { node, at, head };
}

describe('A header of Bitcoin', () => {
  it.each([
    ['as easy as four parents, where difficulty is set anew', 2016, [QUARTER, REGTEST_BITS], true],
    ['easier than that', 2016, [SIXTEENTH, REGTEST_BITS], false],
    ['after one that was', 2017, [SIXTEENTH, REGTEST_BITS, REGTEST_BITS], false],
    ['easier than its parent at another height', 2017, [QUARTER, REGTEST_BITS], false],
    ['harder than its parent', 2016, [REGTEST_BITS, SIXTEENTH], true],
  ])(
    'has its difficulty checked if the chain has no sudden drops: %s',
    async (_, height, bits, isBelieved) => {
      const all = [...Array.from({ length: 10 }, () => bits[0]!), ...bits];
      const { at } = await chainOf(height - all.length + 1, all);
      const asked = at(height, { ...REGTEST, isNeverSuddenlyEasy: true });

      if (isBelieved) expect((await asked).number).toBe(height);
      else await expect(asked).rejects.toThrow('does not meet the required difficulty');
      expect((await at(height)).number).toBe(height);
    },
  );

  it.each([
    ['the first checkpoint', 0, 'not the block of the chain'],
    ['an easy block above it', 2, 'does not meet the required difficulty'],
  ])(
    'is refused from an endpoint whose first answer has other work than the chain: %s',
    async (_, above, says) => {
      const { at, head } = await chainOf(
        0,
        Array.from({ length: 14 }, () => REGTEST_BITS),
      );
      const known = { height: 11, hash: '0c'.repeat(32) };
      const chain = { ...REGTEST, checkpoints: [known], easiestSinceCheckpoint: REGTEST.easiestTarget / 4n };

      await expect(at(11 + above, chain)).rejects.toThrow(says);
      await expect(head(10, chain)).rejects.toThrow('below block 11');
      expect((await head(10)).number).toBe(10);
    },
  );

  it('is proven by earlier headers, which are requested in two batches and remembered', async () => {
    const { node, at } = await chainOf(
      0,
      Array.from({ length: 14 }, () => REGTEST_BITS),
    );
    const { time } = await at(12);
    const first = [...node.posts];
    await at(13);

    expect(time).toEqual(new Date(1_900_000_007_000));
    // Requests the block itself, then the hashes of the ten blocks before it, then their headers.
    expect(first).toEqual([1, 10, 10]);
    expect(node.posts.slice(first.length)).toEqual([1]);
  });
});
