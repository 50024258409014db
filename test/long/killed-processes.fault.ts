import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blockHead, chainRpc } from '#sandbox/chain/chain-rpc.js';
import { KillableSandbox } from '#test/faults/killable-sandbox.js';
import { MerchantReceiver } from '#test/faults/merchant-receiver.js';
import { MOMENTS, type Moment, type World } from '#test/faults/moments.js';
import { MANNERS, promised, Shop, until, type Manner, type Order } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';

const VICTIMS = ['api', 'worker', 'postgres'] as const;
/** Requests that are being created when the API is killed. */
const REQUESTS_AT_THE_KILL = 6;
/** Clients that create requests while PostgreSQL is killed, and their created requests before the kill and at the end. */
const [CLIENTS, BEFORE_THE_KILL, CREATES] = [8, 60, 200];
/** Longer than a busy machine takes to restart everything: a second payment is then still in time. */
const WINDOW_SECONDS = 900;
const PATIENTLY = { everyMs: 250 };

let world: World;
let sandbox: KillableSandbox;
let shop: Shop;
let receiver: MerchantReceiver;

beforeAll(async () => {
  sandbox = await KillableSandbox.start({ PAYMENT_WINDOW_SECONDS: String(WINDOW_SECONDS) });
  shop = new Shop(sandbox);
  receiver = await MerchantReceiver.register(sandbox);
  world = { sandbox, shop, receiver };
}, 150_000);

afterAll(async () => {
  await receiver?.close();
  expect(await sandbox?.end()).toEqual([]);
});

interface Creation {
  readonly referenceId: string;
  readonly outcome: Promise<'acknowledged' | 'lost'>;
}

describe('A process killed between payment and ledger entry', () => {
  // `npm run evidence -- killed-processes` plays every moment.
  const rounds = VICTIMS.flatMap((victim) => drawn(MOMENTS, 1).map((moment) => ({ victim, moment })));

  it.each(rounds)(
    'completes, posts and notifies each payment once after a kill of $victim at: $moment.name',
    async ({ victim, moment }) => {
      const orders: Order[] = [];
      for (const manner of Object.keys(MANNERS) as Manner[]) orders.push(await shop.order(manner));
      const letGo = await moment.reach(world, orders);
      const creations = victim === 'api' ? await creationsInProgress(moment) : [];

      const isBack = sandbox.kill(victim);
      await letGo();
      for (const order of orders) await shop.payNextPart(order);
      await isBack();
      await until(
        'every order is posted and notified',
        afterAnotherBlock(() => arePosted(orders)),
        PATIENTLY,
      );

      for (const order of orders) await expectOutcome(order);
      await expectWholeOrAbsent(creations);
      expect(await sandbox.verify()).toEqual({ exitCode: 0, broken: [] });
    },
    240_000,
  );

  async function arePosted(orders: readonly Order[]): Promise<boolean> {
    const [found] = await sandbox.query<{ posted: number; delivered: number }>(
      `SELECT (SELECT count(DISTINCT payment_request_id)::int FROM ledger.transactions
         WHERE payment_request_id = ANY($1)) AS posted,
       (SELECT count(*)::int FROM webhooks.deliveries WHERE payment_request_id = ANY($1) AND status = 'delivered') AS delivered`,
      [orders.map(({ request }) => request.id)],
    );
    return found!.posted === orders.length && found!.delivered >= 2 * orders.length;
  }

  /** The first of them is acknowledged. */
  async function creationsInProgress({ name }: Moment): Promise<Creation[]> {
    const creations = Array.from({ length: REQUESTS_AT_THE_KILL }, (_, i): Creation => {
      const referenceId = `${name}, ${i}`;
      const outcome = shop.create('5', referenceId).then(
        () => 'acknowledged' as const,
        () => 'lost' as const,
      );
      return { referenceId, outcome };
    });
    await Promise.race(creations.map(({ outcome }) => outcome));
    return creations;
  }

  /** Each request has its address, status and event, or does not exist. An acknowledged one exists. */
  async function expectWholeOrAbsent(creations: readonly Creation[]): Promise<void> {
    const stored = await sandbox.query<{ reference_id: string; parts: string }>(
      `SELECT r.reference_id, concat_ws(' ',
         (SELECT count(*) FROM payments.deposit_addresses a WHERE a.payment_request_id = r.id),
         (SELECT count(*) FROM payments.status_history h WHERE h.payment_request_id = r.id),
         (SELECT count(*) FROM platform.events e WHERE e.aggregate_id = r.id)) AS parts
       FROM payments.payment_requests r WHERE r.reference_id = ANY($1)`,
      [creations.map(({ referenceId }) => referenceId)],
    );
    const ids = stored.map(({ reference_id: id }) => id);

    expect(new Set(ids).size).toBe(ids.length);
    for (const { parts } of stored) expect(parts).toBe('1 1 1');
    for (const { referenceId, outcome } of creations)
      if ((await outcome) === 'acknowledged') expect(ids).toContain(referenceId);
  }
});

