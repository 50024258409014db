import { describe, expect, it } from '@jest/globals';
import { KeyedSemaphore } from './keyed-semaphore.js';
import { RoundRobinMutex } from './round-robin-mutex.js';

/** Starts calls that run until `end` is called with their name. */
function callsOf(limiter: Pick<KeyedSemaphore, 'run'>) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (name: string, key = 'key') =>
    limiter.run(key, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await new Promise(setImmediate);
  };
  return { started, call, end };
}

describe('A semaphore of keys', () => {
  it('runs as many calls of a key as it may, and the others in order', async () => {
    const { started, call, end } = callsOf(new KeyedSemaphore(2, 4));
    for (const name of ['a', 'b', 'c', 'd']) void call(name);
    void call('x', 'another key');
    const atFirst = [...started];
    const refused = call('e');

    await end('b');
    void call('f');
    await end('a');

    expect([atFirst, refused, started]).toEqual([['a', 'b', 'x'], null, ['a', 'b', 'x', 'c', 'd']]);
  });
});

describe('A mutex in turns', () => {
  it('runs one call at a time, alternates between keys, and refuses calls beyond the limit of a key', async () => {
    const { started, call, end } = callsOf(new RoundRobinMutex(3));
    for (const name of ['a1', 'a2', 'a3']) void call(name, 'a');
    const refused = call('a4', 'a');
    void call('b1', 'b');
    const atFirst = [...started];

    for (const name of ['a1', 'a2', 'b1']) await end(name);

    expect([atFirst, refused, started]).toEqual([['a1'], null, ['a1', 'a2', 'b1', 'a3']]);
  });
});
