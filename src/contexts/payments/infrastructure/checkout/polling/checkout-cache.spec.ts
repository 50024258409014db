import { describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { CheckoutCache, type CachedCheckout } from './checkout-cache.js';

function remembered(name: string, fields: Partial<CachedCheckout> = {}): CachedCheckout {
  const view = { id: `id of ${name}`, sessionId: name } as CheckoutView;
  const body = Buffer.from(name);
  const times = { readAt: 0, renderedAt: 0, askedAt: 0 };
  return { view, body, etag: '"1"', ...times, head: undefined, domains: 0, ...fields };
}

function memoryOf(most: number, ...names: string[]): CheckoutCache {
  const memory = new CheckoutCache(most);
  for (const name of names) memory.keep(remembered(name));
  return memory;
}

const namesIn = (memory: CheckoutCache) => [...memory.all()].map(({ view }) => view.sessionId).sort();

describe('The memory of polled checkouts', () => {
  it('keeps the sites that may frame a page when sessions are forgotten, up to a limit', () => {
    const memory = memoryOf(2, 'one');
    const seen = (name: string, frameOrigins: string[]) =>
      memory.storeFrameOrigins({ ...remembered(name).view, frameOrigins });
    for (const name of ['one', 'other', 'third']) seen(name, [`https://${name}.example`]);
    seen('other', []);
    memory.forgetAll();

    const known = ['one', 'other', 'third'].map((name) => memory.frameOriginsOf(name));

    expect(known).toEqual([[], [], ['https://third.example']]);
  });

  it('finds a checkout by its session and forgets it by its request', () => {
    const memory = memoryOf(9, 'one', 'other');

    memory.forget('id of one');
    memory.forget('id of nobody');

    expect(memory.find('one')).toBeUndefined();
    expect(memory.find('other')).toBeDefined();
    expect(memory.size).toBe(1);
  });

  it('evicts the sessions that were not polled for the longest time', () => {
    const memory = memoryOf(3, 'first', 'second', 'third');
    memory.find('first');

    memory.keep(remembered('fourth'));
    const afterOne = namesIn(memory);
    memory.keep(remembered('fifth'));

    expect(afterOne).toEqual(['first', 'fourth', 'third']);
    expect(namesIn(memory)).toEqual(['fifth', 'first', 'fourth']);
  });

  it('drops sessions that were not polled or were read too long ago', () => {
    const memory = memoryOf(9);
    memory.keep(remembered('kept', { askedAt: 100, readAt: 50 }));
    memory.keep(remembered('unasked', { askedAt: 99, readAt: 50 }));
    memory.keep(remembered('old', { askedAt: 200, readAt: 49 }));

    memory.sweep(100, 50);

    expect(namesIn(memory)).toEqual(['kept']);
  });
});
