import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics } from 'prom-client';
import { DatabaseMetricsCollector } from './database-metrics-collector.js';
import { Metrics } from './metrics.js';

export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves `GET /metrics` on a separate address, which API callers cannot reach. */
@Injectable()
export class MetricsListener implements OnApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly metrics: Metrics,
    private readonly database: DatabaseMetricsCollector,
  ) {}

  /** @throws errors of opening the port, such as EADDRINUSE */
  async listen({ host, port }: MetricsAddress): Promise<void> {
    collectDefaultMetrics({ register: this.metrics.registry });
    const server = createServer((request, response) => {
      this.answer(request, response).catch(() => response.destroy());
    });
    server.requestTimeout = server.headersTimeout = 10_000;
    server.listen(port, host);
    await once(server, 'listening');
    this.server = server;
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  async text(): Promise<string> {
    await this.database.refresh();
    return this.metrics.registry.metrics();
  }

  private async answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end();
    if (method !== 'GET' && method !== 'HEAD')
      return void response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    const body = await this.text();
    response.writeHead(200, { 'Content-Type': this.metrics.registry.contentType }).end(body);
  }
}
