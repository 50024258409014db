import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { DeliveryLanes } from './delivery-lanes.js';

function lanesUnderControl() {
  const running = new Map<string, (well: boolean) => void>();
  const stale = new Set<string>();
  const started: string[] = [];
  const lanes = new DeliveryLanes<string>(
    (item) => {
      started.push(item);
      return new Promise((resolve) => running.set(item, resolve));
    },
    (item) => stale.has(item),
    () => undefined,
  );
  const finish = async (item: string, well: boolean) => {
    running.get(item)!(well);
    await turn();
  };
  const add = (lane: string, count: number) => {
    for (let n = 1; n <= count; n += 1) lanes.add(lane, `${lane}${n}`);
  };
  return { lanes, started, stale, finish, add };
}

describe('Lanes', () => {
  it('let a full lane wait and the others go on', async () => {
    const { lanes, started, finish, add } = lanesUnderControl();

    add('a', 17);
    add('b', 1);

    expect(started).toHaveLength(17);
    expect(started).toContain('b1');
    expect(lanes.busy()).toEqual(['a']);
    await finish('a1', true);
    expect(started).toContain('a17');
    expect(lanes.held).toBe(17);
  });

  it('give a failing lane little until it works again', async () => {
    const { lanes, started, finish, add } = lanesUnderControl();
    add('a', 1);
    await finish('a1', false);
    started.length = 0;

    add('a', 5);
    expect(started).toEqual(['a1', 'a2']);
    expect(lanes.busy()).toEqual(['a']);
    await finish('a1', true);
    expect(started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
  });

  it('drop what grew stale while it waited, and drain', async () => {
    const { lanes, started, stale, finish, add } = lanesUnderControl();
    add('a', 16);
    lanes.add('a', 'late');
    stale.add('late');
    let drained = false;
    void lanes.drained().then(() => (drained = true));

    for (let n = 1; n <= 16; n += 1) {
      expect(drained).toBe(false);
      await finish(`a${n}`, true);
    }

    expect(started).not.toContain('late');
    expect([drained, lanes.held, lanes.busy()]).toEqual([true, 0, []]);
  });
});
