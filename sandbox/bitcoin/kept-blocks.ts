import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { doubleSha256, displayHashOf } from '#chains/bitcoin/encoding/wire-bytes.js';
import type { BitcoinRpc } from './bitcoin-rpc.js';

/** Blocks per batch. A batch takes the node at most a few seconds. */
const AT_ONCE = 200;

/** Stores every mined block in a file, because btcd starts regtest from genesis at each start. */
export class KeptBlocks {
  constructor(private readonly file: string) {}

  /** Must be called before the node receives the block, so that a killed sandbox loses no published block. */
  add(block: Uint8Array): void {
    appendFileSync(this.file, `${Buffer.from(block).toString('hex')}\n`, { mode: 0o600 });
  }

  /** Submits the best chain first, so that clients see it grow without reorganizations. */
  async restore(rpc: BitcoinRpc): Promise<void> {
    if (!existsSync(this.file)) return;
    const text = readFileSync(this.file, 'latin1');
    // Removes a partially written block, so that the next one is not appended to it.
    truncateSync(this.file, text.lastIndexOf('\n') + 1);
    const blocks = bestFirst(text.split('\n').slice(0, -1));
    for (let from = 0; from < blocks.length; from += AT_ONCE) {
      const some = blocks.slice(from, from + AT_ONCE);
      await rpc.calls(some.map((hex) => ['submitblock', hex]));
    }
  }
}

/** Sorts the best chain first. All regtest blocks have equal work, so among the longest chains the first one wins. */
function bestFirst(blocks: readonly string[]): string[] {
  const heights = new Map<string, number>();
  const chained = blocks.map((hex) => {
    const header = Buffer.from(hex.slice(0, 160), 'hex');
    const [hash, parent] = [displayHashOf(doubleSha256(header)), displayHashOf(header.subarray(4, 36))];
    const height = (heights.get(parent) ?? 0) + 1;
    heights.set(hash, height);
    return { hex, hash, parent, height };
  });
  let tip = chained.reduce<{ hash?: string; height: number }>(
    (best, each) => (each.height > best.height ? each : best),
    { height: 0 },
  ).hash;
  const best = new Set<string>();
  for (const { hex, hash, parent } of chained.toReversed()) {
    if (hash !== tip) continue;
    best.add(hex);
    tip = parent;
  }
  return [...blocks.filter((hex) => best.has(hex)), ...blocks.filter((hex) => !best.has(hex))];
}
