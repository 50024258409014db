import { describe, expect, it } from '@jest/globals';
import { toTimeRange } from './dashboard-query.js';

describe('A range of days', () => {
  it('includes its first and its last day, which may be the same', () => {
    const first = new Date('2026-03-01T00:00:00Z');
    const next = new Date('2026-03-02T00:00:00Z');

    expect(toTimeRange({ from: '2026-03-01', to: '2026-03-01' })).toEqual({ from: first, before: next });
    expect(toTimeRange({ from: '2026-03-01', to: '' })).toEqual({ from: first });
    expect(toTimeRange({ from: '', to: '2026-03-01' })).toEqual({ before: next });
  });

  it('is rejected if its last day is before its first', () => {
    expect(() => toTimeRange({ from: '2026-03-02', to: '2026-03-01' })).toThrow('to: must not be before');
  });
});
