import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newNotificationRulePage } from './notification-rule-page.js';

describe('The form of a new notification rule', () => {
  it('suggests the time zone of the organization', () => {
    const visitor = { ...OWNER, timeZone: 'Europe/Lisbon' };
    const html = renderToString(
      newNotificationRulePage({ visitor, accounts: { items: [], total: 0 }, assets: [] }),
    );

    expect(/<input id="time_zone"[^>]*>/.exec(html)?.[0]).toContain('value="Europe/Lisbon"');
  });
});
