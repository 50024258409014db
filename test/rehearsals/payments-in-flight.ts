import { setTimeout as pause } from 'node:timers/promises';
import { SANDBOX_BLOCK_TIME } from '#sandbox/chain/sandbox-chain.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import type { KillableSandbox } from '../faults/killable-sandbox.js';
import type { Order } from '../faults/orders.js';
import { eventually } from '../support/eventually.js';
import type { ArchivedPostgres } from './archived-postgres.js';
import type { Rehearsal } from './rehearsal.js';
import { RefundsInFlight } from './refunds-in-flight.js';
import type { RehearsedShop } from './rehearsed-shop.js';

/**
 * The moment that is restored says what had been sent by then. `approved`: nothing. `pooled`: a part of the refunds and one
 * batch, in no block. `offered`: all of them, each by one attempt, of which some are mined by a later one.
 */
export const MOMENTS = ['approved', 'pooled', 'offered'] as const;
type Moment = (typeof MOMENTS)[number];

const WITHIN_MS = 300_000;
const SPIKE = '0xba43b7400';

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
    const needed = moment === 'pooled' ? Math.ceil(count.refunds / 2) : count.refunds;
    const broadcast = () => this.refunds.sendings(refunds, `state = 'broadcast'`);
    if (moment !== 'approved') await eventually(broadcast, (sent) => sent >= needed, WITHIN_MS);
    const [now] = await sandbox.query<{ moment: string }>('SELECT clock_timestamp()::text AS moment');
    const known = await this.refunds.sendings(refunds, 'true');
    await this.refunds.leases('-1 seconds');
    if (moment === 'offered') await this.spike(refunds);
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

  /** Blocks too dear for the first attempts, until some are mined by a later one. */
  private async spike(refunds: readonly { id: string }[]): Promise<void> {
    const bumped = `mined_hash IN (SELECT hash FROM networks.sending_attempts WHERE number > 1)`;
    const enough = Math.min(3, refunds.length);
    for (let block = 0; (await this.refunds.sendings(refunds, bumped)) < enough; block += 1) {
      this.rehearsal.demand(block < 120, 'attempts that offer more are mined');
      await chainRpc(this.sandbox.chainUrl, 'anvil_setNextBlockBaseFeePerGas', [SPIKE]);
      await chainRpc(this.sandbox.chainUrl, 'anvil_mine', ['0x1']);
      await pause(1_000);
    }
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
