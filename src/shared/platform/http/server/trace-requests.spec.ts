import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import express from 'express';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CallerAddressResolver, parseTrustedProxies } from '../callers/caller-address-resolver.js';
import { HttpSettings } from '../callers/http-settings.js';
import { traceRequests } from './trace-requests.js';
import {
  setTracing,
  type OpenSpan,
  type SpanFields,
  type SpanStart,
  type Tracing,
} from '../../tracing/tracing.js';
import { AsyncLocalStorage } from 'node:async_hooks';

interface RecordedSpan {
  name: string;
  readonly parent: SpanStart['parent'];
  fields: SpanFields;
  failed: boolean;
  readonly traceparent: string;
}

class RecordedTracing implements Tracing {
  readonly ended: RecordedSpan[] = [];
  private readonly open = new AsyncLocalStorage<OpenSpan>();
  private begun = 0;

  begin({ name, parent, fields = {} }: SpanStart): OpenSpan {
    const ids = { traceId: 'a'.repeat(32), spanId: String((this.begun += 1)).padStart(16, '0') };
    const recorded: RecordedSpan = {
      name,
      parent,
      fields,
      failed: false,
      traceparent: `00-${ids.traceId}-${ids.spanId}-01`,
    };
    const span: OpenSpan = {
      ids,
      traceparent: recorded.traceparent,
      rename: (other) => void (recorded.name = other),
      set: (more) => void (recorded.fields = { ...recorded.fields, ...more }),
      fail: () => void (recorded.failed = true),
      end: () => void this.ended.push(recorded),
      within: (work) => this.open.run(span, work),
    };
    return span;
  }

  current(): OpenSpan | undefined {
    return this.open.getStore();
  }

  async stop(): Promise<void> {
    // This tracer records spans only in memory, so there is nothing to stop.
  }
}

const GIVEN = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

let server: Server | undefined;
afterEach(() => {
  setTracing(undefined);
  server?.closeAllConnections();
  server?.close();
});

async function asked(
  proxies: string,
  forwarded: Record<string, string> = {},
): Promise<{ answer: Response; tracing: RecordedTracing }> {
  const tracing = new RecordedTracing();
  setTracing(tracing);
  const app = express();
  app.use(traceRequests(new CallerAddressResolver(new HttpSettings(parseTrustedProxies(proxies)))));
  app.get('/things/:id', (_, response) => void response.status(503).send('no'));
  server = createServer(app);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/things/4711?key=1`;
  const answer = await fetch(url, { headers: { traceparent: GIVEN, connection: 'close', ...forwarded } });
  await answer.text();
  return { answer, tracing };
}

describe('A traced request', () => {
  it('is named by its route, not its path, and names the trace in its answer', async () => {
    const { answer, tracing } = await asked('');

    expect(tracing.ended).toEqual([
      expect.objectContaining({
        name: 'GET /things/:id',
        failed: true,
        fields: expect.objectContaining({ 'http.route': '/things/:id', 'http.response.status_code': 503 }),
      }),
    ]);
    expect(JSON.stringify(tracing.ended)).not.toContain('4711');
    expect(answer.headers.get('traceresponse')).toBe(tracing.ended[0]!.traceparent);
  });

  it('continues the trace of a trusted proxy', async () => {
    expect((await asked('127.0.0.0/8')).tracing.ended[0]!.parent).toEqual({
      traceparent: GIVEN,
      decidesSampling: true,
    });
  });

  it('continues the trace of an unknown client behind a trusted proxy, without its sampling decision', async () => {
    const { tracing } = await asked('127.0.0.0/8', { 'x-forwarded-for': '203.0.113.9' });

    expect(tracing.ended[0]!.parent).toEqual({ traceparent: GIVEN, decidesSampling: false });
  });

  it('starts its own trace if any other client sends one', async () => {
    expect((await asked('10.0.0.0/8')).tracing.ended[0]!.parent).toBe('none');
  });
});
