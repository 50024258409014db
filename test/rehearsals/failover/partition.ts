import { setTimeout as pause } from 'node:timers/promises';
import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, restoreStandby, startFailoverWorld, type FailoverWorld } from './failover-world.js';
import { demandNothingLost } from './nothing-lost.js';

const CUT_MS = 15_000;
/** A commit that the standby had confirmed before the cut may still be on its way to the client. */
const UNDER_WAY_MS = 1_000;

/** The servers cannot reach each other: first they find together again, then the standby takes over beside the old primary. */
export async function partition(rehearsal: Rehearsal): Promise<void> {
  const world = await startFailoverWorld(rehearsal, 'on');
  const load = CreationLoad.begin(world, 'partition');
  await load.more(20);

  world.pair.partition();
  await silence(world, load);
  world.pair.heal();
  const healed = await load.answersAgain(performance.now());
  rehearsal.step(
    `No packet passes between the servers for ${CUT_MS / 1_000} s: nothing is acknowledged. The cut is healed: the API creates again after ${healed.toFixed(1)} s.`,
  );
  await load.more(20);

  world.pair.loseConfirmations();
  await silence(world, load);
  const promotedAt = performance.now();
  const old = world.pair.primary;
  await failOver(world);
  // The service's connections to the old primary stay: new ones lead to the new primary.
  const again = await load.answersAgain(promotedAt);
  rehearsal.step(
    `The standby gets the log and cannot confirm it. It is promoted while the old primary still runs: the API creates again after ${again.toFixed(1)} s.`,
  );
  await load.more(20);
  await stale(world, old.port, load);
  await old.kill();
  await restoreStandby(world);
  rehearsal.step('The old primary ends, and is made the new one’s standby.');
  await load.more(20);
  await load.end();
  await demandNothingLost(world, load);
}

async function silence({ rehearsal }: FailoverWorld, load: CreationLoad): Promise<void> {
  await pause(UNDER_WAY_MS);
  const from = performance.now();
  await pause(CUT_MS);
  rehearsal.demand(load.since(from) === 0, `nothing is acknowledged meanwhile, not ${load.since(from)}`);
}

/** Demands that nothing is acknowledged which the old primary has stored by itself. */
async function stale({ rehearsal, pair }: FailoverWorld, port: number, load: CreationLoad): Promise<void> {
  const old = pair.standby;
  rehearsal.demand(old.port === port, 'the old primary is the one that was left behind');
  const waiting = await old.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`,
  );
  const [held] = await old.query<{ count: string }>('SELECT count(*) FROM payments.payment_requests');
  const [now] = await pair.primary.query<{ count: string }>('SELECT count(*) FROM payments.payment_requests');
  rehearsal.step(
    `The old primary holds ${waiting[0]!.count} commits that wait, and ${held!.count} requests; the new one ${now!.count}. ${load.acknowledged.length} are acknowledged.`,
  );
}
