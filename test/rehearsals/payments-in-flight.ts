import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_BLOCK_TIME } from '#sandbox/chain/sandbox-chain.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { KillableSandbox } from '../faults/killable-sandbox.js';
import type { Order } from '../faults/orders.js';
import { eventually } from '../support/eventually.js';
import type { ArchivedPostgres } from './archived-postgres.js';
import type { Rehearsal } from './rehearsal.js';
import type { RehearsedShop } from './rehearsed-shop.js';

/**
 * Transactions that had been sent at the restored moment. `approved`: none. `pooled`: some of the refunds and one batch, not
 * mined.
 */
export const MOMENTS = ['approved', 'pooled'] as const;
type Moment = (typeof MOMENTS)[number];

const WITHIN_MS = 300_000;

/** Processes stand still meanwhile, and start anew on the restored database. The chain goes on, and keeps its old state. */
export async function restoreToMoment(
  sandbox: KillableSandbox,
  postgres: ArchivedPostgres,
  backup: string,
  moment: string,
): Promise<void> {
  await postgres.archived();
  const parts = ['api', 'worker'] as const;
  for (const part of parts) process.kill(sandbox.pidOf(part)!, 'SIGSTOP');
  await postgres.destroy();
  await postgres.restore(backup, moment);
  const back = parts.map((part) => sandbox.kill(part));
  for (const isBack of back) await isBack();
}

/** Until all that the key has sent is stored, as docs/operating/runbook.md has it. @returns how many transactions were not */
export async function reconcile(sandbox: KillableSandbox, key: string): Promise<number> {
  let taken = 0;
  await eventually(
    async () => {
      const { exitCode, answer } = await sandbox.operator('sender', 'reconcile', 'sandbox', key, '--json');
      const nonces = JSON.parse(answer) as { outcome: string }[];
      taken += nonces.filter(({ outcome }) => outcome === 'adopted').length;
      return exitCode;
    },
    (exitCode) => exitCode === 0,
    WITHIN_MS,
  );
  return taken;
}

/** Refunds and settlements that are under way at a moment to which the database is restored once they are paid. */
export class PaymentsInFlight {
  private constructor(
    private readonly rehearsal: Rehearsal,
    private readonly sandbox: KillableSandbox,
    private readonly postgres: ArchivedPostgres,
    private readonly shop: RehearsedShop,
    private readonly count: { readonly refunds: number; readonly batches: number },
    private readonly refunds: RefundsInFlight,
  ) {}

  static async begin(
    rehearsal: Rehearsal,
    sandbox: KillableSandbox,
    postgres: ArchivedPostgres,
    shop: RehearsedShop,
    count: { readonly refunds: number; readonly batches: number },
  ): Promise<PaymentsInFlight> {
    const refunds = await RefundsInFlight.begin(sandbox, shop);
    return new PaymentsInFlight(rehearsal, sandbox, postgres, shop, count, refunds);
  }

  async restoredTo(moment: Moment, backup: string): Promise<void> {
    const { rehearsal, sandbox, shop, count } = this;
    const orders: Order[] = [];
    for (let i = 0; i < count.batches; i += 1) orders.push(await shop.asked());
    const [first, ...later] = orders as [Order, ...Order[]];
    await this.refunds.leases('10 minutes');
    await shop.pay(first);
    await eventually(
      () => shop.statusOf(first),
      (status) => status === 'completed',
      WITHIN_MS,
    );
    const refunds = await this.refunds.approve(count.refunds);
    if (moment !== 'approved') {
      await this.mining(0);
      await this.refunds.leases('-1 seconds');
      const batches = () =>
        sandbox.query(`SELECT FROM networks.sendings WHERE purpose = 'settlement' AND state = 'broadcast'`);
      await eventually(batches, ({ length }) => length > 0, WITHIN_MS);
    }
    const needed = Math.ceil(count.refunds / 2);
    const broadcast = () => this.refunds.sendings(refunds, `state = 'broadcast'`);
    if (moment !== 'approved') await eventually(broadcast, (sent) => sent >= needed, WITHIN_MS);
    const [now] = await sandbox.query<{ moment: string }>('SELECT clock_timestamp()::text AS moment');
    const known = await this.refunds.sendings(refunds, 'true');
    await this.refunds.leases('-1 seconds');
    await this.mining(SANDBOX_BLOCK_TIME);
    for (const order of [first, ...later]) {
      if (order !== first) await shop.pay(order);
      await shop.through([order]);
    }
    await this.refunds.completed(refunds);
    const before = await this.refunds.onChain();
    rehearsal.step(
      `Restored is the moment "${moment}", when ${known} of ${refunds.length} refunds had a nonce. All of them were paid ` +
        `after it, and ${orders.length} batches: ${before.sent} transactions of the float, ${before.gas} of the gas key.`,
    );

    await restoreToMoment(sandbox, this.postgres, backup, now!.moment);
    await this.refunds.leases('-1 seconds');
    await this.reconciled(known < refunds.length ? [this.float, 'gas'] : ['gas']);
    await this.refunds.completed(refunds);
    await shop.through(orders);
    const after = await this.refunds.onChain();
    rehearsal.demand(
      after.sent === before.sent && after.gas === before.gas,
      `nothing was sent again: ${JSON.stringify([before, after])}`,
    );
    const paid = await this.refunds.paidOf(refunds);
    rehearsal.demand(
      paid.every((times) => times === 1),
      `each refund is paid once: ${paid.join()}`,
    );
    rehearsal.step(
      `Each of ${refunds.length} refunds and ${orders.length} settlements is paid once, and completed.`,
    );
    await shop.verify();
  }

