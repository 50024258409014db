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
  it('is accepted from the opened window, the origin of the page and its session', () => {
    expect(heard({})).toEqual(data);
  });

  it.each([
    ['another window of that origin', { source: { name: 'another' } }],
    ['the opened window once another site is shown there', { origin: 'https://evil.example' }],
    ['a page of another session', { data: { ...data, session_id: SESSION.toLowerCase() } }],
    ['another program on the page', { data: { ...data, type: 'other' } }],
    ['a sender without data', { data: null }],
  ])('is ignored from %s', (_, changes) => {
    expect(heard(changes)).toBeUndefined();
  });

  it('is ignored before a window was opened', () => {
    expect(heard({ source: null }, null)).toBeUndefined();
  });
});
