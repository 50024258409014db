import PQueue from 'p-queue';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { eventually } from '../../support/eventually.js';
import type { CreationLoad } from './creation-load.js';
import type { ReplicatedWorld } from './failover-world.js';

/** Demands that what was acknowledged is stored, by its key too, and nothing is there twice; payments go through to their settlement. */
export async function demandNothingLost(world: ReplicatedWorld, load: CreationLoad): Promise<void> {
  const { rehearsal, shop } = world;
  const keys = load.acknowledged.map(({ key }) => key);
  const stored = await world.query<{ id: string; reference: string }>(
    `SELECT id, reference_id AS reference FROM payments.payment_requests WHERE reference_id IN (${keys.map((key) => `'${key}'`).join()})`,
  );
  const ids = new Map(stored.map(({ id, reference }) => [reference, id]));
  const lost = load.acknowledged.filter(({ key, request }) => ids.get(key) !== request.id);
  rehearsal.demand(lost.length === 0, `every acknowledged request is stored: ${JSON.stringify(lost)}`);
  rehearsal.demand(stored.length === keys.length, `${stored.length} are stored for ${keys.length} keys`);

  const repeats = new PQueue({ concurrency: 4 });
  const others: unknown[] = [];
  for (const { key, request } of load.acknowledged)
    void repeats.add(async () => {
      const repeated = await eventually(
        () => load.attempt(key),
        (answer) => typeof answer !== 'string',
      );
      if (JSON.stringify(repeated) !== JSON.stringify(request)) others.push({ request, repeated });
    });
  await repeats.onIdle();
  rehearsal.demand(others.length === 0, `each key answers its object: ${JSON.stringify(others.slice(0, 3))}`);
  rehearsal.step(
    `${keys.length} acknowledged requests are stored once each, and their keys answer the same.`,
  );

  await shop.through(load.paid);
  await demandNothingDoubled(world);
  rehearsal.step(
    `${load.paid.length} payments are completed, posted and settled once, each event is there once.`,
  );
  await shop.verify();
}

/** Demands it by the database, by what the merchant's endpoint received, and by the chain. */
export async function demandNothingDoubled(world: ReplicatedWorld): Promise<void> {
  const { rehearsal, sandbox, shop } = world;
  const events = await world.query<{ type: string }>(
    `SELECT type, aggregate_id, data ->> 'status' FROM platform.events WHERE type IN ('payment_request.status_changed', 'payment_request.confirmed')
     GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  );
  rehearsal.demand(events.length === 0, `one event for each transition: ${JSON.stringify(events)}`);
  const deliveries = shop.received();
  const ofOne = Map.groupBy(deliveries, ({ requestId, status }) => `${requestId} ${status}`);
  const doubled = [...ofOne].filter(([, all]) => new Set(all.map(({ webhookId }) => webhookId)).size > 1);
  rehearsal.demand(doubled.length === 0, `one delivery for each event: ${JSON.stringify(doubled)}`);
  rehearsal.demand(
    deliveries.every(({ verified }) => verified),
    'every delivery is signed',
  );
  await eventually(
    () => unlikeChain(world, sandbox.chainUrl),
    ({ length }) => length === 0,
  );
}

/** @returns senders of which the chain has other nonces than the database. */
async function unlikeChain(world: ReplicatedWorld, chainUrl: string): Promise<string[]> {
  const nonces = await world.query<{ sender: string; used: string; first: string }>(
    `SELECT sender, count(DISTINCT nonce) AS used, min(nonce) AS first FROM networks.sendings
     WHERE mined_hash IS NOT NULL GROUP BY sender`,
  );
  const unlike: string[] = [];
  for (const { sender, used, first } of nonces) {
    const sent = Number(await chainRpc<string>(chainUrl, 'eth_getTransactionCount', [sender, 'latest']));
    if (sent !== Number(first) + Number(used)) unlike.push(`${sender} has sent ${sent}, ${used} are stored`);
  }
  return unlike;
}
