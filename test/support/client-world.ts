import { Webhook } from 'standardwebhooks';
import type { PaymentRequestProgressDto } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { WebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from './eventually.js';
import { InstalledClient, type Started } from './installed-client.js';
import { startTestService, type TestService } from './service.js';

export const PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
export const SANDBOX = ['--sandbox', 'sandbox.json'];
/** Milliseconds between blocks: payments become final by themselves, as in a sandbox, and faster. */
const BETWEEN_BLOCKS = 250;

/** A service that settles and has a wallet, and the merchant's package in a folder of its own. */
export class ClientWorld {
  private mining: NodeJS.Timeout | undefined;

  private constructor(
    readonly service: TestService,
    readonly client: InstalledClient,
  ) {}

  static async start(): Promise<ClientWorld> {
    const service = await startTestService({ wallet: true, settles: true });
    try {
      const world = new ClientWorld(service, await InstalledClient.install());
      world.mine();
      world.client.write('sandbox.json', sandboxFileOf(service));
      return world;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  get credential(): Record<string, string> {
    return {
      PAYMENT_COLLECTION_URL: this.service.apiUrl,
      PAYMENT_COLLECTION_API_KEY: this.service.seed.apiKey,
      PAYMENT_COLLECTION_API_SECRET: this.service.seed.apiSecret,
    };
  }

  get webhookPath(): string {
    return `/v1/account/${this.service.seed.accountId}/webhook`;
  }

  async webhooks(): Promise<WebhookDto[]> {
    const path = `${this.webhookPath}/list?page=1&page_size=100`;
    return (await this.service.api.get<PageBody<WebhookDto>>(path)).data;
  }

  async requestsOf(reference: string): Promise<PaymentRequestProgressDto[]> {
    const path = `${this.requestPath}?reference_id=${reference}`;
    return (await this.service.api.get<PageBody<PaymentRequestProgressDto>>(path)).data;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.service.api.get<PaymentRequestProgressDto>(`${this.requestPath}/${id}`)).status;
  }

  /** With the asset of the requests and with coin, until the service has seen both. */
  async fillFloat(address: `0x${string}`): Promise<void> {
    const { wallet, assets } = this.service;
    await wallet.mined(await wallet.send(tokenOf(assets[0]!.unique_asset_id), address, 100n * 10n ** 6n));
    await wallet.mined(await wallet.send(NATIVE_COIN, address, 5n * 10n ** 18n));
    await eventually(
      () => this.service.query('SELECT FROM settlement.refund_float_holdings WHERE topped_up > 0'),
      ({ length }) => length === 2,
    );
  }

  mine(): void {
    this.rest();
    const block = () => void this.service.chain.mine(1).catch(() => undefined);
    this.mining = setInterval(block, BETWEEN_BLOCKS);
  }

  /** Stops mining: each block is a second later than the one before, and a request's window would pass in no time. */
  rest(): void {
    clearInterval(this.mining);
  }

  async stop(): Promise<void> {
    this.rest();
    await this.client.remove();
    await this.service.stop();
  }

  private get requestPath(): string {
    return `/v1/pos/${this.service.seed.posId}/payment-request`;
  }
}

/** The text of a sandbox's file, as far as the client reads it. */
export function sandboxFileOf({ apiUrl, seed, assets, environment }: TestService): string {
  return JSON.stringify({
    ...{ api_url: apiUrl, api_key: seed.apiKey, api_secret: seed.apiSecret, account_id: seed.accountId },
    ...{ pos_id: seed.posId, native_pos_id: seed.nativePosId, networks: [{ assets }] },
    ...{ wallet_url: environment['CHECKOUT_SANDBOX_WALLET_URL'], payer: { address: PAYER } },
  });
}

export function printed({ stdout }: Started): { id: string; data: Record<string, string> }[] {
  return stdout()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { id: string; data: Record<string, string> });
}

/** The headers of a delivery of now, as the library of Standard Webhooks signs it. */
export function signedHeaders(secret: string, id: string, body: string): Record<string, string> {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}
