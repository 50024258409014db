import type { Schemas } from '#client/api-types.js';
import { TemporaryWebhooks } from '#client/command-line/temporary-webhooks.js';
import { isFinalStatus } from '#client/payment-status.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { SANDBOX_TERMS } from '../chain/sandbox-chain.js';
import type { SandboxFile } from '../folder/sandbox-folder.js';
import { WebhookReceiver } from '../merchant/webhook-receiver.js';
import { DeliverySteps } from './delivery-steps.js';
import { check, poll, same, Story, WITHIN_MS, type StepReporter } from './story.js';

type PaymentRequest = Schemas['PaymentRequest'];

const AMOUNT = '12.50';

/**
 * Makes one payment, from the credential to the ledger.
 * @throws Error at the first wrong result
 */
export async function runDemoScenario(sandbox: SandboxFile, reporter: StepReporter): Promise<void> {
  const receiver = await WebhookReceiver.listen();
  try {
    await new DemoScenario(sandbox, reporter, receiver).run();
  } finally {
    await receiver.close();
  }
}

class DemoScenario extends Story {
  private readonly referenceId = `demo-${Date.now()}`;
  private webhook: TemporaryWebhooks | undefined;

  constructor(
    sandbox: SandboxFile,
    reporter: StepReporter,
    private readonly receiver: WebhookReceiver,
  ) {
    super(sandbox, reporter);
  }

  async run(): Promise<void> {
    try {
      await this.exchangeCredential();
      await this.registerWebhook();
      const request = await this.createRequest();
      await this.verifyToken(request);
      const hash = await this.pay(request);
      await this.watch(request, hash);
      await this.verifyWebhooks(request);
      await this.findTransaction(request, hash);
      await new DeliverySteps(this.sandbox, this.reporter).run(request);
      await this.deleteWebhook();
    } catch (error) {
      // A failed deletion must not hide the error of the failed step.
      await this.webhook?.delete().catch(() => undefined);
      throw error;
    }
  }

  private exchangeCredential(): Promise<void> {
    return this.reporter.step('Exchange the credential for an access token', async () => {
      const { api_key, api_secret } = this.sandbox;
      const { expired_at } = await this.client.post('/v1/auth/token', { body: { api_key, api_secret } });
      const lasts = Date.parse(expired_at) - (await this.now()).getTime();
      check(Math.abs(lasts - 3_600_000) < 60_000, 'the token should last an hour');
      return [`a bearer token for ${Math.round(lasts / 60_000)} minutes`, undefined];
    });
  }

  private registerWebhook(): Promise<void> {
    return this.reporter.step('Register a webhook', async () => {
      const { url } = this.receiver;
      this.webhook = await new TemporaryWebhooks(this.client).register({
        ...{ accountID: this.sandbox.account_id, url, description: 'npm run demo' },
        eventTypes: ['payment_request'],
      });
      const [secret = ''] = this.webhook.secrets;
      check(/^whsec_[A-Za-z0-9]{44}$/.test(secret), 'the secret should be 44 letters and digits');
      this.receiver.secret = secret;
      return [`${url}, its secret shown once`, undefined];
    });
  }

  private createRequest(): Promise<PaymentRequest> {
    return this.reporter.step('Create a payment request', async () => {
      const request = await this.shop.createPaymentRequest({
        amount: AMOUNT,
        unique_asset_id: this.asset.unique_asset_id,
        reference_id: this.referenceId,
      });
      same('the status', request.status, 'created');
      same('the amount', this.units(request.amount), this.units(AMOUNT));
      check(/^0x[0-9a-fA-F]{40}$/.test(request.address), 'there should be a deposit address');
      return [`${request.amount} ${request.currency} to ${request.address}`, request];
    });
  }

  private verifyToken(request: PaymentRequest): Promise<void> {
    return this.reporter.step('Verify its payment token as a wallet does', async () => {
      const { keyId, issuer } = await this.verifiedToken(request.token, request);
      return [`signed by key ${keyId} of ${issuer}; address, amount, asset and expiry agree`, undefined];
    });
  }

  private pay(request: PaymentRequest): Promise<string> {
    return this.reporter.step('Pay from the sandbox wallet', async () => {
      const hash = await this.send(request.address, request.amount);
      const block = await this.wallet.mined(hash);
      return [`${hash} in block ${block}`, hash as string];
    });
  }

  private watch(request: PaymentRequest, hash: string): Promise<void> {
    return this.reporter.step('Watch its status until the end', async () => {
      const seen: string[] = [];
      const until = ({ status, confirmed_at }: Schemas['PaymentRequestProgress']) => {
        if (seen.at(-1) !== status) seen.push(status);
        return isFinalStatus(status) && confirmed_at !== undefined;
      };
      const end = await this.shop.waitForPayment(request.id, { until, interval: 1_000, timeout: WITHIN_MS });
      same('the status at the end', end.status, 'completed');
      same('the amount received', this.units(end.received_amount), this.units(request.amount));
      same('the transaction of the transfer', end.transfers[0]?.transaction_hash, hash);
      check(end.transfers[0]!.final, 'the transfer should be final');
      const history = end.status_history.map(({ status }) => status).join(' > ');
      same('the history', history, 'created > processing > completed > confirmed');
      return [`${history}; polled ${seen.join(', ')}`, undefined];
    });
  }

  private verifyWebhooks(request: PaymentRequest): Promise<void> {
    return this.reporter.step('Verify the webhooks', async () => {
      const received = await this.receiver.waitFor(request.id, 2, WITHIN_MS);
      same('what does not verify with the secret', this.receiver.refused.join(' '), '');
      const statuses = [...new Set(received.map(({ status }) => status))].sort().join(', ');
      same('the statuses in webhooks', statuses, 'completed, processing');
      check(
        received.every(({ external_reference_id: reference }) => reference === this.referenceId),
        'each should carry the reference',
      );
      return ['processing and completed, both with a good signature', undefined];
    });
  }

  private findTransaction(request: PaymentRequest, hash: string): Promise<void> {
    return this.reporter.step('Find the transaction in the ledger', async () => {
      const params = { query: { page: 1, page_size: 5 } };
      const ours = async () => {
        const { data } = await this.client.get('/v1/transactions', { params });
        return data.find((one) => one.payment_request_id === request.id);
      };
      const found = (await poll(ours, (one) => one !== undefined))!;
      const gross = this.units(request.amount);
      const net = gross - (gross * BigInt(SANDBOX_TERMS.feeBasisPoints)) / 10_000n;
      same('the transaction', `${found.type} ${found.status}`, 'payment_in completed');
      same('the gross amount', this.units(found.gross_amount), gross);
      same('the net amount', this.units(found.net_amount), net);
      same('the transaction hash', found.transaction_hash, hash);
      const fee = formatAmount(gross - net, this.asset.decimals);
      return [
        `payment_in, gross ${found.gross_amount}, fee ${fee}, net ${found.net_amount} ${found.currency}`,
        undefined,
      ];
    });
  }

  private deleteWebhook(): Promise<void> {
    return this.reporter.step('Delete the webhook', async () => {
      await this.webhook!.delete();
      return ['the webhook receives no more events', undefined];
    });
  }

  private get shop() {
    return this.client.pointOfSale(this.sandbox.pos_id);
  }
}
