// The sandbox's database lost and restored from a base backup and the archived log: `npm run rehearse -- recovery`. Numbers
// of refunds and of settlements in flight may follow; 20 and 5 unless they do.
import { chmodSync } from 'node:fs';
import { KillableSandbox } from '../faults/killable-sandbox.js';
import type { Order } from '../faults/orders.js';
import { ArchivedPostgres } from './archived-postgres.js';
import { MOMENTS, PaymentsInFlight, reconcile, restoreToMoment } from './payments-in-flight.js';
import { Rehearsal } from './rehearsal.js';
import { RehearsedShop } from './rehearsed-shop.js';

await Rehearsal.run(async (rehearsal) => {
  chmodSync(rehearsal.folder, 0o755);
  const postgres = await ArchivedPostgres.start(rehearsal.folder);
  rehearsal.atEnd(() => postgres.remove());
  const sandbox = await KillableSandbox.start({ DATABASE_URL: postgres.url, PAYMENT_WINDOW_SECONDS: '1800' });
  rehearsal.atEnd(() => sandbox.end());
  const shop = await RehearsedShop.open(rehearsal, sandbox);
  rehearsal.step('The sandbox runs on a PostgreSQL that archives its write-ahead log.');

  const before = [await shop.paid(), await shop.paid(), await shop.paid()];
  let isBackedUp = false;
  const backingUp = postgres.baseBackup().finally(() => (isBackedUp = true));
  const meanwhile: Order[] = [];
  while (!isBackedUp || meanwhile.length < 3) meanwhile.push(await shop.paid());
  const backup = await backingUp;
  const after = [await shop.paid(), await shop.paid(), await shop.paid()];
  const all = [...before, ...meanwhile, ...after];
  await shop.through(all);
  const open = await shop.asked();
  await postgres.archived();
  rehearsal.step(
    `A base backup was made while payments went on: 3 before it, ${meanwhile.length} meanwhile, 3 after it.`,
  );

  await postgres.destroy();
  await shop.pay(open);
  await sandbox.stop();
  rehearsal.step('The database is killed and its disk is gone. An open request is paid after that.');
  await postgres.restore(backup);
  await sandbox.start();
  rehearsal.step('The backup and the whole archive are restored, and the service starts on them.');
  await shop.through([...all, open, await shop.paid()]);
  rehearsal.step(
    'Every payment is there once. The one made meanwhile and a new one are completed and settled.',
  );
  await shop.verify();

  const older = await shop.asked();
  const [now] = await postgres.query<{ moment: string }>('SELECT clock_timestamp()::text AS moment');
  const younger = await shop.paid();
  await shop.pay(older);
  await shop.through([older, younger]);
  await restoreToMoment(sandbox, postgres, backup, now!.moment);
  await reconcile(sandbox, 'gas');
  rehearsal.step('The state of a moment is restored, after which two payments were completed and settled.');
  await shop.through([older, await shop.paid()]);
  const refusal = await shop.statusOf(younger);
  rehearsal.demand(/^No such payment request/.test(refusal), `the younger request is gone: ${refusal}`);
  rehearsal.step(
    `The request that is older is completed from the chain. The younger one is gone: "${refusal}"`,
  );
  await shop.verify();

  const [refunds = 20, batches = 5] = process.argv.slice(2).map(Number);
  const inFlight = await PaymentsInFlight.begin(rehearsal, sandbox, postgres, shop, { refunds, batches });
  for (const moment of MOMENTS) await inFlight.restoredTo(moment, await postgres.baseBackup());
});
