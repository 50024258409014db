import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { ChangeListeners } from '../../checkout/polling/change-listeners.js';
import type { CachedCheckoutReader } from '../../checkout/polling/cached-checkout-reader.js';
import { AwaitedPayments, type WaitingCaller } from './awaited-payments.js';

const NOBODY_GOES = new AbortController().signal;
let listeners: ChangeListeners;
let awaited: AwaitedPayments<'seen'>;
let callers: number;
let request: PaymentRequestId;
let state: 'sent' | 'seen';
let looks: number;

beforeEach(() => {
  jest.useFakeTimers();
  listeners = new ChangeListeners();
  const listen = (id: string, wake: () => void) => Promise.resolve(listeners.add(id, wake));
  awaited = new AwaitedPayments({ listen } as unknown as CachedCheckoutReader);
  [request, state, looks, callers] = [newId() as PaymentRequestId, 'sent', 0, 0];
});
afterEach(() => {
  jest.useRealTimers();
});

const look = () => {
  looks += 1;
  return Promise.resolve(state === 'seen' ? state : undefined);
};
/** A waiting caller with its own name. All such callers wait for the same payment unless a test changes it. */
const one = (differs: Partial<WaitingCaller> = {}): WaitingCaller => ({
  ...{ request, payment: 'a header', caller: `caller ${(callers += 1)}`, gone: NOBODY_GOES },
  ...differs,
});
const wait = (differs: Partial<WaitingCaller> = {}) => awaited.waitForPayment(one(differs), look);
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

describe('Waiting for a payment', () => {
  it('ends with the change of its request that shows it and leaves no listener behind', async () => {
    const waiting = wait();
    await pass(0);
    listeners.wake(newId());
    listeners.wake(request);
    await pass(0);
    state = 'seen';
    listeners.wake(request);

    expect([await waiting, looks, listeners.size, jest.getTimerCount()]).toEqual(['seen', 3, 0, 0]);
  });

  it('does not miss a change during a check', async () => {
    const waiting = awaited.waitForPayment(one(), () => {
      const seen = state === 'seen' ? state : undefined;
      if (looks === 0) [state] = ['seen', listeners.wake(request)];
      looks += 1;
      return Promise.resolve(seen);
    });
    await pass(0);

    expect(looks).toBe(2);
    expect(await waiting).toBe('seen');
  });

  it('checks every five seconds without a change and ends after 25', async () => {
    const waiting = wait();
    await pass(24_999);
    const before = looks;
    await pass(1);

    expect([before, await waiting, listeners.size, jest.getTimerCount()]).toEqual([5, undefined, 0, 0]);
  });

  it('checks once for all callers that wait for the same payment', async () => {
    const early = wait();
    await pass(20_000);
    const [later, other] = [wait(), wait({ payment: 'another header' })];
    await pass(0);
    const before = looks;
    listeners.wake(request);
    await pass(0);
    const afterChange = looks;
    await pass(5_000);
    const leftAlone = await early;
    state = 'seen';
    listeners.wake(request);

    expect([afterChange - before, leftAlone, await later, await other]).toEqual([
      2,
      undefined,
      'seen',
      'seen',
    ]);
    expect([listeners.size, jest.getTimerCount()]).toEqual([0, 0]);
  });

  it('ends when its caller leaves and when the process stops', async () => {
    const caller = new AbortController();
    const [left, kept] = [wait({ gone: caller.signal }), wait()];
    await pass(0);
    caller.abort();
    const afterLeaving = await left;
    awaited.beforeApplicationShutdown();

    expect([afterLeaving, await kept, await wait(), listeners.size]).toEqual([
      undefined,
      undefined,
      undefined,
      0,
    ]);
  });

  it('accepts 100 callers per request and 500 in total, and answers the next immediately', async () => {
    const others = Array.from({ length: 4 }, () => newId() as PaymentRequestId);
    const hundred = (id: PaymentRequestId) => Array.from({ length: 100 }, () => wait({ request: id }));
    const first = hundred(request);
    const oneMore = wait();
    const all = [first, ...others.map(hundred)].flat();
    const another = wait({ request: newId() as PaymentRequestId });
    await pass(0);
    state = 'seen';
    listeners.wakeAll();

    expect([await oneMore, await another, new Set(await Promise.all(all)).size]).toEqual([
      undefined,
      undefined,
      1,
    ]);
    expect(await wait()).toBe('seen');
  });

  it('accepts ten of one caller for any requests, and answers the next immediately', async () => {
    const next = () => wait({ request: newId() as PaymentRequestId, caller: 'the same' });
    const ten = Array.from({ length: 10 }, next);
    const oneMore = next();
    const somebody = wait();
    await pass(0);
    state = 'seen';
    listeners.wakeAll();

    expect([await oneMore, await somebody, new Set(await Promise.all(ten)).size]).toEqual([
      undefined,
      'seen',
      1,
    ]);
    expect(await next()).toBe('seen');
  });
});
