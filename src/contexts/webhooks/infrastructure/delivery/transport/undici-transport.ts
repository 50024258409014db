import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SERVICE_USER_AGENT } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { errors, type Dispatcher } from 'undici';
import {
  WebhookTransport,
  type AttemptError,
  type SendResult,
  type WebhookRequest,
} from '#contexts/webhooks/domain/delivery/attempt.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { PinnedConnectionPools, ResponseTooLong } from './pinned-connection-pools.js';

const USER_AGENT = `${SERVICE_USER_AGENT} (webhooks)`;
const RESPONSE_DEADLINE_MS = 2_000;
const MIN_CONNECTION_POOLS = 256;

class DeadlinePassed extends Error {}

@Injectable()
export class UndiciTransport extends WebhookTransport implements OnApplicationShutdown {
  private readonly pools: PinnedConnectionPools;

  constructor({ deliveryConcurrency, certificateAuthorities }: WebhooksSettings) {
    super();
    this.pools = new PinnedConnectionPools({
      maxPools: Math.max(MIN_CONNECTION_POOLS, deliveryConcurrency),
      // Webhooks of many accounts may share a host.
      connectionsPerPool: deliveryConcurrency,
      certificateAuthorities,
    });
  }

  override post({ url, address, headers, body }: WebhookRequest): Promise<SendResult> {
    const path = url.pathname + url.search;
    const named = { 'User-Agent': USER_AGENT, ...headers };
    const options = { origin: url.origin, path, method: 'POST' as const, headers: named, body };
    return new Promise((resolve) => {
      const answer = new PendingResponse(resolve);
      try {
        this.pools.pool(url.origin, address).dispatch(options, answer);
      } catch {
        answer.end('connection_failed');
      }
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pools.destroy();
  }
}

class PendingResponse implements Dispatcher.DispatchHandler {
  private readonly deadline: NodeJS.Timeout;
  private controller: Dispatcher.DispatchController | null = null;
  private over = false;
  private httpStatus: number | undefined;

  constructor(private readonly resolve: (result: SendResult) => void) {
    this.deadline = setTimeout(() => this.end('timeout'), RESPONSE_DEADLINE_MS);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    // Connected after the deadline, so nothing may be sent.
    if (this.over) controller.abort(new DeadlinePassed());
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.httpStatus = status >= 200 ? status : undefined;
  }

  onResponseData(): void {}

  onResponseEnd(): void {
    this.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.end(attemptErrorOf(error));
  }

  end(error?: AttemptError): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.deadline);
    this.resolve({ httpStatus: this.httpStatus, error });
    // A slow receiver must occupy no resources.
    if (error === 'timeout') this.controller?.abort(new DeadlinePassed());
  }
}

function attemptErrorOf(error: Error): AttemptError {
  const { code = '' } = error as { code?: string };
  if (error instanceof errors.ResponseExceededMaxSizeError) return 'response_too_large';
  if (error instanceof ResponseTooLong) return 'response_too_large';
  if (error instanceof errors.HeadersOverflowError) return 'response_too_large';
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'invalid_response';
  if (error instanceof errors.ConnectTimeoutError) return 'timeout';
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|EPROTO|HOSTNAME_)/.test(code))
    return 'tls_failed';
  return 'connection_failed';
}