describe('PostgreSQL killed under load', () => {
  it('keeps each acknowledged request, answers 503 during the outage, and ends no process', async () => {
    const processes = () => (['api', 'worker'] as const).map((part) => sandbox.pidOf(part));
    const before = processes();
    const { api_key, api_secret } = sandbox.file;
    const exchange = await post('/v1/auth/token', { api_key, api_secret }, {});
    const { token } = ((await exchange.json()) as { data: { token: string } }).data;
    const headers = { authorization: `Bearer ${token}`, 'x-service-api-key': api_key };
    const acknowledged: string[] = [];
    const refusals: object[] = [];
    let isBack = false;
    const client = async () => {
      while (!isBack || acknowledged.length < CREATES) {
        const body = { amount: '5', unique_asset_id: sandbox.usdc.unique_asset_id };
        const response = await post(`/v1/pos/${sandbox.file.pos_id}/payment-request`, body, headers);
        const answer = (await response.json()) as { data?: { id: string }; code?: string };
        if (response.ok) acknowledged.push(answer.data!.id);
        else {
          const retryAfter = response.headers.get('retry-after');
          refusals.push({ status: response.status, code: answer.code, retryAfter });
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };

    const load = Promise.all(Array.from({ length: CLIENTS }, client));
    await until('some are created', () => acknowledged.length >= BEFORE_THE_KILL, { everyMs: 1 });
    await sandbox.kill('postgres')();
    isBack = true;
    await load;

    const stored = await sandbox.query<{ id: string }>('SELECT id FROM payments.payment_requests');
    const ids = new Set(stored.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals)
      expect(refusal).toEqual({ status: 503, code: 'unavailable', retryAfter: '1' });
    expect(processes()).toEqual(before);
    const readTo = await headRead();
    await until('the same worker reads the chain again', async () => (await headRead()) > readTo + 1);
  });

  function post(path: string, body: object, headers: Record<string, string>): Promise<Response> {
    return fetch(sandbox.file.api_url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(90_000),
    });
  }
});

describe('All processes killed while the chain loses its last seconds', () => {
  let order: Order;

  it('handles the lost blocks as a reorganization, and alerts the operator', async () => {
    order = await shop.order('exactly');
    const earlier = await copyOfTheChain();
    // No block is mined automatically, so that the payment cannot become final before the kill.
    await chainRpc(sandbox.chainUrl, 'evm_setIntervalMining', [0]);
    await shop.payNextPart(order);
    await chainRpc(sandbox.chainUrl, 'evm_mine', []);
    const { id } = order.request;
    await until('the payment was seen', async () => (await shop.read(id)).status === 'processing');
    const lost = (await shop.blockOf(order))!;
    await chainRpc(sandbox.chainUrl, 'evm_mine', []);
    await until('another block on top has been read', async () => (await headRead()) > lost);

    await sandbox.killEverything();
    copyFileSync(earlier, sandbox.folder.chain);
    await sandbox.start();

    const head = async () => Number((await blockHead(sandbox.chainUrl)).number);
    await until('the chain is as long as before', async () => (await head()) >= lost);
    expect(await shop.blockOf(order)).toBeUndefined();
    const alert = /"event":"chain.reorganized".*"network":"sandbox","depth":(\d+),"ancestor":(\d+)/;
    await until('the reorganization is logged', () => alert.test(sandbox.log('worker')));
    const [, depth, ancestor] = alert.exec(sandbox.log('worker'))!.map(Number) as [number, number, number];
    expect(depth).toBeGreaterThan(1);
    expect(ancestor).toBeLessThan(lost);
    const seen = await shop.read(id);
    expect(seen).toMatchObject({ status: 'processing', received_amount: '0', transfers: [] });
    expect(await shop.transactionsOf(id)).toEqual([]);
  }, 150_000);

  it('completes a payment once when the payer sends it again', async () => {
    order.hashes.length = 0;
    await shop.payNextPart(order);
    const { id } = order.request;
    const isPosted = async () => (await shop.transactionsOf(id)).length > 0;
    await until('it is posted', afterAnotherBlock(isPosted), PATIENTLY);
    const statuses = () => new Set(receiver.of(id).map(({ status }) => status));
    await until('both steps are delivered', () => statuses().size === 2);

    await expectOutcome(order);
    expect(await sandbox.verify()).toEqual({ exitCode: 0, broken: [] });
  });

  /** @returns the path of a copy of the saved chain, which has nothing after this moment */
  async function copyOfTheChain(): Promise<string> {
    const { chain } = sandbox.folder;
    const before = statSync(chain).mtimeMs;
    await until('the chain is saved again', () => statSync(chain).mtimeMs > before, { everyMs: 5 });
    const copy = join(sandbox.folder.logs, 'chain-of-before');
    copyFileSync(chain, copy);
    return copy;
  }
});

/** Mines a block before each check, so that finality takes less time. */
function afterAnotherBlock(check: () => Promise<boolean>): () => Promise<boolean> {
  return async () => {
    await chainRpc(sandbox.chainUrl, 'evm_mine');
    return check();
  };
}

async function headRead(): Promise<number> {
  const [cursor] = await sandbox.query<{ head: string }>(
    'SELECT head_number AS head FROM payments.chain_cursors',
  );
  return Number(cursor!.head);
}

/** The record, the ledger and the webhooks have the order's outcome, once. */
async function expectOutcome(order: Order): Promise<void> {
  const { status, history, gross, net } = promised(order);
  const progress = await shop.read(order.request.id);
  const webhooks = receiver.of(order.request.id);

  expect(progress).toMatchObject({ status, received_amount: gross });
  expect(progress.status_history.map((step) => step.status)).toEqual(history);
  const hashes = progress.transfers.map((transfer) => transfer.transaction_hash);
  expect(hashes.sort()).toEqual([...order.hashes].sort());
  expect(progress.transfers.every(({ final, counted }) => final && counted)).toBe(true);
  expect(await shop.transactionsOf(order.request.id)).toEqual([
    expect.objectContaining({
      ...{ type: 'payment_in', status: 'completed', gross_amount: gross, net_amount: net },
      ...{ expected_amount: order.request.amount, transaction_hash: order.hashes.at(-1) },
    }),
  ]);
  expect(new Set(webhooks.map((one) => one.status))).toEqual(new Set(['processing', status]));
  expect(new Set(webhooks.map(({ webhookId }) => webhookId)).size).toBe(2);
  expect(webhooks.every(({ verified }) => verified)).toBe(true);
}
