import { describe, expect, it } from '@jest/globals';
import { withoutNulls } from './rows.js';

describe('A row without its NULL columns', () => {
  it('keeps false, zero and empty text', () => {
    const link = withoutNulls<{ active: boolean; uses: number; note?: string; url?: string }>({
      ...{ active: false, uses: 0, note: '', url: null },
    });

    expect(link).toStrictEqual({ active: false, uses: 0, note: '' });
  });
});
