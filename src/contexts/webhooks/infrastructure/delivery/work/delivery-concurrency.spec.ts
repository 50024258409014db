import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DeliveryConcurrency } from './delivery-concurrency.js';

function controlledConcurrency(capacity = 64) {
  const running = new Map<string, (well: boolean) => void>();
  const stale = new Set<string>();
  const started: string[] = [];
  const asked: 'room'[] = [];
  const lanes = new DeliveryConcurrency<string>({
    capacity,
    run: (item) => {
      started.push(item);
      return new Promise((resolve) => running.set(item, resolve));
    },
    isStale: (item) => stale.has(item),
    onRoom: () => asked.push('room'),
  });
  let named = 0;
  const add = (lane: string, count: number) => {
    const items = Array.from({ length: count }, () => `${lane}${(named += 1)}`);
    for (const item of items) lanes.add(lane, item);
    return items;
  };
  const finish = async (item: string, well: boolean) => {
    running.get(item)!(well);
    running.delete(item);
    await turn();
  };
  const roomOf = (lane: string) => {
    const { of, ofOthers } = lanes.room().lanes;
    return of.get(lane) ?? ofOthers;
  };
  /** Finishes items of a lane successfully until its limit is 16. */
  const grow = async (lane: string) => {
    for (const item of [...add(lane, 2), ...add(lane, 1)]) await finish(item, true);
  };
  return { lanes, started, asked, stale, running, finish, add, roomOf, grow };
}

describe('The concurrency of deliveries, with a lane for each webhook', () => {
  it('makes only a full lane wait, not the others', async () => {
    const { started, finish, add, roomOf, lanes } = controlledConcurrency();

    const [first, , third] = add('a', 3);
    const [other] = add('b', 1);

    expect(started).not.toContain(third);
    expect(started).toContain(other);
    expect([roomOf('a'), roomOf('b')]).toEqual([0, 1]);
    await finish(first!, true);
    expect(started).toContain(third);
    expect(lanes.held).toBe(3);
  });

  it('starts with two deliveries per lane and doubles with each success, up to sixteen', async () => {
    const { started, finish, add, running } = controlledConcurrency(256);
    const atATime: number[] = [];

    for (let n = 1; n <= 5; n += 1) {
      add('a', 20);
      atATime.push(running.size);
      await finish(started.at(-1)!, true);
    }

    expect(atATime).toEqual([2, 4, 8, 16, 16]);
  });

  it('claims more in advance for a lane that has grown by successes, in large batches', async () => {
    const { finish, add, roomOf, grow, started, asked } = controlledConcurrency(256);
    await grow('a');
    const empty = roomOf('a');
    add('a', 64);
    asked.length = 0;

    const rooms: number[] = [];
    for (let n = 0; n < 34; n += 1) {
      await finish(started[3 + n]!, true);
      rooms.push(roomOf('a'));
    }

    expect(empty).toBe(64);
    expect(rooms.slice(0, 31)).toEqual(Array(31).fill(0));
    expect(rooms.slice(31)).toEqual([32, 33, 34]);
    expect(asked).toHaveLength(3);
  });

  it('claims nothing in advance once half of the capacity is in use', async () => {
    const { add, roomOf, grow } = controlledConcurrency(128);
    for (const lane of ['a', 'b']) await grow(lane);

    add('a', 64);

    expect(roomOf('b')).toBe(16);
  });

  it('reduces a failing lane until it succeeds again', async () => {
    const { started, finish, add, roomOf, grow } = controlledConcurrency();
    await grow('a');
    const [failing] = add('a', 1);
    await finish(failing!, false);
    started.length = 0;

    const items = add('a', 5);
    expect(started).toEqual(items.slice(0, 2));
    expect(roomOf('a')).toBe(0);
    await finish(items[0]!, true);
    expect(started).toEqual(items);
  });

  it('reserves half of the capacity for lanes that have grown, however many others hang', async () => {
    const { add, roomOf, grow, lanes } = controlledConcurrency(64);
    await grow('well');

    for (let n = 0; roomOf(`hanging-${n}`) > 0; n += 1) add(`hanging-${n}`, 2);

    expect(lanes.held).toBe(32);
    expect(roomOf('well')).toBe(16);
    expect(lanes.room().total).toBe(32);
    expect(lanes.isFull()).toBe(true);
  });

  it('offers the full capacity again after hanging deliveries have ended', async () => {
    const { add, roomOf, finish, lanes, running } = controlledConcurrency(8);
    for (const lane of ['a', 'b']) add(lane, 2);
    expect(roomOf('c')).toBe(0);

    for (const item of [...running.keys()]) await finish(item, false);

    expect([roomOf('a'), roomOf('c'), lanes.room().total]).toEqual([2, 2, 4]);
    expect(lanes.isFull()).toBe(false);
  });

  it('drops deliveries that become stale while they wait, and reports when none is left', async () => {
    const { lanes, started, stale, finish, add } = controlledConcurrency();
    const [first, second, late] = add('a', 3);
    stale.add(late!);
    let drained = false;
    void lanes.whenDrained().then(() => (drained = true));

    await finish(first!, true);
    expect(drained).toBe(false);
    await finish(second!, true);

    expect(started).not.toContain(late);
    expect([drained, lanes.held]).toEqual([true, 0]);
  });
});
