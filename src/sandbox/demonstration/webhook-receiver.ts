import { listenForDeliveries, type DeliveryServer } from '../listener/delivery-server.js';
import { verifyDelivery, type RawDelivery } from '../listener/verify-delivery.js';
import { waitUntil } from '../processes/child-process.js';

export interface ReceivedDelivery {
  /** True where the signature verifies with the secret (docs/api/webhooks.md). */
  readonly verified: boolean;
  readonly data: {
    notification_type: string;
    payment_request_id: string;
    payment_request_type: string;
    external_reference_id?: string;
    status: string;
    point_of_sale_id: string;
    account_id?: string;
  };
  readonly at: number;
}

/** A merchant's receiver of webhooks on the loopback address. */
export class WebhookReceiver {
  readonly deliveries: ReceivedDelivery[] = [];
  /** Set once the webhook is registered; no delivery verifies before. */
  secret = '';
  private server!: DeliveryServer;

  private constructor(private readonly clock: () => Promise<Date>) {}

  /** @param clock by which signatures become too old; real time unless set */
  static async listen(clock = async () => new Date()): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(clock);
    receiver.server = await listenForDeliveries({
      host: '127.0.0.1',
      port: 0,
      path: '/payments',
      handle: (received) => receiver.take(received),
      onRefused: () => undefined,
    });
    return receiver;
  }

  get url(): string {
    return this.server.url;
  }

  /** @throws Error when `count` deliveries for the request were not received in time */
  async waitFor(paymentRequestId: string, count: number, timeoutMs: number): Promise<ReceivedDelivery[]> {
    const received = () => this.deliveries.filter(({ data }) => data.payment_request_id === paymentRequestId);
    if (await waitUntil(() => received().length >= count, { timeoutMs })) return received();
    throw new Error(
      `Within ${timeoutMs / 1_000} s, ${received().length} of ${count} webhooks were received.`,
    );
  }

  close(): Promise<void> {
    return this.server.close();
  }

  private async take(received: RawDelivery): Promise<number> {
    const { verified, value } = verifyDelivery(received, [this.secret], await this.clock());
    const { data } = value as Pick<ReceivedDelivery, 'data'>;
    this.deliveries.push({ verified, data, at: performance.now() });
    return 200;
  }
}
