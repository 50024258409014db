import type pg from 'pg';
import { blockHead, chainRpc } from '#sandbox/chain/chain-rpc.js';
import { SANDBOX_BLOCK_TIME } from '#sandbox/chain/sandbox-chain.js';
import type { KillableSandbox } from './killable-sandbox.js';
import type { MerchantReceiver } from './merchant-receiver.js';
import { until, type Order, type Shop } from './orders.js';

/** The sandbox's chain has the same. */
const CONFIRMATIONS = 5;

export interface World {
  readonly sandbox: KillableSandbox;
  readonly shop: Shop;
  readonly receiver: MerchantReceiver;
}

/** A state between payment and ledger entry, made certain, not hoped for. */
export interface Moment {
  readonly name: string;
  /** Pays (second parts may be left for after the kill) and waits. @returns what lets go what was held back for it */
  reach(world: World, orders: readonly Order[]): Promise<() => Promise<void>>;
}

const nothing = async () => undefined;

/** The last comes first: the sandbox pauses longer before each restart, while earlier moments have more to wait for. */
export const MOMENTS: readonly Moment[] = [
  {
    name: 'completed, not yet in the ledger',
    async reach(world, orders) {
      // Events are read only up to the oldest transaction that still runs.
      const release = await hold(world.sandbox, { text: 'SELECT pg_current_xact_id()' });
      await payNextParts(world, orders);
      await payNextParts(world, orders);
      await until('every order has its outcome', async () => {
        const progress = await Promise.all(orders.map(({ request }) => world.shop.read(request.id)));
        return progress.every(({ confirmed_at }) => confirmed_at !== undefined);
      });
      const posted = await world.sandbox.query(
        `SELECT 1 FROM ledger.transactions WHERE payment_request_id = ANY($1)`,
        [ids(orders)],
      );
      if (posted.length > 0) throw new Error('The ledger was not held back.');
      return release.letGo;
    },
  },
  {
    name: 'one block before finality',
    async reach(world, orders) {
      await payNextParts(world, orders);
      await payNextParts(world, orders);
      const first = Math.min(...(await blocksOf(world, orders)));
      const { chainUrl } = world.sandbox;
      const isClose = async () => Number((await blockHead(chainUrl)).number) >= first + CONFIRMATIONS - 2;
      await until('all but one of the confirmations are there', isClose);
      return nothing;
    },
  },
  {
    name: 'processing seen, its webhook on the way',
    async reach(world, orders) {
      // The attempt must be under way when the kill comes, however long that takes.
      const letGo = world.receiver.holdAnswers();
      // One block and no other, so that nothing becomes final before the webhook has arrived.
      const { chainUrl } = world.sandbox;
      await chainRpc(chainUrl, 'evm_setIntervalMining', [0]);
      for (const order of orders) await world.shop.payNextPart(order);
      await chainRpc(chainUrl, 'evm_mine', []);
      const [first] = orders;
      await until('the first webhook has arrived', () => world.receiver.of(first!.request.id).length > 0, {
        everyMs: 5,
      });
      const { status } = await world.shop.read(first!.request.id);
      if (status !== 'processing') throw new Error(`It reads ${status}.`);
      return async () => {
        letGo();
        await chainRpc(chainUrl, 'evm_setIntervalMining', [SANDBOX_BLOCK_TIME]);
      };
    },
  },
  {
    name: 'in a block that is being read',
    async reach(world, orders) {
      // The reading stops in the middle of its unit of work, at the requests.
      const release = await hold(world.sandbox, {
        text: `SELECT 1 FROM payments.payment_requests WHERE id = ANY($1) ORDER BY id FOR UPDATE`,
        values: [ids(orders)],
      });
      await payNextParts(world, orders);
      await until('the reading stands', release.isWaitedFor);
      return release.letGo;
    },
  },
  {
    name: 'sent, in no block',
    async reach(world, orders) {
      const { chainUrl } = world.sandbox;
      await chainRpc(chainUrl, 'evm_setIntervalMining', [0]);
      for (const order of orders) await world.shop.payNextPart(order);
      if ((await blocksOf(world, orders)).length > 0) throw new Error('A block was mined.');
      return () => chainRpc(chainUrl, 'evm_setIntervalMining', [SANDBOX_BLOCK_TIME]);
    },
  },
];

async function payNextParts(world: World, orders: readonly Order[]): Promise<void> {
  for (const order of orders) await world.shop.payNextPart(order);
  await until('every payment is in a block', async () => {
    return (await blocksOf(world, orders)).length === orders.length;
  });
}

async function blocksOf({ shop }: World, orders: readonly Order[]): Promise<number[]> {
  const blocks = await Promise.all(orders.map((order) => shop.blockOf(order)));
  return blocks.filter((block) => block !== undefined);
}

const ids = (orders: readonly Order[]) => orders.map(({ request }) => request.id);

async function hold(sandbox: KillableSandbox, lock: { text: string; values?: unknown[] }) {
  const client: pg.Client = await sandbox.connect();
  await client.query('SET idle_in_transaction_session_timeout = 300000');
  await client.query('BEGIN');
  await client.query(lock.text, lock.values);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return {
    async isWaitedFor() {
      const waiting = await sandbox.query(
        `SELECT 1 FROM pg_stat_activity WHERE application_name = 'worker' AND $1 = ANY (pg_blocking_pids(pid))`,
        [rows[0]!.pid],
      );
      return waiting.length > 0;
    },
    letGo: () => client.end().catch(() => undefined),
  };
}
