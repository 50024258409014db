import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AssembledBlock, REGTEST_BITS, assembleBlock } from '#chains/bitcoin/encoding/assemble-block.js';
import { assembleTransaction } from '#chains/bitcoin/encoding/assemble-transaction.js';
import { bitcoinLayer, ownOf, recipient } from '#chains/bitcoin/testing/bitcoin-layer.js';
import { publishFigure, typical } from './figures.js';
import { FORM, comparedWith, row, shown } from './measures.js';
import { readBare } from './bitcoin-reading/bare-loop.js';

const [PAIRS, BLOCKS, TRANSACTIONS, WARM] = (
  { short: [1, 3, 300, 0], figures: [5, 10, 3_000, 1], long: [9, 20, 3_000, 2] } as const
)[FORM];
const AT_ONCE = 10;
const OWN = recipient('01');
const PATIENCE_MS = 600_000;

let worker: Worker;
let url: string;

const digits = (of: string, bytes: number) =>
  createHash('sha512')
    .update(of)
    .digest('hex')
    .slice(0, 2 * bytes);

function scriptOf(number: string): string {
  const kind = Number.parseInt(digits(number, 1), 16) % 10;
  if (kind < 5) return `0014${digits(number, 20)}`;
  if (kind < 8) return `5120${digits(number, 32)}`;
  return kind === 8 ? `76a914${digits(number, 20)}88ac` : `a914${digits(number, 20)}87`;
}

function blockAfter(parentHash: string, height: number): AssembledBlock {
  const witness = [Buffer.alloc(71, 0x30), Buffer.alloc(33, 2)];
  const transactions = Array.from({ length: TRANSACTIONS }, (_, i) => {
    const name = `${height} ${i}`;
    const scripts = [i === height ? OWN.script : scriptOf(`${name} 0`), scriptOf(`${name} 1`)];
    if (i % 3 === 0) scripts.push(scriptOf(`${name} 2`));
    return assembleTransaction({
      inputs: [0, 1].map((vout) => ({ txid: digits(name, 32), vout, witness })),
      outputs: scripts.map((script) => ({ script, amount: 5_000n })),
    });
  });
  return assembleBlock({
    ...{ parentHash, height, stamp: 1_900_000_000 + height * 600, bits: REGTEST_BITS, transactions },
    payTo: { script: scriptOf(`${height}`), amount: 5n },
  });
}

beforeAll(async () => {
  const blocks: AssembledBlock[] = [];
  for (let height = 0; height < BLOCKS; height += 1)
    blocks.push(blockAfter(blocks.at(-1)?.hash ?? '00'.repeat(32), height));
  const known = blocks.map(({ hash, header, bytes }) => ({
    ...{ hash, header: header.toString('hex'), bytes: bytes.toString('hex') },
  }));
  worker = new Worker(new URL('bitcoin-reading/block-server.mjs', import.meta.url), {
    workerData: { blocks: known },
  });
  const [port] = (await once(worker, 'message')) as [number];
  url = `http://127.0.0.1:${port}`;
}, PATIENCE_MS);
afterAll(() => worker?.terminate());

async function costOf(work: () => Promise<number>): Promise<number> {
  const before = process.threadCpuUsage();
  expect(await work()).toBe(BLOCKS);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / BLOCKS;
}

/** The service reads them in a process that knows none of them yet. @returns how many of our outputs it finds */
async function readByService(): Promise<number> {
  const { reader } = bitcoinLayer([url]);
  const { head } = await reader.head();
  let found = 0;
  for (let from = 0; from <= head.number; from += AT_ONCE) {
    const blocks = await reader.blocks(from, head.number, null, ownOf([OWN.address]));
    for (const { transfers } of blocks) found += transfers.length;
  }
  return found;
}

const bare = () => costOf(() => readBare(url, BLOCKS, new Set([OWN.script])));
const service = () => costOf(readByService);

describe('The Bitcoin chain reader', () => {
  it(
    'finds the payments of each block, and takes a multiple of the CPU time of a loop that only hashes and matches',
    async () => {
      for (let i = 0; i < WARM; i += 1) await bare().then(service);
      const { ratios, noise, limits, ours } = await comparedWith(PAIRS, bare, service);
      publishFigure({
        work: 'read a Bitcoin block of 3,000 transactions',
        result: `${typical(ours, 1)} ms of CPU time`,
        limit: `loop that hashes and matches: ${typical(limits, 1)} ms`,
        ratios: ratios.map((times) => 1 / times),
        measurement: 'bitcoin-reading',
      });
      process.stdout.write(
        row('times a bare loop', 'that beside itself', 'ms a block', 'of the bare loop') +
          row(shown(ratios), shown(noise), shown(ours, 1), shown(limits, 1)),
      );
    },
    PATIENCE_MS,
  );
});
