import { setTimeout as pause } from 'node:timers/promises';
import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, restoreStandby, startFailoverWorld } from './failover-world.js';
import { demandNothingLost } from './nothing-lost.js';

const DELAY_MS = 10_000;
const HELD_MS = 12_000;

/** A standby that has the log and applies it late, or not at all. */
export async function lag(rehearsal: Rehearsal): Promise<void> {
  const world = await startFailoverWorld(rehearsal, 'on');
  const { pair } = world;
  const load = CreationLoad.begin(world, 'lag');
  await load.more(20);

  await pair.standby.set({ recovery_min_apply_delay: `${DELAY_MS}ms` });
  await load.more(60);
  await pause(DELAY_MS);
  await load.more(20);
  await pair.primary.kill();
  const killedAt = performance.now();
  await failOver(world);
  const late = await load.answersAgain(killedAt);
  rehearsal.step(
    `The standby applies what is ${DELAY_MS / 1_000} s old, commits wait for its disk alone. The primary is killed: the API creates again after ${late.toFixed(1)} s.`,
  );
  await restoreStandby(world, 'remote_apply');
  await pair.primary.set({ recovery_min_apply_delay: '0' });
  await pair.standby.set({ recovery_min_apply_delay: '0' });
  await load.more(20);

  await pair.standby.query('SELECT pg_wal_replay_pause()');
  await pause(1_000);
  const from = performance.now();
  await pause(HELD_MS);
  rehearsal.demand(
    load.since(from) === 0,
    `nothing is acknowledged that is not applied, not ${load.since(from)}`,
  );
  await pair.primary.kill();
  const killedAgain = performance.now();
  await failOver(world);
  const paused = await load.answersAgain(killedAgain);
  rehearsal.step(
    `With remote_apply and a replay that is paused for ${HELD_MS / 1_000} s nothing is acknowledged. The primary is killed: the API creates again after ${paused.toFixed(1)} s.`,
  );
  await restoreStandby(world);
  await load.more(20);
  await load.end();
  await demandNothingLost(world, load);
}
