import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { StubChain, WatchedDatabase } from './watcher-world.js';

let chain: StubChain;
let small: WatchedDatabase;
beforeAll(async () => {
  chain = await StubChain.open({ blocks: 500, logs: 200, paid: 2, calls: 150 });
  small = await WatchedDatabase.open(chain, 10_000, { confirmations: 12 });
}, 120_000);
afterAll(async () => { await small?.close(); chain?.close(); }, 60_000);

describe('x', () => {
  it('y', async () => {
    for (let i = 0; i < 4; i += 1) for (const n of [5, 10, 25, 50, 100, 200]) {
      await chain.moveTo(500);
      const b = await chain.fetch(500, 10_000, { atATime: n, byHash: false });
      const r = await small.read(500, n);
      process.stdout.write(`${n}: bare ${b.ms.toFixed(0)} cpu ${b.cpuMs.toFixed(0)}  read ${r.ms.toFixed(0)} cpu ${r.cpuMs.toFixed(0)} ratio ${(b.cpuMs/r.cpuMs).toFixed(2)}\n`);
    }
  }, 300_000);
});
