import { parseAmount } from '#shared/kernel/amount.js';
import type { ApiClient } from '../api/api-client.js';
import type { AnswerOf } from '../api/api-types.js';
import { SANDBOX_TERMS } from '../chain/sandbox-chain.js';
import type { SandboxAsset, SandboxFile } from '../folder/sandbox-folder.js';
import { PayerWallet, tokenOf } from '../payer/payer-wallet.js';
import { poll, same, WITHIN_MS, type StepReporter } from './step-checks.js';

type PaymentRequest = AnswerOf<'createPaymentRequest'>;
type Settlement = AnswerOf<'listSettlements'>['data'][number];
type Refund = AnswerOf<'readRefund'>;

const REFUNDED = '2.50';

/** After its outcome a payment is delivered to the settlement address, and a part of it is refunded. */
export class DeliverySteps {
  private readonly asset: SandboxAsset;

  constructor(
    private readonly sandbox: SandboxFile,
    private readonly reporter: StepReporter,
    private readonly api: ApiClient,
  ) {
    this.asset = sandbox.networks[0]!.assets[0]!;
  }

  /** @throws Error at the first wrong result */
  async tell(request: PaymentRequest): Promise<void> {
    const settlement = await this.watchSettlement(request);
    await this.seeDelivered(request, settlement);
    await this.findWithdrawal(settlement);
    await this.refund(request);
  }

  private watchSettlement(request: PaymentRequest): Promise<Settlement> {
    return this.reporter.step('Watch its money being delivered', async () => {
      const path = `/v1/transactions/settlement/${this.sandbox.account_id}?page_size=5`;
      const ours = ({ data }: AnswerOf<'listSettlements'>) =>
        data.find(
          ({ status, payments }) =>
            status !== 'failed' && payments.some((one) => one.payment_request_id === request.id),
        );
      const list = () => this.api.get<AnswerOf<'listSettlements'>>(path);
      const isOver = (page: AnswerOf<'listSettlements'>) => ours(page)?.status === 'completed';
      const settlement = ours(await poll(list, isOver, WITHIN_MS))!;
      const payment = settlement.payments.find((one) => one.payment_request_id === request.id)!;
      const gross = this.units(request.amount);
      const fee = (gross * BigInt(SANDBOX_TERMS.feeBasisPoints)) / 10_000n;
      same('the settlement address', settlement.settlement_address, SANDBOX_TERMS.settlementAddress);
      same('the amount delivered', this.units(payment.amount), gross - fee);
      same('the fee', this.units(payment.fee_amount), fee);
      const words = `${payment.amount} ${settlement.currency} to ${settlement.settlement_address}, fee ${payment.fee_amount}`;
      return [words, settlement];
    });
  }

  private seeDelivered(request: PaymentRequest, { transaction_hash: hash }: Settlement): Promise<void> {
    return this.reporter.step('See it on the chain', async () => {
      const wallet = new PayerWallet(this.sandbox.networks[0]!.rpc_url, this.sandbox.payer!);
      const token = tokenOf(this.asset.unique_asset_id);
      same(
        'the balance of the deposit address',
        await wallet.balance(token, request.address as `0x${string}`),
        0n,
      );
      const block = await wallet.mined(hash as `0x${string}`);
      return [`nothing is left at ${request.address}; ${hash} is in block ${block}`, undefined];
    });
  }

  private findWithdrawal(settlement: Settlement): Promise<void> {
    return this.reporter.step('Find the withdrawal in the ledger', async () => {
      const path = '/v1/transactions?page=1&page_size=5&type=withdraw';
      const ours = ({ data }: AnswerOf<'listTransactions'>) =>
        data.find((one) => one.settlement_id === settlement.id && one.status === 'completed');
      const list = () => this.api.get<AnswerOf<'listTransactions'>>(path);
      const found = ours(await poll(list, (page) => ours(page) !== undefined, WITHIN_MS))!;
      same('the transaction hash', found.transaction_hash, settlement.transaction_hash);
      same('where it went', found.to, settlement.settlement_address);
      return [`withdraw, net ${found.net_amount} ${found.currency}`, undefined];
    });
  }

  /** The shop's float pays the refund: what was collected is at the settlement address already. */
  private refund(request: PaymentRequest): Promise<void> {
    return this.reporter.step('Refund a part of it to the payer', async () => {
      const wallet = new PayerWallet(this.sandbox.networks[0]!.rpc_url, this.sandbox.payer!);
      const token = tokenOf(this.asset.unique_asset_id);
      const before = await wallet.balance(token);
      const body = { refund_to_address: wallet.address, amount: REFUNDED, reason: 'npm run demo' };
      const path = `/v1/refunds/payment-request/${request.id}`;
      const { id } = await this.api.post<AnswerOf<'createRefund'>>(path, body);
      const read = () => this.api.get<Refund>(`/v1/refunds/${id}`);
      const refund = await poll(read, ({ status }) => status !== 'processing', WITHIN_MS);
      same('the status', refund.status, 'completed');
      same('what the payer received', (await wallet.balance(token)) - before, this.units(REFUNDED));
      return [`${refund.amount} ${refund.currency} by ${refund.transaction_hash}`, undefined];
    });
  }

  private units(amount: string): bigint {
    return BigInt(parseAmount(amount, this.asset.decimals));
  }
}
