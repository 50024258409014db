import { KillableSandbox } from '../../faults/killable-sandbox.js';
import type { Rehearsal } from '../rehearsal.js';
import { RehearsedShop } from '../rehearsed-shop.js';
import { CreationLoad } from './creation-load.js';
import { demandNothingLost } from './nothing-lost.js';
import { PatroniCluster } from './patroni-cluster.js';

const TIMES = Number(process.env['TIMES'] ?? 3);
/** Seconds. */
const ANSWERS_WITHIN = 30;

/** The leader's machine is gone, and Patroni decides by itself who takes over. */
export async function patroni(rehearsal: Rehearsal): Promise<void> {
  const cluster = await PatroniCluster.start(rehearsal);
  rehearsal.step('Patroni runs three members with a synchronous standby; HAProxy leads to the leader.');
  const sandbox = await KillableSandbox.start({ DATABASE_URL: cluster.url, PAYMENT_WINDOW_SECONDS: '1800' });
  rehearsal.atEnd(() => sandbox.end());
  const shop = await RehearsedShop.open(rehearsal, sandbox);
  const world = {
    rehearsal,
    sandbox,
    shop,
    query: <Row extends object>(text: string) => cluster.query<Row>('payments', text),
  };
  const load = CreationLoad.begin(world, 'patroni');
  for (let time = 1; time <= TIMES; time += 1) {
    await load.more(20);
    const start = await cluster.killLeader();
    const killedAt = performance.now();
    const back = await load.answersAgain(killedAt);
    rehearsal.step(
      `The leader and its Patroni are killed (${time}): the API creates again after ${back.toFixed(1)} s.`,
    );
    rehearsal.demand(back <= ANSWERS_WITHIN, `the API creates again within ${ANSWERS_WITHIN} s`);
    await start();
    await cluster.synchronous();
  }
  await load.end();
  rehearsal.step(`Refusals meanwhile: ${JSON.stringify(Object.fromEntries(load.refusals))}.`);
  await demandNothingLost(world, load);
}
