import { describe, expect, it } from '@jest/globals';
import { namedParameterStatement } from './sql-statements.js';

describe('A statement with named parameters', () => {
  const rename = namedParameterStatement<object>(
    'UPDATE shops SET name = $name WHERE id = $id::uuid AND name <> $name',
  );

  it('numbers each name once, in the order of the text', () => {
    expect(rename({ id: 7, name: 'Corner Coffee', other: 1 })).toEqual([
      'UPDATE shops SET name = $1 WHERE id = $2::uuid AND name <> $1',
      ['Corner Coffee', 7],
    ]);
  });

  it('rejects values without one of the names', () => {
    expect(() => rename({ name: 'Corner Coffee' })).toThrow('$id');
  });
});
