import { describe, expect, it } from '@jest/globals';
import { Since, Timeline } from './since.js';

describe('what is known of time', () => {
  it('answers with what was known before a moment', () => {
    const since = new Since('a');
    since.learn(10, 'b');
    since.learn(20, 'c');
    expect([10, 11, 20, 21].map((at) => since.before(at))).toEqual(['a', 'b', 'b', 'c']);
  });

  it.each([
    [
      'a change that is over',
      [
        ['a', 0, 0],
        ['b', 10, 12],
      ],
      13,
      20,
      ['b'],
    ],
    [
      'a change under way',
      [
        ['a', 0, 0],
        ['b', 10, 12],
      ],
      11,
      20,
      ['b', 'a'],
    ],
    [
      'a change that is not known to be carried out',
      [
        ['a', 0, 0],
        ['b', 10, Infinity],
        ['a', 10, Infinity],
      ],
      90_000,
      90_001,
      ['a', 'b', 'a'],
    ],
    [
      'a certain change after it',
      [
        ['b', 10, Infinity],
        ['c', 50_000, 50_001],
      ],
      90_000,
      90_001,
      ['c'],
    ],
    [
      'two changes at once',
      [
        ['b', 20, 30],
        ['a', 10, 100],
      ],
      150,
      160,
      ['a', 'b'],
    ],
    [
      'two changes in one millisecond',
      [
        ['b', 20, 20],
        ['a', 20, 20],
      ],
      150,
      160,
      ['a'],
    ],
  ] as const)('knows what may be in force: %s', (_, changes, from, until, expected) => {
    const timeline = new Timeline<string>();
    for (const [value, start, end] of changes) timeline.change(value, start, end);
    expect(timeline.within(from, until)).toEqual(expected);
  });
});
