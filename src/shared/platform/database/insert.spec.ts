import { describe, expect, it } from '@jest/globals';
import { buildInsertSql, buildUpsertSql } from './insert.js';

describe('The statement that inserts a record', () => {
  it('has a quoted column and a parameter for each field', () => {
    expect(buildInsertSql('shop.links', { id: 7, returnUrl: undefined, order: { items: 1 } })).toEqual([
      'INSERT INTO shop.links ("id", "return_url", "order") SELECT $1, $2, $3 ',
      [7, undefined, { items: 1 }],
    ]);
  });

  it('uses values of the record in its last part, and rejects other names there', () => {
    expect(buildInsertSql('shop.links', { id: 7, shopId: 8 }, 'WHERE shop.is_open($shopId)')[0]).toBe(
      'INSERT INTO shop.links ("id", "shop_id") SELECT $1, $2 WHERE shop.is_open($2)',
    );
    expect(() => buildInsertSql('shop.links', { id: 7 }, 'WHERE shop.is_open($shopId)')).toThrow('shopId');
  });

  it('rejects a field that is not an identifier', () => {
    expect(() => buildInsertSql('shop.links', { 'id") SELECT 1; --': 7 })).toThrow(RangeError);
  });

  it('changes the row with the same key', () => {
    const [text, values] = buildUpsertSql('shop.limits', { shopId: 8 }, { perDay: 5, setBy: 'Anna' });

    expect(text.replace(/\s+/g, ' ')).toBe(
      'INSERT INTO shop.limits ("shop_id", "per_day", "set_by") SELECT $1, $2, $3 ON CONFLICT ("shop_id") DO UPDATE ' +
        'SET ("per_day", "set_by") = ROW (excluded."per_day", excluded."set_by")',
    );
    expect(values).toEqual([8, 5, 'Anna']);
  });
});
