import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { openRuns } from './open-runs.js';

export type Runs = Awaited<ReturnType<typeof openRuns>>;

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
