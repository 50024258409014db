import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { doubleSha256 } from '#chains/bitcoin/encoding/wire-bytes.js';
import type { BitcoinCall, BitcoinRpc } from './bitcoin-rpc.js';
import { KeptBlocks } from './kept-blocks.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'blocks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The file of blocks of the sandbox', () => {
  it('continues behind the last complete block when a write was cut off', async () => {
    const file = join(folder, 'blocks');
    const kept = new KeptBlocks(file);
    const handed: BitcoinCall[] = [];
    const calls = (some: readonly BitcoinCall[]) => Promise.resolve(void handed.push(...some));
    const node = { calls } as unknown as BitcoinRpc;
    kept.add(Buffer.from('aa', 'hex'));
    appendFileSync(file, 'bbc');
    await kept.restore(node);
    kept.add(Buffer.from('dd', 'hex'));
    await kept.restore(node);

    expect(handed.map(([, hex]) => hex)).toEqual(['aa', 'aa', 'dd']);
  });

  it('returns the blocks of the best chain first, and replaced blocks after them', async () => {
    const kept = new KeptBlocks(join(folder, 'blocks'));
    const handed: BitcoinCall[] = [];
    const calls = (some: readonly BitcoinCall[]) => Promise.resolve(void handed.push(...some));
    const block = (on: Buffer, mark: number) => Buffer.concat([Buffer.alloc(4), on, Buffer.alloc(44, mark)]);
    const [first, replaced, tie] = [
      block(Buffer.alloc(32), 1),
      block(Buffer.alloc(32), 2),
      Buffer.alloc(80, 4),
    ];
    const second = block(doubleSha256(first), 3);
    const later = block(doubleSha256(replaced), 5);
    for (const each of [replaced, first, second, later, tie]) kept.add(each);
    await kept.restore({ calls } as unknown as BitcoinRpc);

    expect(handed.map(([, hex]) => hex)).toEqual(
      [first, second, replaced, later, tie].map((each) => each.toString('hex')),
    );
  });
});
