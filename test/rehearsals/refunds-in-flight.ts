import { randomUUID } from 'node:crypto';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import type { KillableSandbox } from '../faults/killable-sandbox.js';
import type { Order } from '../faults/orders.js';
import { eventually } from '../support/eventually.js';
import type { RehearsedShop } from './rehearsed-shop.js';

const WITHIN_MS = 300_000;
const LEASES = ['paying refunds on sandbox', 'settling sandbox'];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A refund and the address that it is paid to, which nothing else is. */
export interface RefundInFlight {
  readonly id: string;
  readonly to: string;
}

/** Refunds of one large payment, whose sending can be held. */
export class RefundsInFlight {
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
