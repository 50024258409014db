import { beforeEach, describe, expect, it } from '@jest/globals';
import { PriceRequestQueue, PriceRequestQueueFullError } from './price-request-queue.js';

let began: string[];
let ends: Map<string, () => void>;
let queue: PriceRequestQueue;

beforeEach(() => {
  [began, ends] = [[], new Map()];
  // The longest possible timer: a request that a test leaves queued must not time out during another test file.
  queue = new PriceRequestQueue({ atOnce: 2, waiting: 2, waitMs: 2 ** 31 - 1 });
});

const ask = (name: string, isAwaited: boolean, line = queue) =>
  line.enter(() => {
    began.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  }, isAwaited);
const settled = () => new Promise((resolve) => setImmediate(resolve));
const end = async (name: string) => {
  ends.get(name)!();
  await settled();
};

describe('The queue of requests to a source', () => {
  it('runs two requests concurrently and the next after one has ended or failed', async () => {
    const failing = queue.enter(() => Promise.reject(new Error('broken')), true);
    const [b, c] = ['b', 'c'].map((name) => ask(name, true));

    await expect(failing.answer).rejects.toThrow('broken');
    await settled();

    expect(began).toEqual(['b', 'c']);
    await end('b');
    await end('c');
    expect(await Promise.all([b!.answer, c!.answer])).toEqual(['b', 'c']);
  });

  it('prefers a request once a caller waits for it', async () => {
    for (const name of ['a', 'b', 'behind']) ask(name, false);
    ask('wanted', false).hurry();

    await settled();
    await end('a');

    expect(began).toEqual(['a', 'b', 'wanted']);
  });

  it.each([
    ['awaited', true],
    ['background', false],
  ])('rejects too many %s requests without taking places of the others', async (_, isAwaited) => {
    const entered = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, isAwaited).answer);
    await expect(entered[4]).rejects.toBeInstanceOf(PriceRequestQueueFullError);

    ask('other', !isAwaited);
    await settled();
    for (const name of ['a', 'b', 'c', 'd']) await end(name);

    expect(began).toHaveLength(5);
    expect(began).toContain('other');
  });

  it('rejects a request that has waited too long and never runs it', async () => {
    const impatient = new PriceRequestQueue({ atOnce: 1, waiting: 2, waitMs: 20 });
    ask('a', true, impatient);

    await expect(ask('late', true, impatient).answer).rejects.toBeInstanceOf(PriceRequestQueueFullError);
    await end('a');

    expect(began).toEqual(['a']);
    ask('next', true, impatient);
    await settled();
    expect(began).toEqual(['a', 'next']);
  });
});
