import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { doubleSha256, shownHash } from '#chains/bitcoin/encoding/wire-bytes.js';
import type { BitcoinRpc } from './bitcoin-rpc.js';

/** In one request: some seconds of the node's work at most. */
const AT_ONCE = 200;

/** The file of every block that was mined here, since btcd begins regtest anew whenever it is started. */
export class KeptBlocks {
  constructor(private readonly file: string) {}

  /** To be called before a node has the block: a killed sandbox loses none that anybody saw. */
  add(block: Uint8Array): void {
    appendFileSync(this.file, `${Buffer.from(block).toString('hex')}\n`, { mode: 0o600 });
  }

  /**
   * Hands a node all blocks, so that the same chain is the best again. Its blocks come first: who follows the node meanwhile
   * sees it grow, and no chain that it replaced.
   */
  async restore(rpc: BitcoinRpc): Promise<void> {
    if (!existsSync(this.file)) return;
    const text = readFileSync(this.file, 'latin1');
    // What follows the last line break is a block whose writing was cut off: the next one is not written behind it.
    truncateSync(this.file, text.lastIndexOf('\n') + 1);
    const blocks = bestFirst(text.split('\n').slice(0, -1));
    for (let from = 0; from < blocks.length; from += AT_ONCE) {
      const some = blocks.slice(from, from + AT_ONCE);
      await rpc.calls(some.map((hex) => ['submitblock', hex]));
    }
  }
}

/** Blocks of regtest are equal in work: of the longest chains, the one is the best that was there first. */
function bestFirst(blocks: readonly string[]): string[] {
  const heights = new Map<string, number>();
  const chained = blocks.map((hex) => {
    const header = Buffer.from(hex.slice(0, 160), 'hex');
    const [hash, parent] = [shownHash(doubleSha256(header)), shownHash(header.subarray(4, 36))];
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
