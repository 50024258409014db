import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  /** 2 where it failed. */
  readonly status: { readonly code?: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The fields of OTLP/HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/ */
interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes' | 'resource'> & {
        attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

export class TraceReceiver {
  readonly spans: ReceivedSpan[] = [];
  private readonly server: Server = createServer((request, response) => {
    void json(request).then((body) => {
      if (request.url === '/v1/traces') this.take(body as Exported);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** All names, statuses and fields, each once: spans repeat them by thousands. */
  received(): string {
    const all = this.spans.flatMap(({ name, status, attributes, resource }) => [
      ...[name, JSON.stringify(status), JSON.stringify(resource)],
      ...Object.entries(attributes).map(([key, value]) => `${key}=${String(value)}`),
    ]);
    return [...new Set(all)].join('\n');
  }

  private take({ resourceSpans }: Exported): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans)
        for (const span of spans)
          this.spans.push({
            ...span,
            attributes: valuesOf(span.attributes),
            resource: valuesOf(resource.attributes),
          });
  }
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
