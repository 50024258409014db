import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { OutboundWorkers } from './outbound-workers.js';

type Parts = ConstructorParameters<typeof OutboundWorkers>;

afterEach(() => void jest.restoreAllMocks());

describe('The worker of a mined transaction', () => {
  it.each([
    [1, { kind: 'finalized', typicalConfirmations: 600 }],
    [3, { kind: 'finalized', typicalConfirmations: 200 }],
    [30, { kind: 'finalized', typicalConfirmations: 5 }],
    [30, { kind: 'confirmations', confirmations: 6 }],
  ])('checks it in %i of 30 cycles within a minute if the finality is %j', async (expected, finality) => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const asked: boolean[] = [];
    const parts = {
      chainTypes: { outboundNetworks: () => [{ network: 'base', blockSeconds: 2, finality }] },
      leases: {
        acquire: () => Promise.resolve(1n),
        keepDuring: (_lease: string, _holder: string, work: () => Promise<boolean>) => work(),
      },
      sendings: {},
      advance: { advance: async (_network: string, isMinedDue: boolean) => (asked.push(isMinedDue), []) },
      senders: { show: () => Promise.resolve([]) },
      clock: {},
    };
    const workers = new OutboundWorkers(...(Object.values(parts) as unknown as Parts));

    for (; now < 60_000; now += 2_000) await workers.runCycle('base');

    expect(asked).toHaveLength(30);
    expect(asked.filter(Boolean)).toHaveLength(expected);
  });
});
