import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { secretsIn } from '../../support/logged-secrets.js';
import type { ObservedService } from '../../support/observed-service.js';
import { SecretiveMerchant } from '../../support/secretive-merchant.js';

export function logs(observed: ObservedService): void {
  describe('The log at its most detailed level', () => {
    it('has no secret in it, each line is JSON, and those of a request have its id', async () => {
      const merchant = new SecretiveMerchant(observed.service, observed.smtp, observed.receiver.secret);
      merchant.know('key of an endpoint', observed.secrets.rpcKey);
      merchant.know('password of the mail server', observed.secrets.smtpPassword);
      merchant.know('key of the receiver of traces', observed.secrets.traceKey);

      await merchant.usesTheApi();
      await merchant.usesTheDashboard();
      await merchant.isFailed();
      const outputs = await merchant.startsWrongly();

      const last = await fetch(`${observed.service.apiUrl}/health/live`, {
        headers: { 'x-request-id': 'the-last' },
      });
      const lastId = last.headers.get('x-request-id')!;
      const apiLog = await eventually(
        async () => observed.service.log('api'),
        (log) => log.includes(lastId),
      );
      const workerLog = await eventually(
        async () => observed.service.log('worker'),
        // Of the worker whose endpoint is not there.
        (log) => log.includes('network.unchecked'),
      );
      expect(merchant.secrets.size).toBeGreaterThan(20);
      for (const [name, text] of Object.entries({
        apiLog,
        workerLog,
        ...outputs,
        spans: observed.traces.received(),
      }))
        expect([name, secretsIn(text, merchant.secrets)]).toEqual([name, []]);
      const lines = `${apiLog}\n${workerLog}`.split('\n').filter((line) => line !== '');
      const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      const ofRequests = parsed.filter(({ event, route }) => event === 'http.request' || route !== undefined);
      expect(ofRequests.length).toBeGreaterThan(30);
      expect(ofRequests.filter(({ request_id }) => typeof request_id !== 'string')).toEqual([]);
      const failed = parsed.filter(({ request_id }) =>
        merchant.failedRequests.includes(request_id as string),
      );
      expect(merchant.failedRequests.length).toBeGreaterThan(0);
      // The access log's, and what went wrong.
      for (const id of merchant.failedRequests)
        expect(failed.filter(({ request_id }) => request_id === id).map(({ level }) => level)).toEqual(
          expect.arrayContaining(['error', 'info']),
        );
    });
  });
}
