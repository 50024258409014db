import { beforeEach, describe, expect, it } from '@jest/globals';
import { PrimaryWalSampler } from './primary-wal-sampler.js';

/** The answer that the simulated primary gives next. */
let primary: { position: string; timeline: string; system_identifier: string };
let now: number;
let log: PrimaryWalSampler;

async function sampled(at: number, position: string): Promise<void> {
  [now, primary.position] = [at, position];
  await log.samplePosition();
}

beforeEach(() => {
  primary = { position: '0', timeline: '1', system_identifier: '7' };
  const query = async () => ({ rows: [{ ...primary }] });
  log = new PrimaryWalSampler({ query }, 1_000, () => now);
});

describe('The age of a standby', () => {
  beforeEach(async () => {
    for (const [at, position] of [
      [0, '100'],
      [1_000, '200'],
      [2_000, '200'],
      [3_000, '300'],
    ] as const)
      await sampled(at, position);
    now = 3_500;
  });

  it.each([
    [301, 500],
    [300, 500],
    [299, 1_500],
    [199, 3_500],
    [99, Infinity],
  ])('is the time since the primary was at the same position: %d, %d ms', (replayed, age) => {
    expect(log.ageOf(BigInt(replayed))).toBe(age);
  });

  it('is unknown beyond ten minutes', async () => {
    await sampled(601_500, '400');

    expect([log.ageOf(199n), log.ageOf(200n)]).toEqual([Infinity, 599_500]);
  });

  it('is unknown for positions of another timeline', async () => {
    primary.timeline = '2';
    await sampled(4_000, '150');

    expect([log.ageOf(149n), log.ageOf(150n), log.primaryIdentity?.timeline]).toEqual([Infinity, 0, 2]);
  });
});
