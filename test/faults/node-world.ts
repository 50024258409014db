import { expect } from '@jest/globals';
import type { PaymentRequestDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { parseAmount } from '#shared/kernel/amount.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { RpcProxy } from '../support/rpc/rpc-proxy.js';
import { startTestService, type ServiceOptions, type TestService } from '../support/service.js';
import { until } from './orders.js';

/** The sandbox's chain has the same. */
export const CONFIRMATIONS = 5;

export interface NodeOrder {
  readonly request: PaymentRequestDto;
  readonly asset: SandboxAsset;
  readonly hashes: string[];
  paid: bigint;
}

export interface Outcome {
  readonly id: string;
  readonly status: string;
  readonly received: string;
  readonly hashes: readonly (string | null)[];
  readonly booked: readonly string[];
}

/** The demonstration shop, whose service reads the chain through endpoints that can misbehave; its payer does not. */
export class NodeWorld {
  private constructor(
    readonly service: TestService,
    readonly endpoints: readonly RpcProxy[],
  ) {}

  static async start(endpoints: number, options: ServiceOptions = {}): Promise<NodeWorld> {
    const proxies: RpcProxy[] = [];
    const rpcUrls = async (nodeUrl: string) => {
      for (let i = 0; i < endpoints; i += 1) proxies.push(await RpcProxy.before(nodeUrl));
      return proxies.map(({ url }) => url);
    };
    try {
      return new NodeWorld(await startTestService({ ...options, rpcUrls }), proxies);
    } catch (error) {
      for (const proxy of proxies) await proxy.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    for (const endpoint of this.endpoints) await endpoint.close();
  }

  get usdc(): SandboxAsset {
    return this.service.assets[0]!;
  }

  get usdt(): SandboxAsset {
    return this.service.assets[1]!;
  }

  get native(): SandboxAsset {
    return this.service.assets[3]!;
  }

  get nativeToken(): `0x${string}` {
    return tokenOf(this.native.unique_asset_id);
  }

  async order(amount: string, asset = this.usdc): Promise<NodeOrder> {
    const body = { amount, unique_asset_id: asset.unique_asset_id };
    const { posId, nativePosId } = this.service.seed;
    const path = `/v1/pos/${asset.symbol === this.native.symbol ? nativePosId : posId}/payment-request`;
    return {
      request: await this.service.api.post<PaymentRequestDto>(path, body),
      asset,
      hashes: [],
      paid: 0n,
    };
  }

  /** The payment is mined in a block of its own. @param amount in whole units; all that is asked unless another is passed */
  async pay(order: NodeOrder, amount = order.request.amount): Promise<void> {
    const { asset, request, hashes } = order;
    const units = BigInt(parseAmount(amount, asset.decimals));
    const { wallet } = this.service;
    const hash = await wallet.send(tokenOf(asset.unique_asset_id), request.address as `0x${string}`, units);
    await until('the payment is mined', () => wallet.isMined(hash), { everyMs: 5 });
    hashes.push(hash);
    order.paid += units;
  }

  confirm(): Promise<void> {
    return this.service.chain.mine(CONFIRMATIONS);
  }

  async outcomes(orders: readonly NodeOrder[]): Promise<Outcome[]> {
    const rows = await this.service.query<Outcome>(
      `SELECT r.id, r.status, r.received_amount::text AS received,
         ARRAY(SELECT t.transaction_hash FROM payments.transfers t WHERE t.payment_request_id = r.id AND t.canonical
               ORDER BY t.transaction_hash) AS hashes,
         ARRAY(SELECT t.type || ' ' || t.gross_amount FROM ledger.transactions t
               WHERE t.payment_request_id = r.id ORDER BY t.account_sequence) AS booked
       FROM payments.payment_requests r WHERE r.id = ANY($1)`,
      [orders.map(({ request }) => request.id)],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return orders.map(({ request }) => byId.get(request.id)!);
  }

  async statuses(orders: readonly NodeOrder[]): Promise<string[]> {
    return (await this.outcomes(orders)).map(({ status }) => status);
  }

  async allBecome(status: string, orders: readonly NodeOrder[], timeoutMs = 60_000): Promise<number> {
    const begun = performance.now();
    const have = async () => (await this.statuses(orders)).every((one) => one === status);
    if (await waitUntil(have, { timeoutMs, everyMs: 10 })) return performance.now() - begun;
    const found = JSON.stringify(await this.outcomes(orders), null, 1);
    const cursor = JSON.stringify(await this.cursor());
    throw new Error(
      `Not all are ${status} within ${timeoutMs / 1_000} s: ${found}\n${cursor}\n${this.lastLines()}`,
    );
  }

  /** Looks again and again for so long. @returns every status that each of them had meanwhile */
  async seenStatuses(orders: readonly NodeOrder[], forMs: number): Promise<Set<string>[]> {
    const seen = orders.map(() => new Set<string>());
    await waitUntil(
      async () => {
        (await this.statuses(orders)).forEach((status, at) => seen[at]!.add(status));
        return false;
      },
      { timeoutMs: forMs, everyMs: 10 },
    );
    return seen;
  }

  async cursor(): Promise<{ head: number; final: number | null; disagreement: string | null }> {
    const [row] = await this.service.query<{
      head: string;
      final: string | null;
      disagreement: string | null;
    }>('SELECT head_number AS head, final_number AS final, disagreement FROM payments.chain_cursors');
    const { head, final, disagreement } = row!;
    return { head: Number(head), final: final === null ? null : Number(final), disagreement };
  }

  async headNumber(): Promise<number> {
    return Number(await this.service.chain.rpc<string>('eth_blockNumber'));
  }

  async caughtUp(): Promise<void> {
    const head = await this.headNumber();
    await until('the chain was read to its end', async () => (await this.cursor()).head >= head);
  }

  /** Each of their transfers is recorded once, counts, and is booked as one payment. */
  async expectBookedOnce(orders: readonly NodeOrder[]): Promise<void> {
    await until('all are booked', async () =>
      (await this.outcomes(orders)).every(({ booked }) => booked.length > 0),
    );
    expect(await this.outcomes(orders)).toEqual(
      orders.map(({ request, hashes, paid }) => ({
        id: request.id,
        status: expect.any(String),
        received: String(paid),
        hashes: hashes.toSorted(),
        booked: [`payment_in ${paid}`],
      })),
    );
  }

  private lastLines(): string {
    return this.service.log('worker').split('\n').slice(-12).join('\n');
  }
}
