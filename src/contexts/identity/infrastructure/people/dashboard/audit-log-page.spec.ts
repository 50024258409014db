import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { auditLogPage } from './audit-log-page.js';

const ID = '0197a5c0-0000-7000-8000-000000000001';

/** Path of the link to the object of an entry. */
function linkOf(action: string, role = OWNER.role): string | undefined {
  const entry = { action, subjectId: ID, actor: 'ana@shop.example', address: null, position: '1' };
  const items = [{ ...entry, before: null, after: null, at: new Date(0) }];
  const page = auditLogPage({ visitor: { ...OWNER, role }, items, total: 1, page: 1, pageSize: 15 });
  return new RegExp(`href="([^"]*${ID})"`).exec(htmlDocument(withLanguage('en', page)))?.[1];
}

describe('An entry of the audit log', () => {
  it.each([
    ['account.changed', '/app/accounts'],
    ['credential.created', '/app/api-keys'],
    ['payment_request.accepted_as_paid', '/app/payments'],
    ['payment_link.created', '/app/links'],
    ['point_of_sale.changed', '/app/points-of-sale'],
    ['refund.approved', '/app/refunds'],
    ['subscription.revoked', '/app/subscriptions'],
    ['webhook.registered', '/app/webhooks'],
  ])('links the object of %s to its page', (action, path) => {
    expect(linkOf(action)).toBe(`${path}/${ID}`);
  });

  it.each(['webhook.deleted', 'credential.paired', 'period.closed', 'constructor.called'])(
    'does not link the object of %s',
    (action) => {
      expect(linkOf(action)).toBeUndefined();
    },
  );

  it('does not link an API key for a person who may not open it', () => {
    expect(linkOf('credential.created', 'viewer')).toBeUndefined();
  });
});
