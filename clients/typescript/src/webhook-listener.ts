import type { IncomingMessage, ServerResponse } from 'node:http';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './verify-webhook.js';

type Secrets = string | readonly string[];

export interface ListenerOptions {
  /**
   * Webhook secret, as returned when the webhook was created, or all valid secrets during a rotation. A function is called for each
   * delivery, so that you can rotate the secret without a restart. If it throws, the listener responds with 500.
   */
  readonly secret: Secrets | (() => Secrets | Promise<Secrets>);
  /**
   * Stores a verified event. Must return within 2 seconds, so do slow work afterwards. Events can be delivered more than once. If it
   * throws, the listener responds with 500 and the service retries the delivery.
   */
  readonly handle: (event: WebhookEvent) => void | Promise<void>;
  /** Called with the error of each rejected delivery and with each error that `secret` or `handle` throws. */
  readonly onError?: (error: unknown) => void;
}

/** Larger than any body that the service sends. */
const MAX_BYTES = 65_536;

class BodyTooLarge extends Error {}

/** Creates a request listener for `node:http`, or an Express route without a body parser. */
export function webhookListener({ secret, handle, onError }: ListenerOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const answer = (status: number) => void response.writeHead(status).end();
    receive(request)
      .then(async (body) => {
        const secrets = typeof secret === 'function' ? await secret() : secret;
        await handle(verifyWebhook({ body, headers: request.headers, secret: secrets }));
      })
      .then(
        () => answer(200),
        (error: unknown) => {
          answer(statusOf(error));
          onError?.(error);
        },
      );
  };
}

function statusOf(error: unknown): number {
  if (error instanceof BodyTooLarge) return 413;
  return error instanceof WebhookVerificationError ? 401 : 500;
}

async function receive(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_BYTES) throw new BodyTooLarge(`The body is larger than ${MAX_BYTES} bytes.`);
  return Buffer.concat(chunks);
}
