import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newMailRulePage } from './mail-rule-page.js';

describe('The form of a new notification rule', () => {
  it('suggests the time zone of the organization', () => {
    const visitor = { ...OWNER, timeZone: 'Europe/Lisbon' };
    const html = renderToString(newMailRulePage({ visitor, accounts: { items: [], total: 0 }, assets: [] }));

    expect(/<input id="time_zone"[^>]*>/.exec(html)?.[0]).toContain('value="Europe/Lisbon"');
  });
});
