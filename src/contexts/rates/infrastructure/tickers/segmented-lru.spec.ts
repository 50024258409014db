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
    memory.keep('used', '1');
    time = 10;
    memory.use('used');

    for (let i = 0; i < 100; i += 1) memory.keep(`once ${i}`, '2');

    expect(memory.use('used')).toBe('1');
    expect(memory.look('once 97')).toBeUndefined();
    expect(memory.look('once 98')).toBe('2');
  });

  it('does not count lookups as use', () => {
    memory.keep('brief', '1');
    time = 9;
    memory.use('brief');
    time = 10;
    memory.look('brief');

    for (const name of ['a', 'b']) memory.keep(name, '2');

    expect(memory.look('brief')).toBeUndefined();
  });

  it('evicts the entry in use that was unused for the longest time', () => {
    for (const name of ['a', 'b', 'c']) {
      memory.keep(name, name);
      time += 10;
      memory.use(name);
      memory.use('a');
    }

    expect(['a', 'b', 'c'].map((name) => memory.look(name))).toEqual(['a', undefined, 'c']);
  });
});
