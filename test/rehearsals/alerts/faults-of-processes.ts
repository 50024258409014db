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
