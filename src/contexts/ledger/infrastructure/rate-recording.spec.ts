import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Leases } from '#shared/platform/leases/leases.js';
import type { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import type { RecordRates } from '../application/record-rates.js';
import { RateRecording } from './rate-recording.js';

/**
 * Returns the number of warnings logged.
 * @param known for each recording cycle, whether the sources have a price
 */
async function warningsOf(...known: boolean[]): Promise<number> {
  let warnings = 0;
  Logger.overrideLogger({ warn: () => (warnings += 1), log: () => undefined, error: () => undefined });
  const leases = {
    acquire: async () => 1n,
    keepDuring: (_lease: string, _holder: string, work: () => Promise<boolean>) => work(),
  } as unknown as Leases;
  const record = {
    record: async () => [{ symbol: 'USDC', currency: 'EUR', isKnown: known.shift()! }],
  } as unknown as RecordRates;
  const { loops } = new RateRecording(record, leases) as unknown as { loops: readonly LeasedLoop[] };
  while (known.length > 0) await loops[0]!.runIteration();
  return warnings;
}

describe('The recording of rates', () => {
  it('warns once of a missing rate, and again if it is missing after it was recorded', async () => {
    expect(await warningsOf(false, false)).toBe(1);
    expect(await warningsOf(false, true, false, false)).toBe(2);
  });
});
