import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../support/eventually.js';
import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, restoreStandby, startFailoverWorld } from './failover-world.js';
import { demandNothingLost } from './nothing-lost.js';

const CLIENTS = 3;
/** Longer than `statement_timeout` and the driver's own. */
const TIMED_OUT_MS = 14_000;

const WAITING = `FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;

/** Commits that wait for a standby which does not answer, and are cancelled: each is stored on the primary alone. */
export async function cancelled(rehearsal: Rehearsal): Promise<void> {
  const world = await startFailoverWorld(rehearsal, 'on');
  const { pair } = world;
  const load = CreationLoad.begin(world, 'before', CLIENTS);
  await load.more(20);
  await load.end();

  pair.partition();
  const answered: string[] = [];
  const keys = Array.from({ length: CLIENTS }, (_, n) => `cancelled-${n}`);
  const ask = () =>
    Promise.all(
      keys.map(async (key) => {
        const answer = await load.attempt(key);
        if (typeof answer !== 'string') answered.push(key);
        return answer;
      }),
    );
  const waiting = async () =>
    Number((await pair.primary.query<{ count: string }>(`SELECT count(*) ${WAITING}`))[0]!.count);

  const first = ask();
  await eventually(waiting, (count) => count >= CLIENTS);
  const cancel = setInterval(
    () => void pair.primary.query(`SELECT pg_cancel_backend(pid) ${WAITING}`).catch(() => undefined),
    500,
  );
  const answers = await first;
  rehearsal.step(
    `${CLIENTS} commits wait, and pg_cancel_backend ends that. The answers: ${answers.join(', ')}.`,
  );
  const repeated = await ask();
  rehearsal.step(
    `The same keys again: ${repeated.map((answer) => (typeof answer === 'string' ? answer : answer.id)).join(', ')}.`,
  );
  clearInterval(cancel);

  const from = performance.now();
  const timed = CreationLoad.begin(world, 'timed', CLIENTS);
  await pause(TIMED_OUT_MS);
  const acknowledged = timed.since(from);
  rehearsal.step(`Timeouts of statements pass while commits wait: ${acknowledged} acknowledged.`);

  await pair.primary.kill();
  await failOver(world);
  const stored = await pair.primary.query(
    `SELECT FROM payments.payment_requests WHERE reference_id LIKE 'cancelled-%'`,
  );
  rehearsal.step(`The primary is killed. Of the cancelled commits the standby has ${stored.length}.`);
  rehearsal.demand(answered.length === 0, `no cancelled commit is acknowledged: ${answered.join(', ')}`);
  rehearsal.demand(acknowledged === 0, `nothing is acknowledged while commits wait, not ${acknowledged}`);
  await restoreStandby(world);
  await timed.end();
  await demandNothingLost(world, load);
  await demandNothingLost(world, timed);
}