  private get float(): string {
    return `float:${this.sandbox.file.organization_id}`;
  }

  private mining(seconds: number): Promise<unknown> {
    return chainRpc(this.sandbox.chainUrl, 'evm_setIntervalMining', [seconds]);
  }

  /** Both keys, as docs/operating/runbook.md has it. @param held those that have sent what is not stored */
  private async reconciled(held: readonly string[]): Promise<void> {
    const { rehearsal, sandbox } = this;
    const before = await this.refunds.onChain();
    // Several turns of the workers, in which nothing may be sent.
    await pause(8_000);
    rehearsal.demand(
      JSON.stringify(await this.refunds.onChain()) === JSON.stringify(before),
      'nothing is sent before that is reconciled',
    );
    const status = await sandbox.operator('sender', 'status', '--json');
    const shown = (JSON.parse(status.answer) as { held: string | null }[]).filter(
      (each) => each.held !== null,
    );
    rehearsal.demand(shown.length === held.length, `held is ${held.join()}: ${status.answer}`);
    for (const key of [this.float, 'gas']) {
      const taken = await reconcile(sandbox, key);
      rehearsal.step(`\`sender reconcile\` takes up ${taken} transactions of ${key.split(':')[0]}.`);
    }
  }
}

const LEASES = ['paying refunds on sandbox', 'settling sandbox'];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

interface RefundInFlight {
  readonly id: string;
  readonly to: string;
}

/** Refunds of one large payment, whose sending can be held. */
class RefundsInFlight {
  private constructor(
    private readonly sandbox: KillableSandbox,
    private readonly refunded: Order,
  ) {}

  static async begin(sandbox: KillableSandbox, shop: RehearsedShop): Promise<RefundsInFlight> {
    const refunded = await shop.paid('900');
    await shop.through([refunded]);
    return new RefundsInFlight(sandbox, refunded);
  }

  /** Each to an address of its own. @returns ids and addresses */
  async approve(count: number): Promise<RefundInFlight[]> {
    const refunds: RefundInFlight[] = [];
    for (let i = 0; i < count; i += 1) {
      const to = `0x${randomUUID().replaceAll('-', '')}00000000`;
      const path = `/v1/refunds/payment-request/${this.refunded.request.id}`;
      const body = { refund_to_address: to, amount: `1.${String(i + 10)}` };
      refunds.push({ id: (await this.sandbox.api().post<{ id: string }>(path, body)).id, to });
    }
    return refunds;
  }

  /** The leases look as if another replica held them, for so long from now. */
  async leases(time: string): Promise<void> {
    await this.sandbox.query(
      `UPDATE platform.leases SET holder = gen_random_uuid(), expires_at = clock_timestamp() + $2::interval
       WHERE name = ANY ($1)`,
      [LEASES, time],
    );
  }

  async sendings(refunds: readonly { id: string }[], condition: string): Promise<number> {
    const [row] = await this.sandbox.query<{ count: string }>(
      `SELECT count(*) FROM networks.sendings WHERE id = ANY ($1) AND ${condition}`,
      [refunds.map(({ id }) => id)],
    );
    return Number(row!.count);
  }

  async completed(refunds: readonly { id: string }[]): Promise<void> {
    const ids = refunds.map(({ id }) => id);
    await eventually(
      () =>
        this.sandbox.query<{ status: string }>('SELECT status FROM settlement.refunds WHERE id = ANY ($1)', [
          ids,
        ]),
      (rows) => rows.length === ids.length && rows.every(({ status }) => status === 'completed'),
      WITHIN_MS,
    );
  }

  async onChain(): Promise<{ sent: number; gas: number }> {
    const count = async (address: string) =>
      Number(await chainRpc<string>(this.sandbox.chainUrl, 'eth_getTransactionCount', [address, 'latest']));
    const [float] = await this.sandbox.query<{ address: string }>(
      'SELECT address FROM settlement.refund_floats',
    );
    const [batch] = await this.sandbox.query<{ sender: string }>(
      'SELECT sender FROM settlement.batches LIMIT 1',
    );
    return { sent: await count(float!.address), gas: await count(batch!.sender) };
  }

  /** Transfers of the token to each address. */
  paidOf(refunds: readonly { to: string }[]): Promise<number[]> {
    const address = tokenOf(this.sandbox.usdc.unique_asset_id);
    return Promise.all(
      refunds.map(async ({ to }) => {
        const topics = [TRANSFER, null, `0x${to.slice(2).padStart(64, '0')}`];
        const filter = { address, topics, fromBlock: '0x0', toBlock: 'latest' };
        return (await chainRpc<unknown[]>(this.sandbox.chainUrl, 'eth_getLogs', [filter])).length;
      }),
    );
  }
}
