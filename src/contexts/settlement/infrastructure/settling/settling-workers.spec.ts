import { describe, expect, it } from '@jest/globals';
import type { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { SettlingWorkers } from './settling-workers.js';

type Parts = ConstructorParameters<typeof SettlingWorkers>;

describe('The work on settlements', () => {
  it('plans no run, which requests prices, while no deposit address holds funds', async () => {
    let runs = 0;
    let isAnyWaiting = false;
    const plan = { batches: [], isFull: false, awaitingComparison: [] };
    const parts = {
      policies: { all: () => new Map([['base', { everySeconds: 0, isPaused: false }]]) },
      catalogue: { network: () => ({ blockSeconds: 2 }) },
      leases: {
        acquire: () => Promise.resolve(1n),
        keepDuring: (_lease: string, _holder: string, work: () => Promise<boolean>) => work(),
      },
      batches: { listOpen: () => Promise.resolve([]) },
      runSettlement: {
        run: async () => {
          runs += 1;
          return { plan, setAside: [], refusedFees: [], sent: null };
        },
      },
      advanceBatch: {},
      dueFunds: { isAnyWaiting: () => Promise.resolve(isAnyWaiting) },
    };
    const workers = new SettlingWorkers(...(Object.values(parts) as unknown as Parts));
    const [loop] = (workers as unknown as { loops: readonly LeasedLoop[] }).loops;
    for (let cycle = 0; cycle < 10; cycle += 1) await loop!.runIteration();
    const idleRuns = runs;

    isAnyWaiting = true;
    await loop!.runIteration();

    expect([idleRuns, runs]).toEqual([1, 2]);
  });
});
