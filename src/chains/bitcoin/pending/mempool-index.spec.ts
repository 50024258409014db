import { describe, expect, it } from '@jest/globals';
import { MempoolIndex } from './mempool-index.js';

const lists = (...each: readonly (readonly string[])[]) => new Map(each.map((list, i) => [i, list]));

describe('The list of held transactions to examine', () => {
  it('contains the newest first, equally by endpoint, and last those that were not shown', () => {
    const held = new MempoolIndex();
    held.updateLists(lists(['a', 'b'], ['c', 'd', 'e', 'f']), []);
    const first = held.takeUnexamined(2);
    held.recordExamined(first, [], []);

    expect(first).toEqual(['f', 'b']);
    expect(held.takeUnexamined(3)).toEqual(['e', 'd', 'a']);
    expect([held.hasUnexaminedFrom(0), held.hasUnexaminedFrom(1)]).toEqual([true, true]);
  });

  it('contains a transaction again when another endpoint lists it', () => {
    const held = new MempoolIndex();
    held.updateLists(lists(['a']), []);
    held.recordExamined(held.takeUnexamined(1), [], [['a', 0]]);
    held.updateLists(lists(['a']), []);
    expect(held.hasMore).toBe(false);
    held.updateLists(lists(['a'], ['a']), []);

    expect(held.takeUnexamined(9)).toEqual(['a']);
    expect([held.isListedBy('a', 0), held.isListedBy('a', 1)]).toEqual([false, true]);
  });

  it('contains a transaction again when an endpoint lists it after it was missing', () => {
    const held = new MempoolIndex();
    held.updateLists(lists(['a'], ['a']), []);
    held.recordExamined(held.takeUnexamined(1), [], [['a', 0]]);
    held.updateLists(lists([], ['a']), []);
    held.updateLists(lists(['a'], ['a']), []);

    expect([held.isListedBy('a', 0), held.countWithheldBy(0)]).toEqual([true, 0]);
  });

  it('keeps transactions of an endpoint that no longer responds', () => {
    const held = new MempoolIndex();
    held.updateLists(lists(['a'], ['b']), []);
    held.recordExamined(held.takeUnexamined(2), ['a', 'b'], []);
    held.updateLists(new Map([[1, ['b']]]), [0]);

    expect(held.presence([0, 1])('a')).toBe(true);
    expect(held.presence([1])('a')).toBe(false);
    held.updateLists(lists(['a'], ['b']), []);
    expect(held.hasMore).toBe(false);
  });
});
