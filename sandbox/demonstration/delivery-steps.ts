import type { Hex } from 'viem';
import type { Schemas } from '#client/api-types.js';
import { SANDBOX_TERMS } from '../chain/sandbox-chain.js';
import { poll, same, Story } from './story.js';

type PaymentRequest = Schemas['PaymentRequest'];
type Settlement = Schemas['Settlement'];

const REFUNDED = '2.50';

/** The steps after a payment: settlement and a partial refund. */
export class DeliverySteps extends Story {
  /** @throws Error at the first wrong result */
  async run(request: PaymentRequest): Promise<void> {
    const settlement = await this.watchSettlement(request);
    await this.seeDelivered(request, settlement);
    await this.findWithdrawal(settlement);
    await this.refund(request);
  }

  private watchSettlement(request: PaymentRequest): Promise<Settlement> {
    return this.reporter.step('Watch its money being delivered', async () => {
      const params = { path: { accountID: this.sandbox.account_id }, query: { page_size: 5 } };
      const ours = async () => {
        const { data } = await this.client.get('/v1/transactions/settlement/{accountID}', { params });
        return data.find(
          ({ status, payments }) =>
            status !== 'failed' && payments.some((one) => one.payment_request_id === request.id),
        );
      };
      const settlement = (await poll(ours, (found) => found?.status === 'completed'))!;
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
      const left = await this.wallet.balance(this.token, request.address as Hex);
      same('the balance of the deposit address', left, 0n);
      const block = await this.wallet.mined(hash as Hex);
      return [`nothing is left at ${request.address}; ${hash} is in block ${block}`, undefined];
    });
  }

  private findWithdrawal(settlement: Settlement): Promise<void> {
    return this.reporter.step('Find the withdrawal in the ledger', async () => {
      const params = { query: { page: 1, page_size: 5, type: 'withdraw' as const } };
      const ours = async () => {
        const { data } = await this.client.get('/v1/transactions', { params });
        return data.find((one) => one.settlement_id === settlement.id && one.status === 'completed');
      };
      const found = (await poll(ours, (one) => one !== undefined))!;
      same('the transaction hash', found.transaction_hash, settlement.transaction_hash);
      same('where it went', found.to, settlement.settlement_address);
      return [`withdraw, net ${found.net_amount} ${found.currency}`, undefined];
    });
  }

  /** Refunds from the shop's float, because the payment has already been settled. */
  private refund(request: PaymentRequest): Promise<void> {
    return this.reporter.step('Refund a part of it to the payer', async () => {
      const before = await this.wallet.balance(this.token);
      const body = { refund_to_address: this.wallet.address, amount: REFUNDED, reason: 'npm run demo' };
      const { id } = await this.client.post('/v1/refunds/payment-request/{paymentRequestID}', {
        params: { path: { paymentRequestID: request.id } },
        body,
      });
      const params = { path: { refundID: id } };
      const read = () => this.client.get('/v1/refunds/{refundID}', { params });
      const refund = await poll(read, ({ status }) => status !== 'processing');
      same('the status', refund.status, 'completed');
      same('what the payer received', (await this.wallet.balance(this.token)) - before, this.units(REFUNDED));
      return [`${refund.amount} ${refund.currency} by ${refund.transaction_hash}`, undefined];
    });
  }
}
