import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import type { ObservedService } from '../../support/observed-service.js';

const DIST = join(process.cwd(), 'dist');
const filesOf = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.js'));

export function traces(observed: ObservedService): void {
  describe('Traces', () => {
    it('have a request with its statements, which its answer and its log line name', async () => {
      const usdc = observed.service.assets[0]!;
      const { apiKey, apiSecret } = observed.service.seed;
      const exchanged = await fetch(`${observed.service.apiUrl}/v1/auth/token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
        },
        body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
      });
      const { token } = ((await exchanged.json()) as { data: { token: string } }).data;
      const created = await fetch(
        `${observed.service.apiUrl}/v1/pos/${observed.service.seed.posId}/payment-request`,
        {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', 'x-request-id': 'traced' },
            ...{ authorization: `Bearer ${token}`, 'x-service-api-key': apiKey },
          },
          body: JSON.stringify({ amount: '1', unique_asset_id: usdc.unique_asset_id }),
        },
      );
      const [, traceId, spanId] = created.headers.get('traceresponse')!.split('-');
      const span = await eventually(
        async () => observed.traces.spans.find((one) => one.spanId === spanId),
        (found) => found !== undefined,
      );

      // A stranger's trace is not gone on with.
      expect(exchanged.headers.get('traceresponse')).not.toContain('ab'.repeat(16));
      expect(span).toMatchObject({
        ...{ traceId, kind: 2, name: 'POST /v1/pos/:posID/payment-request' },
        attributes: { 'http.response.status_code': 200, 'request.id': 'traced' },
        resource: { 'service.name': 'observed', 'service.role': 'api' },
      });
      expect(span!.parentSpanId ?? '').toBe('');
      const parts = observed.traces.spans.filter((one) => one.traceId === traceId && one !== span);
      expect(parts.map(({ attributes }) => attributes['db.query.text'])).toEqual(
        expect.arrayContaining([expect.stringContaining('payments.')]),
      );
      // The API gathers its lines and writes them together, off the way of the request and of its span.
      const lines = await eventually(
        () =>
          observed.service
            .log('api')
            .split('\n')
            .slice(0, -1)
            .filter((line) => line.includes('"request_id":"traced"')),
        (found) => found.length > 0,
      );
      expect(lines.map((line) => (JSON.parse(line) as { trace_id: string }).trace_id)).toContain(traceId);
    });

    it('have the turns of watchers with their calls, deliveries, and no look that found nothing', async () => {
      const isWhole = () =>
        ['watcher sandbox', 'webhook delivery', 'eth_getBlockByNumber', 'transaction'].every((name) =>
          observed.traces.spans.some(
            (span) => span.name === name && span.resource['service.role'] === 'worker',
          ),
        );
      await eventually(
        async () => isWhole(),
        (whole) => whole,
      );

      const [call] = observed.traces.spans.filter(({ name }) => name === 'eth_getBlockByNumber');
      expect(call).toMatchObject({
        kind: 3,
        attributes: { 'chain.network': 'sandbox', 'chain.endpoint': 1 },
      });
      const delivered = observed.traces.spans.filter(({ name }) => name === 'webhook delivery');
      expect(delivered.map(({ attributes }) => attributes['http.response.status_code'])).toContain(200);
      const roots = observed.traces.spans.filter(
        ({ parentSpanId, kind, status }) => !parentSpanId && kind === 1 && status.code !== 2,
      );
      expect(roots.length).toBeGreaterThan(0);
      const idle = roots.filter((root) => {
        const parts = observed.traces.spans.filter(
          ({ traceId, spanId }) => traceId === root.traceId && spanId !== root.spanId,
        );
        return parts.every(({ attributes }) => attributes['db.system.name'] !== undefined);
      });
      expect(idle.map(({ name }) => name)).toEqual([]);
      for (const { attributes } of observed.traces.spans) expect(attributes).not.toHaveProperty('poll');
    });

    it('cost a process without tracing nothing: it loads no module of them', () => {
      const [whole, loaded] = [filesOf(DIST), new Set<string>()];
      const follow = (file: string): void => {
        if (loaded.has(file)) return;
        loaded.add(file);
        const text = readFileSync(join(DIST, file), 'utf8');
        for (const [, next] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) follow(next!);
      };
      for (const program of ['main.js', 'worker.js', 'cli.js']) follow(program);
      const exporting = (files: Iterable<string>) =>
        [...files].filter((file) => readFileSync(join(DIST, file), 'utf8').includes('OTLPTraceExporter'));

      expect(loaded.size).toBeGreaterThan(3);
      expect(exporting(whole)).not.toEqual([]);
      expect(exporting(loaded)).toEqual([]);
    });
  });
}
