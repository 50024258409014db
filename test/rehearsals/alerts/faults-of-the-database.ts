import { pause, repeat, type Fault } from './fault.js';
import { Load } from './load.js';
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

/** Three times the connections of one process. */
const CLIENTS = 30;

export const poolExhausted: Fault = {
  what: `${CLIENTS} clients create requests at once, while a table is locked for 250 ms again and again.`,
  fires: ['PaymentCollectionDatabasePoolWaiting'],
  async begin(world) {
    const letGo = await lockInTurns(world, 250);
    const load = new Load(world);
    const clients = Array.from({ length: CLIENTS }, () => repeat(() => load.create()));
    return async () => {
      await Promise.all(clients.map((end) => end()));
      await letGo();
    };
  },
};

export const tableLocked: Fault = {
  what: 'A table that requests are created in is locked for 3 s again and again.',
  fires: ['PaymentCollectionRequestsSlow'],
  begin: (world) => lockInTurns(world, 3_000),
};

/** Whoever writes waits until the turn ends; between two turns those get through that have waited. */
async function lockInTurns(world: WatchedWorld, turnMs: number): Promise<() => Promise<void>> {
  const client = await world.connect();
  const end = repeat(async () => {
    await client.query('BEGIN');
    await client.query('LOCK TABLE payments.payment_requests IN SHARE ROW EXCLUSIVE MODE');
    await pause(turnMs);
    await client.query('COMMIT');
  });
  return async () => {
    await end();
    await client.end();
  };
}
