import { describe, expect, it } from '@jest/globals';
import { ChainUnavailable, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { ChainModel } from '../../testing/chain-model.js';
import { CONFIRMATIONS, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { findCommonAncestor } from './detect-reorganization.js';

const CHAIN_LENGTH = 40;

/** A chain with this many blocks that was read and whose newest `depth` blocks were replaced afterwards. */
async function modelWithReplacedBlocks(
  depth: number,
  { length = CHAIN_LENGTH, kept = CHAIN_LENGTH + 1 } = {},
) {
  const model = new ChainModel(new Date('2026-01-01T00:00:00Z'), CONFIRMATIONS, 12);
  model.mineEmpty(length);
  const read = new Map<number, BlockHeader>();
  for (let number = length - kept + 1; number <= length; number += 1)
    read.set(number, (await model.blockHeader(number))!);
  model.removeNewestBlocks(depth);
  if (depth > length) model.mineAt(new Date('2026-01-01T00:00:01Z'));
  model.mineEmpty(CHAIN_LENGTH);
  const asked: unknown[] = [];
  model.beforeAnswer = (_, number) => void asked.push(number);
  const chain = { block: async (_network: string, number: number) => read.get(number) ?? null };
  const find = (standing: number | null = null) =>
    findCommonAncestor(chain, model, NETWORK, length, standing === null ? null : read.get(standing)!);
  return { model, find, asked };
}

describe('The newest common block', () => {
  it('is found at every depth, whatever is stored below it', async () => {
    for (let depth = 0; depth < CHAIN_LENGTH; depth += 1)
      for (const kept of [depth + 1, depth + 2, CHAIN_LENGTH]) {
        const { find, model } = await modelWithReplacedBlocks(depth, { kept });

        expect([depth, (await find()).number]).toEqual([depth, CHAIN_LENGTH - depth]);
        expect(model.doubted).toEqual([]);
      }
  });

  it('is found above a known block, without questions below it', async () => {
    for (let depth = 0; depth <= 20; depth += 1) {
      const { find, asked } = await modelWithReplacedBlocks(depth);

      expect([depth, (await find(20)).number]).toEqual([depth, CHAIN_LENGTH - depth]);
      expect(asked.every((number) => Number(number) > 20)).toBe(true);
    }
  });

  it('is not found on another chain, and the search ends after a few dozen questions', async () => {
    const { find, asked, model } = await modelWithReplacedBlocks(2_001, { length: 2_000, kept: 1_500 });
    model.mineEmpty(2_000);

    await expect(find()).rejects.toThrow(`${NETWORK} shares none of the 1500 blocks that were read last`);

    expect(asked.length).toBeLessThan(24);
    expect(model.doubted).toEqual(['it shares none of the 1500 blocks that were read last.']);
  });

  it('is not looked for at a node that lacks a block below its own head', async () => {
    const { find, model } = await modelWithReplacedBlocks(4);
    model.hide(CHAIN_LENGTH - 1);

    await expect(find()).rejects.toBeInstanceOf(ChainUnavailable);

    expect(model.doubted).toEqual([`it does not know block ${CHAIN_LENGTH - 1} below its own head.`]);
  });
});
