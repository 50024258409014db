import { describe, expect, it } from '@jest/globals';
import { isUuid, newId } from './ids.js';

describe('A new id', () => {
  it('is a unique UUID of version 7, ordered by creation time', () => {
    const ids = Array.from({ length: 1_000 }, () => newId());

    expect(new Set(ids).size).toBe(1_000);
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('A UUID', () => {
  it.each(['01a1fd54-6e88-7214-b346-971e883fab2e', '01A1FD54-6E88-7214-B346-971E883FAB2E'])(
    'has letters in either case: %s',
    (text) => {
      expect(isUuid(text)).toBe(true);
    },
  );

  it.each([
    ...['', '01a1fd546e887214b346971e883fab2e', '01a1fd54-6e88-7214-b346-971e883fab2e\n'],
    ...['01a1fd54-6e88-7214-b346-971e883fab2', '00000000-0000-0000-0000-000000000000'],
  ])('has no other form: %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
