import { verifyWebhookSignature } from '../../docs/receivers/verify-webhook.js';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import type { KillableSandbox } from './killable-sandbox.js';

export interface ReceivedDelivery {
  readonly requestId: string;
  readonly status: string;
  /** Standard Webhooks: the same at every attempt of one delivery. */
  readonly webhookId: string;
  readonly verified: boolean;
}

/** Long enough for a kill while an attempt is under way, and well below the 2 s that an attempt may take. */
const ANSWERS_AFTER_MS = 400;

/** A merchant's endpoint that takes its time, so that attempts are cut off in the middle. */
export class MerchantReceiver {
  readonly deliveries: ReceivedDelivery[] = [];
  private held: Promise<unknown> = Promise.resolve();

  private constructor(private readonly receiver: Receiver) {}

  /** Registered for the demonstration account's payment requests. */
  static async register(sandbox: KillableSandbox): Promise<MerchantReceiver> {
    const receiver = await startReceiver();
    const path = `/v1/account/${sandbox.file.account_id}/webhook`;
    const body = { url: receiver.url, event_type: 'payment_request' };
    const { secret } = await sandbox.api().post<RegisteredWebhookDto>(path, body);
    const merchant = new MerchantReceiver(receiver);
    receiver.answer = (_request, response) => {
      merchant.take(secret);
      const { held } = merchant;
      setTimeout(() => void held.then(() => response.end()), ANSWERS_AFTER_MS);
    };
    return merchant;
  }

  of(requestId: string): ReceivedDelivery[] {
    return this.deliveries.filter((delivery) => delivery.requestId === requestId);
  }

  /** Answers nothing from now on. @returns what lets the answers go */
  holdAnswers(): () => void {
    let letGo!: () => void;
    this.held = new Promise<void>((resolve) => (letGo = resolve));
    return letGo;
  }

  close(): Promise<void> {
    return this.receiver.close();
  }

  private take(secret: string): void {
    const { body, headers } = this.receiver.requests.at(-1)!;
    const { data } = JSON.parse(body) as { data: { payment_request_id: string; status: string } };
    this.deliveries.push({
      requestId: data.payment_request_id,
      status: data.status,
      webhookId: String(headers['webhook-id']),
      verified: verifyWebhookSignature({
        body,
        signature: String(headers['x-request-signature']),
        timestamp: String(headers['x-request-timestamp']),
        secret,
        now: new Date(),
      }),
    });
  }
}
