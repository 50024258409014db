import type { SendResult } from './attempt.js';

export interface WebhookRequest {
  readonly url: URL;
  /** The only address that is connected to; TLS still proves the URL's host name. */
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Sends one POST, without following redirects, and reads at most 20 kB of the answer. */
export abstract class WebhookTransport {
  /** Takes at most 2 seconds from connecting to the end of the answer. Never throws. */
  abstract post(request: WebhookRequest): Promise<SendResult>;
}
