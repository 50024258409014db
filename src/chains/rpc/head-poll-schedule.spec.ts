import { describe, expect, it } from '@jest/globals';
import { HeadPollSchedule } from './head-poll-schedule.js';

/** Half a second and the work of a cycle. */
const CYCLE_MS = 540;
/** Cycles are too long to aim within a faster block. */
const FAST_BLOCK_MS = 2_000;

/** Counts the heads requested by a watcher that is awake once per cycle, and how late it sees blocks. */
function watch(configuredMs: number, blockMs: number, publishedAt = 0) {
  const pace = new HeadPollSchedule(configuredMs);
  const delays: number[] = [];
  let [requests, seen] = [0, 0];
  for (let now = 0; now < 3_600_000; now += CYCLE_MS) {
    if (!pace.isDue(now)) continue;
    requests += 1;
    const head = Math.floor((now + blockMs - publishedAt) / blockMs);
    if (head > seen) delays.push(now - (publishedAt + (head - 1) * blockMs));
    seen = head;
    pace.recordHead(now, head);
  }
  return { requestsPerBlock: requests / seen, latestMs: Math.max(...delays.slice(30)) };
}

describe('The pace of a head', () => {
  it.each([
    [12_000, 0],
    [12_000, 7_300],
    [2_000, 0],
    [2_000, 1_700],
  ])('requests little more than one head per block of %i ms, published at %i ms', (blockMs, at) => {
    const { requestsPerBlock, latestMs } = watch(blockMs, blockMs, at);

    expect(requestsPerBlock).toBeLessThan(1.3);
    expect(latestMs).toBeLessThanOrEqual(Math.max(blockMs / 4, FAST_BLOCK_MS) + CYCLE_MS);
  });

  it('follows blocks that come faster than configured', () => {
    const { requestsPerBlock, latestMs } = watch(12_000, 2_000);

    expect(requestsPerBlock).toBeLessThan(1.3);
    // Fewer requests would skip blocks, whose delay is not measured.
    expect(requestsPerBlock).toBeGreaterThan(0.8);
    expect(latestMs).toBeLessThanOrEqual(FAST_BLOCK_MS + CYCLE_MS);
  });

  it('requests no head twice in the time of a fast block', () => {
    expect(watch(250, 250).requestsPerBlock).toBeLessThan(0.6);
  });
});
