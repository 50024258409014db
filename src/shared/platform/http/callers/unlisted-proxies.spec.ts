import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { JsonLogger } from '../../logging/logger.js';
import { CallerAddressResolver } from './caller-address-resolver.js';
import { HttpSettings } from './http-settings.js';
import { reportUnlistedProxies } from './unlisted-proxies.js';

/** Sends requests through a proxy that is missing in the trusted list. @returns their outcomes and the log lines */
function through(settings: HttpSettings, paths: readonly string[]) {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => (lines.push(chunk.toString()), done()),
  });
  const watch = reportUnlistedProxies(
    new CallerAddressResolver(settings),
    new JsonLogger({ level: 'info', destination }),
  );
  const outcomes = paths.map((path) => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const request = { path, headers, socket: { remoteAddress: '10.0.0.5' } } as unknown as Request;
    let outcome: unknown = 'refused';
    try {
      watch(request, {} as Response, () => (outcome = 'served'));
    } catch (error) {
      expect(error).toMatchObject({
        kind: 'unavailable',
        code: 'proxy_not_trusted',
        message: expect.stringContaining('TRUSTED_PROXIES'),
      });
    }
    return outcome;
  });
  return { outcomes, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('A request through a private proxy that is not listed', () => {
  it('is served outside production, and logged once', () => {
    const { outcomes, lines } = through(new HttpSettings(), ['/v1/pos', '/checkout/x']);

    expect(outcomes).toEqual(['served', 'served']);
    expect(lines).toMatchObject([{ level: 'warn', event: 'http.unlisted_proxy', proxy: '10.0.0.5' }]);
  });

  it('is rejected in production, except for health checks', () => {
    const settings = new HttpSettings([], undefined, undefined, true);

    const { outcomes, lines } = through(settings, ['/v1/pos', '/health/ready', '/checkout/x', '/healthy']);

    expect(outcomes).toEqual(['refused', 'served', 'refused', 'refused']);
    expect(lines).toHaveLength(1);
  });
});
