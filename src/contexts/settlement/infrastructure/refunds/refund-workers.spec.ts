import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import type { Leases } from '#shared/platform/leases/leases.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { MerchantRefundUpdate } from '../../application/refunds/track-merchant-refunds.js';
import { RefundWorkers } from './refund-workers.js';

const NETWORKS = [
  { network: 'float', deliversDirectly: false },
  { network: 'wallet', deliversDirectly: true },
];
/** Steps of the workers, with their networks, in the order in which they ran. */
const done: string[] = [];
let looked: object[] = [];
let follows: Partial<MerchantRefundUpdate['refund'] & { unavailable: string }>[] = [];

const step = (name: string, result: unknown) => ({
  [name.split(' ')[0]!]: async (network = '') => {
    done.push(`${name} ${network}`.trim());
    return result;
  },
});
const look = {
  isDue: () => true,
  expectBalanceChange: () => undefined,
  check: async (network: string) => {
    done.push(`look ${network}`);
    return looked;
  },
};
const follow = {
  track: async (network: string) => {
    done.push(`follow ${network}`);
    return follows.map(({ unavailable = null, ...refund }) => ({ refund, unavailable }));
  },
};
const leases = {
  acquire: async (lease: string) => {
    done.push(`lease ${lease}`);
    return 1n;
  },
  keepDuring: (_lease: string, _holder: string, work: () => Promise<boolean>) => work(),
} as unknown as Leases;

function loops(): readonly LeasedLoop[] {
  const catalogue = { networks: () => NETWORKS } as unknown as NetworkCatalogue;
  const steps = [
    step('assign', []),
    step('advance', []),
    look,
    step('cancel reversed', undefined),
    step('expire', false),
    follow,
  ];
  const workers = new RefundWorkers(...([catalogue, leases, ...steps] as unknown as RefundWorkerParts));
  return (workers as unknown as { loops: readonly LeasedLoop[] }).loops;
}
type RefundWorkerParts = ConstructorParameters<typeof RefundWorkers>;

beforeEach(() => {
  done.length = 0;
  follows = [];
  looked = [];
  const log = (level: string) => (line: { reason?: string }) =>
    done.push(`${level} ${line.reason ?? ''}`.trim());
  Logger.overrideLogger({ log: log('log'), warn: log('warn'), error: log('error') });
});

describe('The work on refunds', () => {
  it('pays from refund floats and checks them, or follows merchant wallets, with separate leases per network', async () => {
    for (const loop of loops()) await loop.runIteration();

    expect(done).toEqual([
      ...[
        'lease paying refunds on float',
        'assign float',
        'cancel reversed float',
        'advance float',
        'expire',
      ],
      ...['lease looking at refund floats on float', 'look float'],
      ...['lease following refunds on wallet', 'follow wallet'],
    ]);
  });

  it('logs an unknown balance once, and again if it was known in between', async () => {
    const looking = loops()[1]!;
    const turn = async (...found: object[]) => {
      done.length = 0;
      looked = found;
      await looking.runIteration();
      return done.slice(2);
    };
    const float = { network: 'float', address: '0xf', organizationId: 'shop' };
    const unsure = { float, holding: 'native', says: 'They differ.' };

    const logged = [await turn(unsure), await turn(unsure), await turn(), await turn(unsure)];

    expect(logged).toEqual([['error They differ.'], [], [], ['error They differ.']]);
  });

  it('logs once per reason why a refund is not found, and logs when this ends', async () => {
    const following = loops().at(-1)!;
    const turn = async (...refunds: typeof follows) => {
      done.length = 0;
      follows = refunds;
      await following.runIteration();
      return done.slice(2);
    };
    const one = { id: 'one', status: 'processing' as const };

    expect(await turn({ ...one, unavailable: 'away' })).toEqual(['warn away']);
    expect(await turn({ ...one, unavailable: 'away' })).toEqual([]);
    expect(await turn({ ...one, unavailable: 'lagging' })).toEqual(['warn lagging']);
    expect(await turn({ ...one, status: 'failed', failure: 'pays less' })).toEqual(['warn pays less']);
    expect(await turn({ id: 'two', status: 'completed' })).toEqual(['log']);
  });
});
