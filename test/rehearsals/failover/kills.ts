import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, restoreStandby, startFailoverWorld } from './failover-world.js';
import { demandNothingLost } from './nothing-lost.js';

const TIMES = Number(process.env['TIMES'] ?? 20);
const MAX_SECONDS = 30;

/** The primary is killed again and again; each time the standby takes over, and the former primary is made its standby. */
export async function kills(rehearsal: Rehearsal): Promise<void> {
  const world = await startFailoverWorld(rehearsal);
  rehearsal.step('Commits wait for the standby. Clients create and pay.');
  const load = CreationLoad.begin(world, 'kills');
  for (let time = 1; time <= TIMES; time += 1) {
    await load.more(10);
    // As if its machine had lost its power: nothing resets its connections.
    const isSilent = time % 2 === 0;
    if (isSilent) world.way.lose();
    await world.pair.primary.kill();
    const killedAt = performance.now();
    await failOver(world);
    const promoted = (performance.now() - killedAt) / 1_000;
    const back = await load.answersAgain(killedAt);
    const how = isSilent ? 'and its connections stay open' : 'and its connections are reset';
    rehearsal.step(
      `The primary is killed (${time}), ${how}: promoted after ${promoted.toFixed(1)} s, the API creates again after ${back.toFixed(1)} s.`,
    );
    rehearsal.demand(back <= MAX_SECONDS, `the API creates again within ${MAX_SECONDS} s`);
    await restoreStandby(world);
  }
  await load.end();
  rehearsal.step(`Refusals meanwhile: ${JSON.stringify(Object.fromEntries(load.refusals))}.`);
  await demandNothingLost(world, load);
}
