import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { newId, type AccountId, type OrganizationId, type PaymentRequestId } from '#shared/kernel/ids.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { newRefundPage } from './new-refund-page.js';

function page(networks: readonly string[], free: [string, bigint][] = [], rest = 1n): string {
  const received = networks.map((network) => ({
    asset: { network, uniqueAssetId: `n${network}_tC`, token: 'C', symbol: 'C', decimals: 8 },
    ...{ asked: 1n, paid: 1n, deposited: 0n, sender: '0xSender' },
  }));
  const owner = { organizationId: newId<OrganizationId>(), accountId: newId<AccountId>() };
  const request = {
    ...{ id: newId<PaymentRequestId>(), pointOfSaleId: newId<never>(), ...owner },
    ...{ status: 'completed' as const, merchantName: 'Corner Coffee', received },
  };
  const isDelivered = (network: string) => network === 'own';
  const networkName = (network: string) => network;
  const refundable = new Map([['nfloat_tC', rest]]);
  const maps = { free: new Map(free), refundable };
  const shown = newRefundPage({ visitor: OWNER, request, networkName, isDelivered, ...maps });
  return htmlDocument(withLanguage('en', shown));
}

describe('The page of a new refund', () => {
  it.each([
    ['asks for the transaction where the merchant’s own wallet pays', ['own'], true, false],
    ['offers a link for the payer where the float pays', ['float'], false, true],
    ['does both where both have received', ['own', 'float'], true, true],
  ] as const)('%s', (_, networks, asksForTransaction, offersLink) => {
    const html = page(networks);

    expect(html.includes('name="paid_transaction_hash"')).toBe(asksForTransaction);
    expect(html.includes('Leave blank to get a link')).toBe(offersLink);
    expect(html).toContain('name="refund_to_address"');
  });

  it('suggests the amount that remains and offers the sender’s address, which it does not fill in', () => {
    const html = page(['float']);

    expect(html).toContain('value="0.00000001"');
    expect(html).toContain('<option value="0xSender">');
    expect(html).not.toContain('name="refund_to_address" value');
    expect(html).toContain('Exchanges pay from shared wallets.');
  });

  it('replaces the form with a link to the payment when nothing remains', () => {
    const html = page(['float'], [], 0n);

    expect(html).toContain('Everything was already refunded.');
    expect(html).toMatch(/href="\/app\/payments\/[0-9a-f-]{36}">View the payment</);
    expect(html).not.toContain('action="/app/refunds/new"');
  });

  it.each([
    [0n, true],
    [1n, false],
  ])('shows the amount in the refund float, and warns if it is too low: %s', (free, warns) => {
    const html = page(['float'], [['nfloat_tC', free]]);

    expect(html).toContain('Refund float');
    expect(html.includes('The refund float holds less than the amount received.')).toBe(warns);
  });
});
