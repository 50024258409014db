import { describe, expect, it } from '@jest/globals';
import { messageOf } from '../src/page-messages.js';

const SESSION = 'Zk9mQ2x1c3RlckNvZmZlZTAxMjM0NTY3';
const PAGE = { origin: 'https://pay.example', session: SESSION };
const opened = { name: 'the frame' };
const data = { type: 'payment-collection', event: 'status', session_id: SESSION, status: 'completed' };

function heard(changes: { source?: object | null; origin?: string; data?: unknown }, from: unknown = opened) {
  const event = { source: opened, origin: PAGE.origin, data, ...changes } as unknown as MessageEvent;
  return messageOf(PAGE, from, event);
}

describe('A message to the shop’s page', () => {
  it('counts where the opened window sent it, from the page’s origin, about the page’s session', () => {
    expect(heard({})).toEqual(data);
  });

  it.each([
    ['another window of that origin', { source: { name: 'another' } }],
    ['the opened window once another site is shown there', { origin: 'https://evil.example' }],
    ['a site whose name begins alike', { origin: 'https://pay.example.evil.example' }],
    ['a page of another session', { data: { ...data, session_id: SESSION.toLowerCase() } }],
    ['another program on the page', { data: { ...data, type: 'other' } }],
    ['whoever sends nothing', { data: null }],
    ['whoever sends a text', { data: 'completed' }],
  ])('does not count from %s', (_, changes) => {
    expect(heard(changes)).toBeUndefined();
  });

  it('does not count before a window was opened, whatever has no source', () => {
    expect(heard({ source: null }, null)).toBeUndefined();
  });
});
