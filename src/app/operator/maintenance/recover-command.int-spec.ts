import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChainTypes } from '#contexts/networks/application/chain-types.js';
import { ShowSenders } from '#contexts/networks/application/outbound/show-senders.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { SingleCommand } from '../testing/lone-command.js';
import { NetworkWorld } from '../testing/network-world.js';
import { acceptLostCommitsCommand } from './recover-command.js';

let world: NetworkWorld;
beforeAll(async () => void (world = await NetworkWorld.open(['http://127.0.0.1:1'])));
afterAll(() => world.close());

const HASH = `0x${'ab'.repeat(32)}`;

async function lose(): Promise<void> {
  const sent = [
    { kind: 'webhook', id: newId(), to: 'shop.example', at: '2026-01-01T00:00:00.000Z' },
    { kind: 'transaction', id: HASH, to: 'polygon', at: '2026-01-01T00:00:01.000Z' },
  ];
  await world.platform.database.query(
    `INSERT INTO platform.losses (id, found_by, system_identifier, timeline, reason, missing, sent)
     VALUES ($1, 'worker', '7', 2, 'The database lacks 3 rows.', '[]', $2)`,
    // Includes one transaction twice, because it is broadcast repeatedly until it is mined.
    [newId(), JSON.stringify([...sent, sent[1]])],
  );
}

describe('The command "events retry"', () => {
  it('retries only the events of its subscriber', async () => {
    const { database } = world.platform;
    for (const subscriber of ['ledger', 'webhooks'])
      await database.query(
        `INSERT INTO platform.parked_events (subscriber, event_id, aggregate_id, reason) VALUES ($1, $2, $2, 'made up')`,
        [subscriber, newId()],
      );

    const { data } = await world.runJson<{ retried: number }>('events', 'retry', 'ledger');
    const parked = await database.query('SELECT subscriber, retry FROM platform.parked_events ORDER BY 1');
    await database.query('DELETE FROM platform.parked_events');

    expect(data).toEqual({ retried: 1 });
    expect(parked).toEqual([
      { subscriber: 'ledger', retry: true },
      { subscriber: 'webhooks', retry: false },
    ]);
  });
});

interface Recovered {
  losses: { reason: string }[];
  sent_and_not_stored: { kind: string; id: string; to: string }[];
  held_senders: object[];
}

describe('A loss of committed data', () => {
  it('stops other writing commands until "recover" accepts it and shows what was sent', async () => {
    await lose();

    const refused = await world.run('events', 'retry', 'ledger');
    const shown = await world.runJson<Recovered>('recover', '--show');
    const unconfirmed = await world.run('recover');
    const stillOpen = await world.run('events', 'retry', 'ledger');
    const { data } = await world.runJson<Recovered>('recover', '--yes');
    const after = await world.run('events', 'retry', 'ledger');

    expect([refused.status, refused.err]).toEqual([
      1,
      expect.stringContaining('does not accept changes now'),
    ]);
    expect(data).toEqual(shown.data);
    expect(data.losses).toMatchObject([{ reason: 'The database lacks 3 rows.' }]);
    expect(data.sent_and_not_stored).toMatchObject([
      { kind: 'webhook', to: 'shop.example' },
      { kind: 'transaction', id: HASH, to: 'polygon' },
    ]);
    expect([unconfirmed.status, unconfirmed.err]).toEqual([
      2,
      expect.stringContaining('2 webhooks and transactions'),
    ]);
    expect([stillOpen.status, after.status]).toEqual([1, 0]);
    expect((await world.runJson<Recovered>('recover', '--show')).data.sent_and_not_stored).toEqual([]);
    const rows = await world.platform.database.rows(
      `SELECT outcome, command FROM platform.operator_actions WHERE command = 'recover'`,
    );
    expect(rows).toEqual([{ outcome: 'done', command: 'recover' }]);
  });

  it('stays open if it was found after "recover" had displayed another one', async () => {
    const { database } = world.platform;
    await lose();
    const meanwhile = {
      query: (sql: string, values?: unknown[]) => database.query(sql, values),
      async rows(sql: string) {
        const shown = await database.rows(sql);
        await lose();
        return shown;
      },
    };

    await new SingleCommand([acceptLostCommitsCommand], 'recover', [
      [Database, meanwhile],
      [ChainTypes, { outboundNetworks: () => [] }],
      [RefundFloats, { list: async () => [] }],
      [ShowSenders, { show: async () => [] }],
      [Clock, { now: async () => new Date(0) }],
    ]).run({});

    const open = 'SELECT reason FROM platform.losses WHERE recovered_at IS NULL';
    expect(await database.rows(open)).toHaveLength(1);
  });
});
