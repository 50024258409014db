import { beforeEach, describe, expect, it } from '@jest/globals';
import { AskQueue, TooManyAsks } from './ask-queue.js';

let began: string[];
let ends: Map<string, () => void>;
let queue: AskQueue;

beforeEach(() => {
  [began, ends] = [[], new Map()];
  // As long as a timer can be: what a test leaves waiting would be refused in the middle of another file.
  queue = new AskQueue({ atOnce: 2, waiting: 2, waitMs: 2 ** 31 - 1 });
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

describe('Asks of one source', () => {
  it('run two at once, and the others when one has ended, also by failing', async () => {
    const failing = queue.enter(() => Promise.reject(new Error('broken')), true);
    const [b, c] = ['b', 'c'].map((name) => ask(name, true));

    await expect(failing.answer).rejects.toThrow('broken');
    await settled();

    expect(began).toEqual(['b', 'c']);
    await end('b');
    await end('c');
    expect(await Promise.all([b!.answer, c!.answer])).toEqual(['b', 'c']);
  });

  it('come before those that nobody waits for', async () => {
    for (const name of ['a', 'b', 'behind']) ask(name, false);
    ask('awaited', true);

    await settled();
    await end('a');
    await end('b');

    expect(began).toEqual(['a', 'b', 'awaited', 'behind']);
  });

  it('come forward once somebody waits for them', async () => {
    for (const name of ['a', 'b', 'behind']) ask(name, false);
    ask('wanted', false).hurry();

    await settled();
    await end('a');

    expect(began).toEqual(['a', 'b', 'wanted']);
  });

  it.each([
    ['awaited', true],
    ['background', false],
  ])('are refused where too many %s ones wait, which take no place of the others', async (_, isAwaited) => {
    const entered = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(name, isAwaited).answer);
    await expect(entered[4]).rejects.toBeInstanceOf(TooManyAsks);

    ask('other', !isAwaited);
    await settled();
    for (const name of ['a', 'b', 'c', 'd']) await end(name);

    expect(began).toHaveLength(5);
    expect(began).toContain('other');
  });

  it('are refused after they have waited too long, and never run', async () => {
    const impatient = new AskQueue({ atOnce: 1, waiting: 2, waitMs: 20 });
    ask('a', true, impatient);

    await expect(ask('late', true, impatient).answer).rejects.toBeInstanceOf(TooManyAsks);
    await end('a');

    expect(began).toEqual(['a']);
    ask('next', true, impatient);
    await settled();
    expect(began).toEqual(['a', 'next']);
  });
});
