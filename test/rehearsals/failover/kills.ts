import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, restoreStandby, startFailoverWorld } from './failover-world.js';
import { demandNothingLost } from './nothing-lost.js';

const TIMES = Number(process.env['TIMES'] ?? 20);
const ACKNOWLEDGED_BETWEEN = 10;
/** Every second primary dies with its machine: nothing resets its connections, so that only timeouts show its end. */
const WITHOUT_A_WORD_EVERY = 2;
/** Seconds. */
const ANSWERS_WITHIN = 30;

/** The primary is killed again and again; each time the standby takes over, and the former primary is made its standby. */
export async function kills(rehearsal: Rehearsal): Promise<void> {
  const world = await startFailoverWorld(rehearsal, 'on');
  rehearsal.step('Commits wait for the standby. Clients create and pay.');
  const load = CreationLoad.begin(world, 'kills');
  const seconds: { reset: number[]; silent: number[] } = { reset: [], silent: [] };
  for (let time = 1; time <= TIMES; time += 1) {
    await load.more(ACKNOWLEDGED_BETWEEN);
    const isSilent = time % WITHOUT_A_WORD_EVERY === 0;
    if (isSilent) world.way.lose();
    await world.pair.primary.kill();
    const killedAt = performance.now();
    await failOver(world);
    const promoted = (performance.now() - killedAt) / 1_000;
    const back = await load.answersAgain(killedAt);
    seconds[isSilent ? 'silent' : 'reset'].push(back);
    const how = isSilent ? 'and its connections stay open' : 'and its connections are reset';
    rehearsal.step(
      `The primary is killed (${time}), ${how}: promoted after ${promoted.toFixed(1)} s, the API creates again after ${back.toFixed(1)} s.`,
    );
    rehearsal.demand(back <= ANSWERS_WITHIN, `the API creates again within ${ANSWERS_WITHIN} s`);
    await restoreStandby(world);
  }
  await load.end();
  for (const [how, all] of Object.entries(seconds))
    if (all.length > 0)
      rehearsal.step(`Seconds until the API creates again, connections ${how}: ${spread(all)}.`);
  rehearsal.step(`Refusals meanwhile: ${JSON.stringify(Object.fromEntries(load.refusals))}.`);
  await demandNothingLost(world, load);
}

function spread(values: readonly number[]): string {
  const sorted = [...values].sort((a, b) => a - b).map((value) => value.toFixed(1));
  return `least ${sorted[0]}, median ${sorted[Math.floor(sorted.length / 2)]}, most ${sorted.at(-1)}`;
}
