// Two API and two worker processes behind PgBouncer, restarted one by one under load: `npm run rehearse -- replicas`.
import type { RunningChild } from '#sandbox/processes/child-process.js';
import { eventually } from '../support/eventually.js';
import { startPooler } from './pooler.js';
import { startProductionWorld } from './production-world.js';
import { Rehearsal } from './rehearsal.js';

const UNITS = 12_500_000n;
/** Payment requests begun in a second. */
const RATE = 10;
/** One in so many is paid: each is a transaction of one wallet. */
const PAID_EVERY = 5;

await Rehearsal.run(async (rehearsal) => {
  const { service, publicUrl, httpPorts, token, wallet, openShop } = await startProductionWorld(rehearsal, {
    apis: 2,
    way: async (database) => ({
      DATABASE_URL: await startPooler(rehearsal, database),
      DATABASE_POOLER: 'transaction',
    }),
  });
  const apis = await Promise.all(httpPorts.map((port) => service.startApi(port)));
  const workers = [await service.startWorker(), await service.startWorker()];
  rehearsal.step('Two API and two worker processes run behind PgBouncer, in transaction mode.');

  const shop = await openShop();
  const [failures, paid]: [string[], { id: string }[]] = [[], []];
  const open: Promise<void>[] = [];
  let [begun, isLoaded] = [0, true];
  const one = async (n: number) => {
    try {
      const request = await shop.request(`order-${n}`);
      await shop.statusOf(request);
      if (n % PAID_EVERY !== 0) return;
      await wallet.send(token, request.address, UNITS);
      paid.push(request);
    } catch (error) {
      failures.push(`order-${n}: ${(error as Error).message}`);
    }
  };
  const load = (async () => {
    while (isLoaded) {
      open.push(one(begun++));
      await new Promise((resolve) => setTimeout(resolve, 1_000 / RATE));
    }
    await Promise.all(open);
  })();
  await eventually(() => begun >= 5 * RATE);
  rehearsal.step(`${RATE} payment requests a second are created and read through ${publicUrl}.`);

  const end = (child: RunningChild) => child.end('SIGTERM', 30_000);
  for (const n of [0, 1]) {
    await end(workers[n]!);
    workers[n] = await service.startWorker();
    await end(apis[n]!);
    apis[n] = await service.startApi(httpPorts[n]!);
    const from = begun;
    await eventually(() => begun >= from + 5 * RATE);
    rehearsal.step(`Worker and API ${n + 1} were ended by SIGTERM and started again.`);
  }
  isLoaded = false;
  await load;
  rehearsal.demand(failures.length === 0, `no request fails: ${failures.join('; ')}`);
  rehearsal.step(`${begun} payment requests were created and read, none failed; ${paid.length} were paid.`);

  for (const request of paid)
    await eventually(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        return shop.statusOf(request);
      },
      (status) => status === 'completed',
      180_000,
    );
  rehearsal.step('Each of those is completed.');
  const total = await shop.posted();
  rehearsal.demand(total === paid.length, `${paid.length} payments in the ledger, not ${total}`);
  rehearsal.step(`The ledger has each once: ${total} transactions of payments.`);
  rehearsal.step(`\`verify\`: all ${await service.verified()} invariants hold.`);
});
