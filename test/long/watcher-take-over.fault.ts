import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ServerProcess } from '#sandbox/processes/supervised-process.js';
import { RpcProxy } from '../support/rpc/rpc-proxy.js';
import { holds, serverError } from '../support/rpc/rpc-replies.js';
import { eventually } from '../support/eventually.js';
import { NodeWorld, type NodeOrder } from '../faults/node-world.js';
import { until } from '../faults/orders.js';

/** Looked at in the long form: `npm run evidence -- watcher-take-over`. */
const PROMISED_WITHIN_MS = 10_000;
const LOGS = { methods: ['eth_getLogs'] };

/** Each worker reads by an endpoint of its own, so that one can be kept waiting without the other. */
interface Reader {
  readonly worker: ServerProcess;
  readonly endpoint: RpcProxy;
}

let world: NodeWorld;
let holder: Reader;
let standby: Reader;
const stopped: number[] = [];

beforeAll(async () => {
  world = await NodeWorld.start(1);
  holder = { worker: world.service.processes.worker, endpoint: world.endpoints[0]! };
  standby = await anotherReader();
});

afterAll(async () => {
  for (const pid of stopped) signal(pid, 'SIGCONT');
  await world?.stop();
  for (const { endpoint } of [holder, standby]) await endpoint?.close().catch(() => undefined);
});

async function anotherReader(): Promise<Reader> {
  const endpoint = await RpcProxy.before(world.service.chain.url);
  return { worker: await world.service.anotherWorker([endpoint.url]), endpoint };
}

interface Lease {
  readonly holder: string;
  readonly epoch: string;
}

/** Once somebody holds it: on a busy machine the holder may be late with renewing it. */
async function lease(): Promise<Lease> {
  const [row] = await eventually(
    () =>
      world.service.query<Lease>(
        `SELECT holder, epoch FROM platform.leases WHERE name = 'watcher:sandbox' AND expires_at > clock_timestamp()`,
      ),
    ({ length }) => length > 0,
  );
  return row!;
}

async function paidOrders(count: number): Promise<NodeOrder[]> {
  const orders: NodeOrder[] = [];
  for (let i = 0; i < count; i += 1) {
    const order = await world.order(`${10 + i}.01`);
    await world.pay(order);
    orders.push(order);
  }
  return orders;
}

function signal(pid: number, name: NodeJS.Signals): void {
  process.kill(pid, name);
  if (name === 'SIGSTOP') stopped.push(pid);
  if (name === 'SIGCONT') stopped.splice(stopped.indexOf(pid), 1);
}

describe('Two workers that watch one network', () => {
  it('leave the reading to one of them, and nothing happens twice', async () => {
    const before = await lease();
    const orders = await paidOrders(4);
    await world.confirm();
    await world.allBecome('completed', orders);

    expect(await lease()).toEqual(before);
    expect(standby.endpoint.callsOf('eth_getLogs')).toBe(0);
    await world.expectBookedOnce(orders);
  });

  it('fence the late write of one that was suspended and wakes up believing in its lease', async () => {
    await world.caughtUp();
    const [believed, from] = [await lease(), await world.cursor()];
    const held = holds(LOGS);
    holder.endpoint.misbehave(held);
    const orders = await paidOrders(1);
    await until('it is in the middle of reading', () => held.waiting > 0, { everyMs: 2 });

    signal(holder.worker.pid, 'SIGSTOP');
    standby.endpoint.misbehave(serverError(503));
    await world.service.query(`UPDATE platform.leases SET expires_at = '-infinity'`);
    await until('the other has the lease', async () => (await lease()).holder !== believed.holder);
    holder.endpoint.behave();
    held.release();
    signal(holder.worker.pid, 'SIGCONT');
    // The other cannot read, so whatever moves now was moved by the one whose lease has passed on.
    const seen = await world.seenStatuses(orders, 1_500);

    expect([...seen[0]!]).toEqual(['created']);
    expect((await world.cursor()).head).toBe(from.head);
    expect(Number((await lease()).epoch)).toBe(Number(believed.epoch) + 1);
    standby.endpoint.behave();
    await world.confirm();
    await world.allBecome('completed', orders);
    await world.expectBookedOnce(orders);
    [holder, standby] = [standby, holder];
  });

  it('let the other go on within ten seconds when the reading one is killed', async () => {
    const before = await lease();
    const held = holds(LOGS);
    holder.endpoint.misbehave(held);
    const orders = await paidOrders(3);
    await until('it is in the middle of reading', () => held.waiting > 0, { everyMs: 2 });

    process.kill(holder.worker.pid, 'SIGKILL');
    const killedAt = performance.now();
    await world.confirm();
    await world.allBecome('completed', orders);
    const tookMs = performance.now() - killedAt;

    expect(Number((await lease()).epoch)).toBe(Number(before.epoch) + 1);
    if (process.env['EVIDENCE'] === 'long') expect(tookMs).toBeLessThan(PROMISED_WITHIN_MS);
    await world.expectBookedOnce(orders);
    expect(await world.service.breaches()).toEqual([]);
    process.stdout.write(`Watcher killed: the other had read on after ${(tookMs / 1_000).toFixed(1)} s\n`);
  });
});
