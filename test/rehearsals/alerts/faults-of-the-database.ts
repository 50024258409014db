import { pause, repeat, type Fault } from './fault.js';
import type { WatchedWorld } from './watched-world.js';

export const postgresEnded: Fault = {
  what: 'PostgreSQL is ended.',
  fires: [
    'PaymentCollectionDatabaseUnreachable',
    'PaymentCollectionNotReady',
    'PaymentCollectionServerErrors',
  ],
  // Until what was missed is read.
  mayFire: ['PaymentCollectionNetworkLagging', 'PaymentCollectionWorkerSilent'],
  async begin(world) {
    await world.endPostgres();
    return () => world.startPostgres();
  },
};

export const lossFound: Fault = {
  what: 'A process reports a loss.',
  fires: ['PaymentCollectionDatabaseWritingStopped'],
  mayFire: [
    'PaymentCollectionNotReady',
    'PaymentCollectionWorkerSilent',
    'PaymentCollectionNetworkLagging',
    'PaymentCollectionNetworkNotWatched',
    'PaymentCollectionServerErrors',
    'PaymentCollectionSubscriberBehind',
    'PaymentCollectionDueWorkOld',
  ],
  async begin(world) {
    const client = await world.connect();
    await client.query(
      `INSERT INTO platform.losses (id, found_by, system_identifier, timeline, reason, missing, sent)
       VALUES (gen_random_uuid(), 'rehearsal', 'rehearsal', 1, 'The rehearsal reports a loss.', '[]', '[]')`,
    );
    return async () => {
      await client.query(
        `UPDATE platform.losses SET recovered_at = clock_timestamp(), recovered_by = 'rehearsal'`,
      );
      await client.end();
    };
  },
};

/** Three times the connections of one process. */
const CLIENTS = 30;

export const poolExhausted: Fault = {
  what: `${CLIENTS} clients list transactions at once, while their table is locked for 250 ms again and again.`,
  fires: ['PaymentCollectionDatabasePoolWaiting'],
  mayFire: ['PaymentCollectionRequestsSlow'],
  async begin(world) {
    const letGo = await lockInTurns(world, 'ledger.transactions IN ACCESS EXCLUSIVE MODE', 250);
    const { api } = world;
    await api.authenticate();
    const list = () => api.get('/v1/transactions?page=1&page_size=5');
    const clients = Array.from({ length: CLIENTS }, () => repeat(list));
    return async () => {
      await Promise.all(clients.map((end) => end()));
      await letGo();
    };
  },
};

export const tableLocked: Fault = {
  what: 'The table of payment requests is locked against writing for 3 s again and again.',
  fires: ['PaymentCollectionRequestsSlow'],
  begin: (world) => lockInTurns(world, 'payments.payment_requests IN SHARE ROW EXCLUSIVE MODE', 3_000),
};

/** Whoever has to wait does so until the turn ends; between two turns those get through that have waited. */
async function lockInTurns(world: WatchedWorld, lock: string, turnMs: number): Promise<() => Promise<void>> {
  const client = await world.connect();
  const end = repeat(async () => {
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${lock}`);
    await pause(turnMs);
    await client.query('COMMIT');
  });
  return async () => {
    await end();
    await client.end();
  };
}
