import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { Pager } from './list-page.js';

describe('The pager of a list', () => {
  it('shows "10,000 or more" for a longer list, and links to pages beyond it', () => {
    const shown = (page: number, total: number) =>
      renderToString(<Pager path="/app/x" page={page} pageSize={20} total={total} most={10_000} />);

    expect(shown(1, 9_999)).toContain('1–20 of 9,999<');
    expect(shown(600, 12_001)).toMatch(/11,981–12,000 of 10,000 or more<.*page=601/);
  });
});
