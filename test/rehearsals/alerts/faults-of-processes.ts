import { truncateSync } from 'node:fs';
import { pause, repeat, until, type Fault } from './fault.js';
import type { WatchedWorld } from './watched-world.js';

export const apiEnded: Fault = {
  what: 'The API process is ended.',
  fires: ['PaymentCollectionApiDown'],
  async begin(world) {
    await world.endProcess('api');
    return () => world.startProcess('api');
  },
};

/** A process whose computing never lets it answer is stopped for so many milliseconds of each second. */
const HELD_MS = 650;

export const eventLoopHeld: Fault = {
  what: `The API process is held by SIGSTOP for ${HELD_MS} ms of each second.`,
  fires: ['PaymentCollectionEventLoopSlow'],
  async begin(world) {
    const { pid } = world.processes.get('api')!;
    return repeat(async () => {
      process.kill(pid, 'SIGSTOP');
      await pause(HELD_MS);
      process.kill(pid, 'SIGCONT');
      await pause(1_000 - HELD_MS);
    });
  },
};

/** The rule asks for 300 seconds of age. */
const MOVED_BACK_SECONDS = 301;

export const workerEnded: Fault = {
  what: `The only worker process is ended, and due work that waits for it is dated ${MOVED_BACK_SECONDS} s back.`,
  fires: [
    'PaymentCollectionWorkerDown',
    'PaymentCollectionWorkerSilent',
    'PaymentCollectionSubscriberBehind',
    'PaymentCollectionDueWorkOld',
  ],
  mayFire: [
    'PaymentCollectionNotReady',
    'PaymentCollectionNetworkNotWatched',
    'PaymentCollectionNetworkLagging',
    'PaymentCollectionServerErrors',
  ],
  async begin(world) {
    await leaveDeliveries(world);
    await world.endProcess('worker');
    await world.query('UPDATE platform.due_work SET due_at = platform.now() - make_interval(secs => $1)', [
      MOVED_BACK_SECONDS,
    ]);
    return () => world.startProcess('worker');
  },
};

/** A receiver that fails once leaves deliveries that are to be tried again. */
async function leaveDeliveries(world: WatchedWorld): Promise<void> {
  const { receiver } = world;
  receiver.answer = (_, response) => response.writeHead(500).end();
  await until('a delivery is to be tried again', async () => {
    const again = `SELECT 1 FROM platform.due_work WHERE kind = 'webhook_delivery' AND attempt > 0`;
    return (await world.query(again)).length > 0;
  });
  receiver.answer = (_, response) => response.end();
}

/** The rule warns two weeks before. */
const LEFT_MS = 10 * 86_400_000;
/** The API is away for a moment, to begin with other settings. */
const WHILE_IT_STARTS = ['PaymentCollectionApiDown'];

export const signingKeyEnds: Fault = {
  what: 'The API runs with a NASPIP key that expires in ten days, and with no other.',
  fires: ['PaymentCollectionSigningKeysEnd'],
  mayFire: WHILE_IT_STARTS,
  async begin(world) {
    await world.endProcess('api');
    await world.startProcess('api', { NASPIP_KEY_EXPIRES_AT: new Date(Date.now() + LEFT_MS).toISOString() });
    return () => world.restartProcess('api');
  },
};

export const signingKeysFileBroken: Fault = {
  what: 'The API runs with a file of signing keys, which is then cut off in the middle.',
  fires: ['PaymentCollectionSigningKeysNotRead'],
  mayFire: WHILE_IT_STARTS,
  async begin(world) {
    const path = await world.importSigningKeys();
    await world.endProcess('api');
    const fixed = ['TOKEN_SIGNING_KEYS', 'NASPIP_KEY_ID', 'NASPIP_SECRET_KEY', 'NASPIP_KEY_EXPIRES_AT'];
    const without = Object.fromEntries(fixed.map((name) => [name, '']));
    await world.startProcess('api', { ...without, SIGNING_KEYS_FILE: path });
    truncateSync(path, 40);
    return () => world.restartProcess('api');
  },
};
