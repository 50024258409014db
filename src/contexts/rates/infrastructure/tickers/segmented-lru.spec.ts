import { beforeEach, describe, expect, it } from '@jest/globals';
import { SegmentedLru } from './segmented-lru.js';

let time: number;
let memory: SegmentedLru<string>;

beforeEach(() => {
  time = 0;
  memory = new SegmentedLru(4, 10, () => time);
});

describe('A bounded memory', () => {
  it('keeps entries in use while new entries are added', () => {
    memory.set('used', '1');
    time = 10;
    memory.get('used');

    for (let i = 0; i < 100; i += 1) memory.set(`once ${i}`, '2');

    expect(memory.get('used')).toBe('1');
    expect(memory.peek('once 97')).toBeUndefined();
    expect(memory.peek('once 98')).toBe('2');
  });

  it('does not count lookups as use', () => {
    memory.set('brief', '1');
    time = 9;
    memory.get('brief');
    time = 10;
    memory.peek('brief');

    for (const name of ['a', 'b']) memory.set(name, '2');

    expect(memory.peek('brief')).toBeUndefined();
  });

  it('evicts the entry in use that was unused for the longest time', () => {
    for (const name of ['a', 'b', 'c']) {
      memory.set(name, name);
      time += 10;
      memory.get(name);
      memory.get('a');
    }

    expect(['a', 'b', 'c'].map((name) => memory.peek(name))).toEqual(['a', undefined, 'c']);
  });
});
