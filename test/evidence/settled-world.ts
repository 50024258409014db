import { encodeFunctionData, type Address, type Hex } from 'viem';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import type { AnswerOf } from '../support/api-client.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import type { SandboxAsset } from '#sandbox/folder/sandbox-folder.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** Transactions in one block, at most half of what it may hold. */
const PER_BLOCK = 200;
const CREATED_AT_ONCE = 16;
const FINAL_AFTER = 6;

export interface PayableRequest {
  readonly id: string;
  readonly address: Address;
}

/** A service that settles on its chain, and what the chain, the records and the ledger say of it. */
export class SettledWorld {
  private constructor(
    readonly service: TestService,
    readonly operator: OperatorCommandRunner,
  ) {}

  /** @param settlement of the network's entry in NETWORKS_FILE */
  static async open(settlement: object): Promise<SettledWorld> {
    const service = await startTestService({ settles: true, network: () => ({ settlement }) });
    const operator = new OperatorCommandRunner({ environment: service.environment, actor: 'evidence' });
    return new SettledWorld(service, operator);
  }

  async close(): Promise<void> {
    await this.operator.close();
    await this.service.stop();
  }

  asset(symbol: string): SandboxAsset {
    return this.service.assets.find((asset) => asset.symbol === symbol)!;
  }

  async request(asset: SandboxAsset, count: number, amount: string): Promise<PayableRequest[]> {
    const { api, seed } = this.service;
    const created: PayableRequest[] = [];
    while (created.length < count) {
      const some = Array.from({ length: Math.min(CREATED_AT_ONCE, count - created.length) }, async () => {
        const body = { amount, unique_asset_id: asset.unique_asset_id };
        const { id, address } = await api.post<AnswerOf<'createPaymentRequest'>>(
          `/v1/pos/${seed.posId}/payment-request`,
          body,
        );
        return { id, address: address as Address };
      });
      created.push(...(await Promise.all(some)));
    }
    return created;
  }

  async pay(asset: SandboxAsset, requests: readonly PayableRequest[], amount: bigint): Promise<void> {
    const { chain } = this.service;
    const token = tokenOf(asset.unique_asset_id);
    const from = sandboxPayer.address;
    await chain.rpc('evm_setAutomine', [false]);
    let nonce = Number(await chain.rpc<Hex>('eth_getTransactionCount', [from, 'latest']));
    for (let at = 0; at < requests.length; at += PER_BLOCK) {
      const calls = requests.slice(at, at + PER_BLOCK).map(({ address }) => {
        const order = { from, nonce: `0x${(nonce++).toString(16)}` };
        const data = encodeFunctionData({
          abi: TOKEN_ABI,
          functionName: 'transfer',
          args: [address, amount],
        });
        return { ...order, to: token, data, gas: '0x186a0' };
      });
      await Promise.all(calls.map((call) => chain.rpc('eth_sendTransaction', [call])));
      await chain.mine(1);
    }
    await chain.rpc('evm_setAutomine', [true]);
  }

  async untilWaiting(count: number): Promise<void> {
    await this.service.chain.mine(FINAL_AFTER);
    await this.untilMined(
      'SELECT count(*)::integer AS n FROM settlement.waiting WHERE amount > 0',
      (n) => n === count,
    );
  }

  async untilSettled(timeoutMs = 120_000): Promise<void> {
    await this.untilMined(
      `SELECT (SELECT count(*) FROM settlement.waiting WHERE amount <> 0)::integer
         + (SELECT count(*) FROM settlement.batches WHERE state NOT IN ('final', 'abandoned'))::integer
         + (SELECT count(*) FROM settlement.settlements WHERE status = 'processing')::integer AS n`,
      (n) => n === 0,
      timeoutMs,
    );
  }

  private async untilMined(sql: string, isDone: (n: number) => boolean, timeoutMs = 120_000): Promise<void> {
    const read = async () => {
      const [row] = await this.service.query<{ n: number }>(sql);
      if (!isDone(row!.n)) await this.service.chain.mine(1);
      return row!.n;
    };
    await eventually(read, isDone, timeoutMs);
  }
}
