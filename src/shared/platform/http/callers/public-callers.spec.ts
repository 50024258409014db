import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { notFound, NotFoundWithoutGuess } from '#shared/kernel/domain-error.js';
import { CallerAddress } from './caller-address.js';
import { CallerLimits } from './caller-limits.js';
import { HttpSettings, type PublicLimits } from './http-settings.js';
import { PublicCallers } from './public-callers.js';

function callersWith(limits: PublicLimits, now = () => 0): PublicCallers {
  const settings = new HttpSettings([], undefined, limits);
  return new PublicCallers(new CallerLimits(now), new CallerAddress(settings), settings);
}

function from(remoteAddress: string): Request {
  return { socket: { remoteAddress }, headers: {} } as unknown as Request;
}

const isLetIn = (callers: PublicCallers, address: string, id: string) =>
  'fields' in callers.take(from(address), id);

describe('Callers without a credential', () => {
  it('count with their whole /64, for a session and in guessing', async () => {
    const callers = callersWith({ requests: 2, addressRequests: 100, misses: 1 });
    const [one, neighbour, other] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'];

    const polls = [one, neighbour, one, other].map((address) => isLetIn(callers, address, 'session'));
    await callers
      .limited(from(one), 'guess', () => Promise.reject(notFound('checkout')))
      .catch(() => undefined);

    expect(polls).toEqual([true, true, false, true]);
    expect(isLetIn(callers, neighbour, 'another')).toBe(false);
    expect(isLetIn(callers, other, 'another')).toBe(true);
  });

  it('may ask so much in all, for however many sessions; a refusal takes nothing', () => {
    const callers = callersWith({ requests: 2, addressRequests: 4, misses: 9 });

    const asked = ['a', 'a', 'a', 'b', 'c', 'd', 'b'].map((id) => isLetIn(callers, '203.0.113.7', id));

    expect(asked).toEqual([true, true, false, true, true, false, false]);
    expect(isLetIn(callers, '203.0.113.8', 'd')).toBe(true);
  });

  it('have a session’s whole count left that they were refused for asking too much in all', () => {
    let now = 0;
    const callers = callersWith({ requests: 1, addressRequests: 1, misses: 9 }, () => now);
    isLetIn(callers, '203.0.113.7', 'a');
    now = 30_000;
    const early = isLetIn(callers, '203.0.113.7', 'b');
    now = 60_000;

    expect([early, isLetIn(callers, '203.0.113.7', 'b')]).toEqual([false, true]);
  });

  it('see what is left of the limit that they will meet first, and which limit they have met', () => {
    let now = 0;
    const callers = callersWith({ requests: 3, addressRequests: 4, misses: 9 }, () => now);
    const ask = (id: string) => {
      const turn = callers.take(from('203.0.113.7'), id);
      return 'fields' in turn ? turn.fields : `${turn.wait} s for ${turn.policy.name}`;
    };
    const policies = ['RateLimit-Policy', '"session";q=3;w=60, "address";q=4;w=60'];

    const [first, second] = [ask('a'), ask('a')];
    now = 20_500;

    expect([first, second]).toEqual([
      [...policies, 'RateLimit', '"session";r=2;t=60'],
      [...policies, 'RateLimit', '"session";r=1;t=60'],
    ]);
    expect(ask('b')).toEqual([...policies, 'RateLimit', '"address";r=1;t=40']);
    expect([ask('a')[3], ask('a'), ask('b')]).toEqual([
      '"session";r=0;t=40',
      '40 s for address',
      '40 s for address',
    ]);
    expect(callersWith({ requests: 0, addressRequests: 4, misses: 9 }).take(from('::1'), 'a')).toMatchObject({
      policy: { name: 'session' },
    });
  });

  it('have guessed nothing where the thing is there and only shown nothing of yet', async () => {
    const callers = callersWith({ requests: 9, addressRequests: 9, misses: 1 });
    const notYet = new NotFoundWithoutGuess('not_found', 'not_found', 'Not opened yet.');

    const early = callers.limited(from('203.0.113.7'), 'link', () => Promise.reject(notYet));

    await expect(early).rejects.toMatchObject({ kind: 'not_found' });
    expect(isLetIn(callers, '203.0.113.7', 'link')).toBe(true);
  });
});
