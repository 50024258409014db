import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { openRuns } from './open-runs.js';

export type Runs = Awaited<ReturnType<typeof openRuns>>;

/**
 * Opens one database for the spec file. After each test, all settlement invariants must hold.
 * @param use receives the runs before the first test
 */
export function withRuns(use: (runs: Runs) => void): void {
  let runs: Runs;
  beforeAll(async () => {
    runs = await openRuns();
    use(runs);
  });
  afterEach(async () => {
    expect(await runs.breaches()).toEqual([]);
    await runs.clear();
  });
  afterAll(() => runs.close());
}
