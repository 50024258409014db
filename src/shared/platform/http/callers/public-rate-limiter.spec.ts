import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { notFound, UncountedNotFound, RateLimited, type DomainError } from '#shared/kernel/domain-error.js';
import { CallerAddressResolver } from './caller-address-resolver.js';
import { WindowRateLimits } from './window-rate-limits.js';
import { HttpSettings, type PublicRateLimits } from './http-settings.js';
import { PublicRateLimiter } from './public-rate-limiter.js';

function callersWith(limits: Partial<PublicRateLimits>, now = () => 0): PublicRateLimiter {
  const settings = new HttpSettings([], undefined, { requests: 120, misses: 30, pages: 300, ...limits });
  return new PublicRateLimiter(new WindowRateLimits(now), new CallerAddressResolver(settings), settings);
}

function from(remoteAddress: string): Request {
  return { socket: { remoteAddress }, headers: {} } as unknown as Request;
}

const isLetIn = (callers: PublicRateLimiter, address: string, id: string) =>
  'fields' in callers.countRequest(from(address), id);

/** Requests an id that does not exist. @returns the kind of the resulting error */
function missFrom(callers: PublicRateLimiter, address: string, id: string): Promise<string> {
  return callers
    .runLimited(from(address), id, () => Promise.reject(notFound('checkout')))
    .catch((error: DomainError) => error.kind);
}

describe('A caller without a credential', () => {
  it('receives what exists, however many misses or other requests come from the address', async () => {
    const callers = callersWith({ requests: 120, misses: 2 });

    const misses: string[] = [];
    for (let n = 0; n < 1_300; n += 1) misses.push(await missFrom(callers, '203.0.113.7', `guess ${n}`));
    for (let n = 0; n < 5_000; n += 1) callers.countRequest(from('203.0.113.7'), `session ${n % 100}`);

    expect(misses.slice(0, 3)).toEqual(['not_found', 'not_found', 'rate_limited']);
    expect(new Set(misses.slice(3))).toEqual(new Set(['rate_limited']));
    expect(isLetIn(callers, '203.0.113.7', 'session of another payer')).toBe(true);
    expect(await missFrom(callers, '203.0.113.8', 'guess')).toBe('not_found');
  });

  it('shares limits within an IPv6 /64, with higher limits for the /56 and the /48', async () => {
    const callers = callersWith({ requests: 2, misses: 1 });
    const [one, neighbour, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'];

    const polls = [one, neighbour, one, other].map((address) => isLetIn(callers, address, 'session'));
    const misses: string[] = [];
    for (let n = 0; n < 17; n += 1)
      misses.push(await missFrom(callers, `2001:db8:2:${n.toString(16)}00::1`, 'guess'));

    expect(polls).toEqual([true, true, false, true]);
    expect(misses.indexOf('rate_limited')).toBe(16);
    expect(await missFrom(callers, '2001:db8:3::1', 'guess')).toBe('not_found');
  });

  it('receives the remaining requests of the session, and the wait when none remain', () => {
    let now = 0;
    const callers = callersWith({ requests: 2, misses: 9 }, () => now);
    const ask = (id: string) => {
      const turn = callers.countRequest(from('203.0.113.7'), id);
      return 'fields' in turn ? turn.fields[3] : `${turn.wait} s for ${turn.policy.name}`;
    };

    const first = ask('a');
    now = 20_500;

    expect([first, ask('a'), ask('a'), ask('b')]).toEqual([
      ...['"session";r=1;t=60', '"session";r=0;t=40', '40 s for session', '"session";r=1;t=60'],
    ]);
  });

  it('has no miss counted for a link that exists and is not open yet', async () => {
    const callers = callersWith({ requests: 9, misses: 1 });
    const notYet = new UncountedNotFound('not_found', 'not_found', 'Not opened yet.');

    for (let n = 0; n < 2; n += 1) {
      const early = callers.runLimited(from('203.0.113.7'), 'link', () => Promise.reject(notYet));
      await expect(early).rejects.toMatchObject({ kind: 'not_found' });
    }
  });
});

describe('A limit of pages without an id', () => {
  const isServed = (callers: PublicRateLimiter, address: string, page: string) => {
    try {
      callers.countPageRequest(from(address), page);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ kind: 'rate_limited', policy: { name: 'page' } });
      return false;
    }
  };

  it('rejects only the address that exceeded it, and only on that page', () => {
    const callers = callersWith({ pages: 2 });

    const flood = [1, 2, 3].map(() => isServed(callers, '198.51.100.1', 'till'));

    expect(flood).toEqual([true, true, false]);
    expect(isServed(callers, '198.51.100.1', 'button')).toBe(true);
    expect(isServed(callers, '198.51.100.2', 'till')).toBe(true);
  });

  it('counts a session across all of its addresses, separate from its address', () => {
    const callers = callersWith({ pages: 2 });
    const fromSession = (digest: string, address: string) => () =>
      callers.countDashboardSessionRequest(from(address), digest);
    for (const address of ['198.51.100.1', '198.51.100.2']) fromSession('flooding', address)();

    expect(fromSession('flooding', '198.51.100.3')).toThrow(RateLimited);
    expect(fromSession('other', '198.51.100.1')).not.toThrow();
  });
});
