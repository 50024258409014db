import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const DAY_MS = 86_400_000;
/** Each day (UTC) has its own seed, which grows by one from day to day. SEED runs that of another day. */
const SEED = process.env['SEED'] ?? String(Math.floor(Date.now() / DAY_MS));

describe('The simulation', () => {
  it.each([
    ['nearly every act and kind of fault', '12', '1.1', ['--merchants', '10', '--acts', '55', '--cover']],
    ['the seed of the day', SEED, '0.4', ['--merchants', '10', '--acts', '20']],
  ])(
    'finds no violation of the interface contract: %s, seed %s',
    async (_, seed, days, size) => {
      const order = ['--seed', seed, '--days', days, ...size, '--anvil'];
      const run = spawn(process.execPath, ['scripts/simulate.mjs', ...order], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [printed, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);

      const passed = /passed[^]*anvil executed the same \d{2,} transactions with the same results/;
      expect({ status, printed }).toEqual({ status: 0, printed: expect.stringMatching(passed) });
    },
    900_000,
  );
});
