import { describe, expect, it } from '@jest/globals';
import { ChangeListeners } from './change-listeners.js';

describe('A listener for changes of a request', () => {
  it('is woken by a change of its request or of many requests, until it stops listening', () => {
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

    expect([byTheirOwn, byMany, woken, listeners.size]).toEqual([['a', 'b'], ['a', 'b', 'c'], ['b'], 2]);
  });
});
