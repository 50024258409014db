import type { IncomingMessage, ServerResponse } from 'node:http';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from './verify-webhook.js';

type Secrets = string | readonly string[];

export interface ListenerOptions {
  /**
   * The secret as the webhook's creation answered it; several while one is being rotated. A function is asked at each delivery, so
   * that a rotation needs no restart. Where it throws, 500 is answered.
   */
  readonly secret: Secrets | (() => Secrets | Promise<Secrets>);
  /**
   * Stores a verified event, within 2 seconds: what takes longer comes afterwards. The same event can come twice. Where it throws,
   * 500 is answered and the service sends the event again.
   */
  readonly handle: (event: WebhookEvent) => void | Promise<void>;
  /** Hears of what was refused, and of what `handle` has thrown. */
  readonly onError?: (error: unknown) => void;
}

/** Larger ones are not of this service. */
const MAX_BYTES = 65_536;

class BodyTooLarge extends Error {}

/** Takes deliveries as a listener of `node:http`, or a route of Express that no parser of bodies stands before. */
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
  if (bytes > MAX_BYTES) throw new BodyTooLarge(`The body has more than ${MAX_BYTES} bytes.`);
  return Buffer.concat(chunks);
}
