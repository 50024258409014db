// One payment in the configuration of production, in an empty folder: `npm run rehearse -- production`.
import { collectOnePayment } from './one-payment.js';
import { startProductionWorld } from './production-world.js';
import { Rehearsal } from './rehearsal.js';

await Rehearsal.run(async (rehearsal) => {
  await collectOnePayment(rehearsal, await startProductionWorld(rehearsal, { apis: 1 }));
});
