import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { WebhookReceiver } from '#sandbox/merchant/webhook-receiver.js';
import { Scrape } from '#test/support/scrape.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { SmtpReceiver } from '#test/support/smtp-receiver.js';
import { KeysFile } from '#test/support/token-caller.js';
import { TraceReceiver } from './trace-receiver.js';

export const DRAIN_SECONDS = 4;

const newSecret = () => randomBytes(12).toString('hex');

/** A service that logs everything, exports metrics and traces, and signs by a file of keys, beside all who receive of it. */
export class ObservedService {
  readonly keys = new KeysFile(join(mkdtempSync(join(tmpdir(), 'observing-')), 'signing-keys.json'));
  readonly smtp = new SmtpReceiver();
  readonly traces = new TraceReceiver();
  /** These stand in settings, and no log may have them. */
  readonly secrets = { rpcKey: newSecret(), smtpPassword: newSecret(), traceKey: newSecret() };
  private started: readonly [TestService, WebhookReceiver] | undefined;

  constructor() {
    beforeAll(() => this.start());
    afterAll(() => this.stop());
  }

  get service(): TestService {
    return this.started![0];
  }

  get receiver(): WebhookReceiver {
    return this.started![1];
  }

  scrape(part: 'api' | 'worker'): Promise<Scrape> {
    return Scrape.of(this.service.metricsPorts[part]);
  }

  private async start(): Promise<void> {
    await this.keys.create('token');
    await this.keys.create('naspip');
    const { rpcKey, smtpPassword, traceKey } = this.secrets;
    const settings = {
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      HTTP_KEEP_ALIVE_SECONDS: '90',
      SIGNING_KEYS_FILE: this.keys.path,
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: await this.traces.listen(),
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${traceKey}`,
      OTEL_SERVICE_NAME: 'observed',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      SMTP_URL: `smtp://mailer:${smtpPassword}@127.0.0.1:${await this.smtp.listen()}`,
    };
    const rpcUrls = async (nodeUrl: string) => [`${nodeUrl}/?apikey=${rpcKey}`];
    this.started = await Promise.all([
      startTestService({ exportsMetrics: true, settles: true, ownsNothing: true, rpcUrls, settings }),
      WebhookReceiver.listen(),
    ]);
    const [{ api, seed }, receiver] = this.started;
    const body = { url: receiver.url, event_type: 'payment_request' };
    const registered = await api.post<RegisteredWebhookDto>(`/v1/account/${seed.accountId}/webhook`, body);
    receiver.secret = registered.secret;
  }

  private async stop(): Promise<void> {
    this.smtp.close();
    this.traces.close();
    await this.started?.[1].close();
    await this.started?.[0].stop();
    rmSync(dirname(this.keys.path), { recursive: true });
  }
}
