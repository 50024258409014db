import { describe, expect, it } from '@jest/globals';
import { isUuid } from '#shared/kernel/ids.js';
import { chooseRequestId } from './request-id.js';

const chosen = (given: unknown) => chooseRequestId({ headers: { 'x-request-id': given } } as never);

describe('The id of a request', () => {
  it.each(['order-7_a.B', 'a'.repeat(128)])('is that of the caller if it is plain: %s', (given) => {
    expect(chosen(given)).toBe(given);
  });

  it.each([undefined, '', 'a b', 'a\u001b[31m', 'a'.repeat(129)])('is otherwise a new one: %j', (given) => {
    expect([isUuid(chosen(given)), chosen(given) === chosen(given)]).toEqual([true, false]);
  });
});
