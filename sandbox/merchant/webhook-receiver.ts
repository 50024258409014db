import { createServer } from 'node:http';
import type { Schemas } from '#client/api-types.js';
import { webhookListener } from '#client/webhook-listener.js';
import { waitUntil } from '../processes/child-process.js';
import { closeServer, listenOn } from '../processes/loopback-server.js';

type PaymentNotice = Schemas['PaymentRequestNotice'];

/** A merchant's receiver of payment webhooks on the loopback address. It stores only verified webhooks. */
export class WebhookReceiver {
  readonly received: PaymentNotice[] = [];
  /** One message per delivery that does not verify. */
  readonly refused: string[] = [];
  /** Set after the webhook is registered. No delivery verifies earlier. */
  secret = '';
  private origin = '';
  private readonly server = createServer(
    webhookListener({
      secret: () => this.secret,
      handle: ({ data }) => void this.received.push(data as PaymentNotice),
      onError: (error) => void this.refused.push((error as Error).message),
    }),
  );

  static async listen(): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver();
    receiver.origin = await listenOn(receiver.server, '127.0.0.1', 0);
    return receiver;
  }

  get url(): string {
    return `${this.origin}/payments`;
  }

  notificationsOf(paymentRequestId: string): PaymentNotice[] {
    return this.received.filter(({ payment_request_id: id }) => id === paymentRequestId);
  }

  /** @throws Error if too few webhooks are received in time */
  async waitFor(paymentRequestId: string, count: number, timeoutMs: number): Promise<PaymentNotice[]> {
    const isThere = () => this.notificationsOf(paymentRequestId).length >= count;
    if (await waitUntil(isThere, { timeoutMs })) return this.notificationsOf(paymentRequestId);
    const received = this.notificationsOf(paymentRequestId).length;
    throw new Error(
      [
        `Within ${timeoutMs / 1_000} s, ${received} of ${count} webhooks were received.`,
        ...this.refused,
      ].join(' '),
    );
  }

  close(): Promise<void> {
    return closeServer(this.server);
  }
}
