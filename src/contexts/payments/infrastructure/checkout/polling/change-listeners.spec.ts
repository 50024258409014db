import { describe, expect, it } from '@jest/globals';
import { ChangeListeners } from './change-listeners.js';

describe('Those who wait for changes of requests', () => {
  it('are woken by their own request and by a change of many, until they end it', () => {
    const listeners = new ChangeListeners();
    const woken: string[] = [];
    const listen = (id: string, name: string) => listeners.add(id, () => woken.push(name));
    const endings = [listen('one', 'a'), listen('one', 'b'), listen('other', 'c')];

    listeners.wake('one');
    listeners.wake('unknown');
    const byTheirOwn = woken.splice(0);
    listeners.wakeAll();
    const byMany = woken.splice(0);
    endings[0]!();
    endings[0]!();
    listeners.wake('one');

    expect([byTheirOwn, byMany, woken]).toEqual([['a', 'b'], ['a', 'b', 'c'], ['b']]);
  });

  it('leave nothing behind', () => {
    const listeners = new ChangeListeners();
    const wake = () => undefined;
    const endings = ['one', 'one', 'other'].map((id) => listeners.add(id, wake));
    const before = listeners.size;

    endings.forEach((end) => end());
    const again = listeners.add('one', wake);
    endings[0]!();

    expect([before, listeners.size]).toEqual([2, 1]);
    again();
    expect(listeners.size).toBe(0);
  });
});
