import { renderToString } from 'preact-render-to-string';
import { expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newMailRulePage } from './mail-rule-page.js';

it('uses the time zone of the organization for a new notification rule', () => {
  const visitor = { ...OWNER, timeZone: 'Europe/Lisbon' };
  const html = renderToString(newMailRulePage({ visitor, accounts: { items: [], total: 0 }, assets: [] }));

  expect(/<input id="time_zone"[^>]*>/.exec(html)?.[0]).toContain('value="Europe/Lisbon"');
});
