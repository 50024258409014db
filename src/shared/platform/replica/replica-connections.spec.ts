import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { PrimaryWalSampler } from './primary-wal-sampler.js';
import { ReplicaConnections } from './replica-connections.js';

/** The answer of a simulated standby. test/long/read-replica.e2e.ts tests two real PostgreSQL servers. */
let standby: Record<string, unknown>;
let released: boolean[];
let asked: number;
let now: number;
let primary: PrimaryWalSampler;
let connections: ReplicaConnections;

beforeEach(async () => {
  [now, asked, released] = [0, 0, []];
  standby = { is_standby: true, position: '100', first_open: '51', system_identifier: '7', timeline: 3 };
  const answer = { position: '100', timeline: '3', system_identifier: '7' };
  const query = async () => ({ rows: [answer] });
  primary = new PrimaryWalSampler({ query }, 1_000, () => now);
  await primary.samplePosition();
  const client = {
    query: async () => {
      asked += 1;
      return { rows: [standby] };
    },
    release: (isBroken = false) => released.push(isBroken),
  };
  const pool = { connect: async () => client as unknown as PoolClient };
  connections = new ReplicaConnections(pool as unknown as Pool, primary, 10_000, () => now);
});

const taken = async (transaction?: bigint, timeline = 3) => {
  const given = await connections.takeConnection(
    transaction === undefined ? undefined : { timeline, transaction },
  );
  return typeof given === 'string' ? given : 'taken';
};
/** Advances the time with each reading of the clock, so that a wait ends soon. */
const letTimePass = () => {
  let time = now;
  Object.defineProperty(connections, 'now', { value: () => (time += 500) });
};

describe('A connection to the replica', () => {
  it('is used while the lag of its server is within the limit', async () => {
    now = 10_000;
    expect([await taken(), connections.lastAge]).toEqual(['taken', 10_000]);

    now = 10_001;
    expect([await taken(), connections.lastAge, released]).toEqual(['behind', 10_001, [false]]);
  });

  it('is used once the write of the caller and all earlier ones are visible', async () => {
    expect(await taken(50n)).toBe('taken');

    letTimePass();
    expect(await taken(51n)).toBe('after_write');
  });

  it('waits for that write without holding a connection', async () => {
    const waiting = taken(51n);
    await new Promise((resolve) => setTimeout(resolve, 60));
    standby['first_open'] = '52';

    expect(await waiting).toBe('taken');
    expect(released.length).toBe(asked - 1);
  });

  it.each([
    ['is no standby', { is_standby: false }],
    ['is of another server', { system_identifier: '8' }],
    ['is on another timeline', { timeline: 2 }],
  ])('is not used if its server %s', async (_, what) => {
    Object.assign(standby, what);

    expect(await taken()).toBe('not_following');
  });

  it.each([2, 4])(
    'is not queried after a write of timeline %d while the primary is on 3',
    async (timeline) => {
      expect([await taken(1n, timeline), asked]).toEqual(['after_write', 0]);
    },
  );

  it('is queried again if the last answer is older than half a second', async () => {
    for (now of [0, 400, 501]) await taken();

    expect(asked).toBe(2);
  });
});
