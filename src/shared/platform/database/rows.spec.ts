import { describe, expect, it } from '@jest/globals';
import { withoutNulls, type RowOf } from './rows.js';

interface Link {
  readonly id: string;
  readonly active: boolean;
  readonly uses: number;
  readonly note?: string;
  readonly returnUrl?: string;
}

describe('A row with optional columns', () => {
  it('has no field where the column is NULL, and keeps what is false, zero or empty', () => {
    const row: RowOf<Link> = { id: 'one', active: false, uses: 0, note: '', returnUrl: null };

    const link = withoutNulls<Link>(row);

    expect(link).toStrictEqual({ id: 'one', active: false, uses: 0, note: '' });
  });
});
