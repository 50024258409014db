import { beforeEach, describe, expect, it } from '@jest/globals';
import { SegmentedLru } from './segmented-lru.js';

let time: number;
let memory: SegmentedLru<string>;

beforeEach(() => {
  time = 0;
  memory = new SegmentedLru(4, 10, () => time);
});

describe('A bounded memory', () => {
  it('loses nothing that is in use to any number of newcomers', () => {
    memory.keep('used', '1');
    time = 10;
    memory.use('used');

    for (let i = 0; i < 100; i += 1) memory.keep(`once ${i}`, '2');

    expect(memory.use('used')).toBe('1');
    expect(memory.look('once 97')).toBeUndefined();
    expect(memory.look('once 98')).toBe('2');
  });

  it('takes no single use for more, however often it is looked at', () => {
    memory.keep('brief', '1');
    time = 9;
    memory.use('brief');
    time = 10;
    memory.look('brief');

    for (const name of ['a', 'b']) memory.keep(name, '2');

    expect(memory.look('brief')).toBeUndefined();
  });

  it('drops what was unused longest where too much is in use', () => {
    for (const name of ['a', 'b', 'c']) {
      memory.keep(name, name);
      time += 10;
      memory.use(name);
      memory.use('a');
    }

    expect(['a', 'b', 'c'].map((name) => memory.look(name))).toEqual(['a', undefined, 'c']);
  });

  it('keeps the newer value in the place of the older', () => {
    memory.keep('a', '1');
    time = 10;
    memory.use('a');

    memory.keep('a', '2');
    for (const name of ['b', 'c', 'd']) memory.keep(name, '3');

    expect(memory.use('a')).toBe('2');
  });
});
