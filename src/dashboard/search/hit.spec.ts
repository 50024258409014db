import { describe, expect, it } from '@jest/globals';
import { type NonPaymentKind, toNonPaymentSearchHit } from './hit.js';

describe('A search result', () => {
  it.each<[NonPaymentKind, string | null, string]>([
    ['transaction', null, '/app/transactions?transaction=x'],
    ['transaction', 'p', '/app/payments/p'],
    ['settlement', '0x1', '/app/settlements?transaction=0x1'],
    ['refund', 'p', '/app/refunds/x'],
    ['webhook', null, '/app/webhooks/x'],
    ['delivery', 'w', '/app/webhooks/w'],
    ['link', null, '/app/links/x'],
    ['subscription', null, '/app/subscriptions/x'],
    ['point_of_sale', null, '/app/points-of-sale/x'],
    ['account', null, '/app/accounts/x'],
  ])('links to its own page or that of its parent: %s of %s, %s', (kind, parent, href) => {
    const shown = { id: 'x', reference: 'r', status: 's', createdAt: new Date(0) };

    expect(toNonPaymentSearchHit({ ...shown, kind, parent })).toMatchObject({ ...shown, href });
  });
});
