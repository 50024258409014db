import { describe, expect, it } from '@jest/globals';
import { Since, Timeline } from './since.js';

describe('A value with the moments of its changes', () => {
  it('returns the value that was known before a moment', () => {
    const since = new Since('a');
    since.learn(10, 'b');
    since.learn(20, 'c');
    expect([10, 11, 20, 21].map((at) => since.before(at))).toEqual(['a', 'b', 'b', 'c']);
  });
});

type Change = readonly [value: string, from: number, until: number];

describe('A timeline of changes at uncertain moments', () => {
  it.each<[string, readonly Change[], from: number, until: number, string[]]>([
    // prettier-ignore
    ['only the new value after a completed change', [['a', 0, 0], ['b', 10, 12]], 13, 20, ['b']],
    // prettier-ignore
    ['both values during a change', [['a', 0, 0], ['b', 10, 12]], 11, 20, ['b', 'a']],
    // prettier-ignore
    ['only a certain change after an uncertain one', [['b', 10, Infinity], ['c', 50_000, 50_001]], 90_000, 90_001, ['c']],
    // prettier-ignore
    ['both values of two concurrent changes', [['b', 20, 30], ['a', 10, 100]], 150, 160, ['a', 'b']],
    // prettier-ignore
    ['the last of two changes in one millisecond', [['b', 20, 20], ['a', 20, 20]], 150, 160, ['a']],
  ])('returns %s', (_, changes, from, until, expected) => {
    const timeline = new Timeline<string>();
    for (const [value, start, end] of changes) timeline.change(value, start, end);
    expect(timeline.within(from, until)).toEqual(expected);
  });
});
