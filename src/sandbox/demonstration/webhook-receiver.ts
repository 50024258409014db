import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhookSignature } from '../../contexts/webhooks/receiver/verify-webhook.js';
import { waitUntil } from '../processes/child-process.js';

export interface ReceivedDelivery {
  /** Whether the signature was the secret's, checked as the specification tells a receiver to. */
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
  /** To be set once the webhook is registered; nothing verifies before. */
  secret = '';

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  /** @param onPort 0 for any free one @throws Error with code EADDRINUSE */
  static async listen(onPort = 0): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(onPort, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new WebhookReceiver(`http://127.0.0.1:${port}/payments`, server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        receiver.take(Buffer.concat(chunks).toString('utf8'), request.headers);
        response.writeHead(200).end();
      });
    });
    return receiver;
  }

  /** @throws Error when `count` deliveries for the request were not received in time */
  async waitFor(paymentRequestId: string, count: number, timeoutMs: number): Promise<ReceivedDelivery[]> {
    const received = () => this.deliveries.filter(({ data }) => data.payment_request_id === paymentRequestId);
    if (await waitUntil(() => received().length >= count, { timeoutMs })) return received();
    throw new Error(
      `Within ${timeoutMs / 1_000} s, ${received().length} of ${count} webhooks were received.`,
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(body: string, headers: IncomingHttpHeaders): void {
    const verified = verifyWebhookSignature({
      body,
      signature: String(headers['x-request-signature']),
      timestamp: String(headers['x-request-timestamp']),
      secret: this.secret,
      now: new Date(),
    });
    const { data } = JSON.parse(body) as Pick<ReceivedDelivery, 'data'>;
    this.deliveries.push({ verified, data, at: performance.now() });
  }
}
