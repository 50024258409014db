import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const DAY_MS = 86_400_000;
/** Each day (UTC) has its own seed, which grows by one from day to day. SEED runs that of another day. */
const SEED = process.env['SEED'] ?? String(Math.floor(Date.now() / DAY_MS));

describe('The simulation', () => {
  it(`finds no violation of the interface contract with seed ${SEED}`, async () => {
    const size = ['--days', '0.2', '--merchants', '10', '--acts', '60', '--cover'];
    const order = ['--seed', SEED, ...size, '--anvil'];
    const run = spawn(process.execPath, ['scripts/simulate.mjs', ...order], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);

    const passed = /passed[^]*anvil executed the same \d{2,} transactions with the same results/;
    expect({ status, printed }).toEqual({ status: 0, printed: expect.stringMatching(passed) });
  }, 900_000);
});
