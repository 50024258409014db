import { renderToString } from 'preact-render-to-string';
import { expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newMailRulePage } from './mail-rule-page.js';

it('A new mail rule is of the organization’s time zone unless another is typed', () => {
  const visitor = { ...OWNER, timeZone: 'Europe/Lisbon' };
  const html = renderToString(newMailRulePage({ visitor, accounts: { items: [], total: 0 }, assets: [] }));

  expect(/<input id="time_zone"[^>]*>/.exec(html)?.[0]).toContain('value="Europe/Lisbon"');
});
