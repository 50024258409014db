import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';

const DAY_MS = 86_400_000;
/** Each day (UTC) has its own seed, which grows by one from day to day. SEED runs that of another day. */
const SEED = process.env['SEED'] ?? String(Math.floor(Date.now() / DAY_MS));

it.each([
  // A small run whose history is known to be as it may be.
  ['12', '--merchants', '10', '--acts', '6'],
  [SEED, '--merchants', '40', '--acts', '4'],
])(
  'finds no breach of the interface contract in two simulated days with faults, seed %s',
  async (seed, ...size) => {
    const order = ['--seed', seed, '--days', '2', ...size, '--anvil'];
    const run = spawn(process.execPath, ['scripts/simulate.mjs', ...order], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [status]] = await Promise.all([text(run.stdout), once(run, 'exit')]);

    const asItMayBe = /as it may be[^]*anvil has done the same in \d{2,} transactions/;
    expect({ status, printed }).toEqual({ status: 0, printed: expect.stringMatching(asItMayBe) });
  },
  900_000,
);
