import { describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import { CheckoutMemory, type RememberedCheckout } from './checkout-memory.js';

function remembered(name: string, fields: Partial<RememberedCheckout> = {}): RememberedCheckout {
  const view = { id: `id of ${name}`, sessionId: name } as CheckoutView;
  const body = Buffer.from(name);
  const times = { readAt: 0, renderedAt: 0, askedAt: 0 };
  return { view, body, etag: '"1"', ...times, head: undefined, domains: 0, ...fields };
}

function memoryOf(most: number, ...names: string[]): CheckoutMemory {
  const memory = new CheckoutMemory(most);
  for (const name of names) memory.keep(remembered(name));
  return memory;
}

const namesIn = (memory: CheckoutMemory) => [...memory.all()].map(({ view }) => view.sessionId).sort();

describe('The memory of polled checkouts', () => {
  it('knows who may frame a page after the rest is forgotten, of so many', () => {
    const memory = memoryOf(2, 'one');
    const seen = (name: string, frameOrigins: string[]) =>
      memory.noteFrameOrigins({ ...remembered(name).view, frameOrigins });
    for (const name of ['one', 'other', 'third']) seen(name, [`https://${name}.example`]);
    seen('other', []);
    memory.forgetAll();

    const known = ['one', 'other', 'third'].map((name) => memory.frameOriginsOf(name));

    expect(known).toEqual([[], [], ['https://third.example']]);
  });

  it('is found by session and forgotten by request', () => {
    const memory = memoryOf(9, 'one', 'other');

    memory.forget('id of one');
    memory.forget('id of nobody');

    expect(memory.recall('one')).toBeUndefined();
    expect(memory.recall('other')).toBeDefined();
    expect(memory.size).toBe(1);
  });

  it('keeps no request’s id of a session that gave way to others', () => {
    const memory = memoryOf(2, 'one', 'other', 'third');

    expect(namesIn(memory)).toEqual(['other', 'third']);
    expect([...memory['sessionOf'].values()].sort()).toEqual(['other', 'third']);
  });

  it('keeps the newest of what was read of a session', () => {
    const memory = memoryOf(9, 'one');
    const newer = remembered('one', { etag: '"2"' });

    memory.keep(newer);

    expect(memory.recall('one')).toBe(newer);
    expect(memory.size).toBe(1);
  });

  it('holds so many at most, and lets go first of what was not asked for longest', () => {
    const memory = memoryOf(3, 'first', 'second', 'third');
    memory.recall('first');

    memory.keep(remembered('fourth'));
    const afterOne = namesIn(memory);
    memory.keep(remembered('fifth'));

    expect(afterOne).toEqual(['first', 'fourth', 'third']);
    expect(namesIn(memory)).toEqual(['fifth', 'first', 'fourth']);
  });

  it('sweeps what nobody asked for, and what was read too long ago however often it is asked for', () => {
    const memory = memoryOf(9);
    memory.keep(remembered('kept', { askedAt: 100, readAt: 50 }));
    memory.keep(remembered('unasked', { askedAt: 99, readAt: 50 }));
    memory.keep(remembered('old', { askedAt: 200, readAt: 49 }));

    memory.sweep(100, 50);

    expect(namesIn(memory)).toEqual(['kept']);
  });

  it('can forget all', () => {
    const memory = memoryOf(9, 'one', 'other');

    memory.forgetAll();

    expect([memory.size, memory.recall('one')]).toEqual([0, undefined]);
  });
});
