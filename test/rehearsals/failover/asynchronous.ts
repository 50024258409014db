import { freePort } from '#sandbox/processes/free-port.js';
import { eventually } from '../../support/eventually.js';
import { reconcile } from '../payments-in-flight.js';
import { RefundsInFlight } from '../refunds-in-flight.js';
import type { Rehearsal } from '../rehearsal.js';
import { CreationLoad } from './creation-load.js';
import { failOver, startFailoverWorld, type FailoverWorld } from './failover-world.js';

const REFUNDS = 5;

/** A promotion loses what the standby never got, though it was acknowledged, and sent to merchants and to the chain. */
export async function asynchronous(rehearsal: Rehearsal): Promise<void> {
  // The worker has the next one.
  const metricsPort = await freePort();
  const world = await startFailoverWorld(rehearsal, 'off', { METRICS_PORT: String(metricsPort) });
  const { pair, sandbox, shop } = world;
  const refunds = await RefundsInFlight.begin(sandbox, shop);
  const older = [await shop.asked(), await shop.asked()];
  await refunds.leases('10 minutes');
  const approved = await refunds.approve(REFUNDS);
  await replicated(world);
  rehearsal.step(`Two requests are open and ${REFUNDS} refunds approved; the standby has that.`);

  pair.partition();
  await refunds.leases('-1 seconds');
  const load = CreationLoad.begin(world, 'lost');
  await load.more(20);
  for (const order of older) await shop.pay(order);
  await load.end();
  await shop.through([...older, ...load.paid]);
  await refunds.completed(approved);
  const before = await refunds.onChain();
  rehearsal.step(
    `The standby gets nothing more. ${load.acknowledged.length} requests are acknowledged, ${older.length + load.paid.length} ` +
      `payments settled, ${REFUNDS} refunds paid: ${before.sent} transactions of the float, ${before.gas} of the gas key.`,
  );

  await pair.primary.kill();
  const lostAt = performance.now();
  await failOver(world);
  pair.heal();
  await eventually(
    async () => (await readiness(world)).state === 'stopped' && (await stopped(metricsPort)),
    Boolean,
    60_000,
  );
  rehearsal.step(
    `The standby is promoted without that. After ${((performance.now() - lostAt) / 1_000).toFixed(1)} s the service writes nothing: "${(await readiness(world)).reason}"`,
  );
  const refusal = await load.attempt('after-the-loss');
  rehearsal.demand(refusal === '503 writing_stopped', `a creation is refused: ${JSON.stringify(refusal)}`);
  const still = await refunds.onChain();
  rehearsal.demand(
    JSON.stringify(still) === JSON.stringify(before),
    `nothing is sent meanwhile: ${JSON.stringify(still)}`,
  );

  const shown = await sandbox.operator('recover', '--show', '--json');
  const shownLoss = JSON.parse(shown.answer) as {
    losses: object[];
    sent_and_not_stored: { kind: string; id: string }[];
  };
  const kinds = Map.groupBy(shownLoss.sent_and_not_stored, ({ kind }) => kind);
  const [webhooks, transactions] = ['webhook', 'transaction'].map((kind) => kinds.get(kind)?.length ?? 0);
  const delivered = new Set(shop.received().map(({ webhookId }) => webhookId));
  rehearsal.demand(
    transactions! >= REFUNDS,
    `transactions that are sent and not stored are listed: ${shown.answer.slice(0, 2_000)}`,
  );
  rehearsal.demand(
    new Set(shownLoss.sent_and_not_stored.map(({ id }) => id)).size === shownLoss.sent_and_not_stored.length,
    'each is listed once',
  );
  rehearsal.demand(webhooks! > 0, `webhooks that are sent and not stored are listed, of ${delivered.size}`);
  const recovered = await sandbox.operator('recover', '--yes');
  rehearsal.demand(recovered.exitCode === 0, recovered.answer);
  rehearsal.step(
    `\`recover\` shows ${webhooks} webhooks and ${transactions} transactions that are not stored, and ends the stop.`,
  );

  const float = `float:${sandbox.file.organization_id}`;
  for (const key of [float, 'gas'])
    rehearsal.step(
      `\`sender reconcile\` takes up ${await reconcile(sandbox, key)} transactions of ${key.split(':')[0]}.`,
    );
  // The standby has the leases as they were when it got nothing more.
  await refunds.leases('-1 seconds');
  await refunds.completed(approved);
  await shop.through(older);
  const after = await refunds.onChain();
  const paid = await refunds.paidOf(approved);
  rehearsal.demand(after.sent === before.sent, `no refund is sent again: ${JSON.stringify([before, after])}`);
  rehearsal.demand(
    paid.every((times) => times === 1),
    `each refund is paid once: ${paid.join()}`,
  );
  await shop.through([await shop.paid()]);
  rehearsal.step(
    'Each refund is paid once, older requests are completed from the chain, and a new one goes through.',
  );
  await shop.verify();
}

/** Until the standby has all that the primary has. */
async function replicated({ pair }: FailoverWorld): Promise<void> {
  const behind = () =>
    pair.primary.query(`SELECT FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_flush_lsn()`);
  await eventually(behind, ({ length }) => length > 0);
}

async function readiness({ sandbox }: FailoverWorld): Promise<{ state: string; reason: string }> {
  const answer = await fetch(`${sandbox.file.api_url}/health/ready`);
  const body = (await answer.json()) as { problems: string[]; database: { state: string } };
  return { state: body.database.state, reason: body.problems.join(' ') };
}

async function stopped(metricsPort: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  return /database_writing_stopped\S* 1/.test(await answer.text());
}
