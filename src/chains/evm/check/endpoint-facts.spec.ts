import { describe, expect, it } from '@jest/globals';
import { type EndpointFacts, endpointFindings } from './endpoint-facts.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';

const NOW = new Date('2026-01-02T03:04:05Z');
const network = { maxLagSeconds: 300 } as NetworkConfiguration;
const ago = (seconds: number) => ({
  answer: { number: 500, time: new Date(NOW.getTime() - seconds * 1_000) },
});
const well: EndpointFacts = {
  head: ago(3),
  finalized: { answer: 436 },
  balanceByHash: { answer: 0n },
  balanceBack: { answer: 0n },
  batch: { answer: true },
  logRange: { widest: 10_000 },
};

const judged = (facts: EndpointFacts) =>
  endpointFindings('endpoint 1 (node)', network, facts, NOW).filter(({ verdict }) => verdict !== 'ok');

describe('Judging an endpoint', () => {
  it('finds no problem if the endpoint can do everything', () => {
    expect(judged(well)).toEqual([]);
    expect(judged({ ...well, safe: { answer: 470 }, logRange: { widest: 100 } })).toEqual([]);
    expect(endpointFindings('endpoint 1 (node)', network, well, NOW)).toHaveLength(6);
    expect(endpointFindings('endpoint 1 (node)', network, well, NOW)[1]?.says).toContain('64 behind');
  });

  it('accepts a head that is as old as the network may lag, and no older', () => {
    expect(judged({ ...well, head: ago(300) })).toEqual([]);
    expect(judged({ ...well, head: ago(301) })).toMatchObject([{ check: 'head', verdict: 'wrong' }]);
  });

  const refused = 'not here';
  it.each<[string, Partial<EndpointFacts>, object]>([
    ['no head', { head: { refused } }, { check: 'head', verdict: 'wrong' }],
    ['no finalized tag', { finalized: { refused } }, { check: 'finality', verdict: 'wrong' }],
    ['no safe tag', { safe: { refused } }, { check: 'safe blocks', verdict: 'warning' }],
    ['nothing safe yet', { safe: { answer: null } }, { check: 'safe blocks', verdict: 'warning' }],
    ['nothing finalized yet', { finalized: { answer: null } }, { check: 'finality', verdict: 'warning' }],
    [
      'no balances by block hash',
      { balanceByHash: { refused } },
      { check: 'balances by block hash', verdict: 'wrong' },
    ],
    ['little state', { balanceBack: { refused } }, { check: 'state depth', verdict: 'warning' }],
    ['no batches', { batch: { refused } }, { check: 'batches', verdict: 'warning' }],
    ['no ranges of logs', { logRange: { widest: 0, refused } }, { check: 'log ranges', verdict: 'warning' }],
    [
      'narrow ranges of logs',
      { logRange: { widest: 10, refused } },
      { check: 'log ranges', verdict: 'warning' },
    ],
  ])('finds a problem, and says what to do: %s', (_, changes, finding) => {
    expect(judged({ ...well, ...changes })).toEqual([
      expect.objectContaining({ ...finding, about: 'endpoint 1 (node)', todo: expect.any(String) }),
    ]);
  });
});
