import { describe, expect, it } from '@jest/globals';
import { formatCursor, pageOfItems, parseCursor } from './page.js';
import { readByCursor } from './testing/read-by-cursor.js';

const DIGITS = [/^[0-9]+$/, /^[0-9]+$/];
const BAD_CURSOR = expect.objectContaining({
  code: 'validation_failed',
  errors: [expect.objectContaining({ field: 'after', rule: 'cursor' })],
});

describe('A cursor', () => {
  it('contains the key of an item in characters that are safe in a URL', () => {
    const cursor = formatCursor(['12', '7']);

    expect(cursor).toMatch(/^[\w-]+$/);
    expect(parseCursor(cursor, DIGITS)).toEqual(['12', '7']);
  });

  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  it.each([
    ['nothing', ''],
    ['other text', '12'],
    ['a key of another list', formatCursor(['12'])],
    ['a value of another kind', formatCursor(['12', 'x'])],
    ['another version', encoded(['2', '12', '7'])],
    ['other JSON', encoded({ 1: '12' })],
    ['padding', `${formatCursor(['12', '7'])}=`],
  ])('is rejected with the name of its field if it is %s', (_, cursor) => {
    expect(() => parseCursor(cursor, DIGITS)).toThrow(BAD_CURSOR);
  });
});

describe('A page of a list in memory', () => {
  const keyOf = (item: string) => [item];

  it.each([1, 2, 3, 4])('is followed by all other pages of %d items each', async (size) => {
    const all = ['c', 'a', 'b'];

    expect(await readByCursor((request) => pageOfItems(all, request, keyOf), size)).toEqual(all);
  });

  it('starts after the item at the cursor, wherever it is now', () => {
    const after = formatCursor(['a']);

    const page = pageOfItems(['new', 'c', 'a', 'b'], { page: 1, pageSize: 1, after }, keyOf);

    expect(page).toEqual({ items: ['b'], total: 4 });
  });

  it('is rejected if the item of its cursor is no longer in the list', () => {
    const read = () => pageOfItems(['b'], { page: 1, pageSize: 1, after: formatCursor(['a']) }, keyOf);

    expect(read).toThrow(BAD_CURSOR);
  });
});
