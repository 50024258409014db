import { describe, expect, it } from '@jest/globals';
import { OWNER } from '#test/support/page-visitor.js';
import { type AccountId, newId } from '#shared/kernel/ids.js';
import { withLanguage } from '#shared/web/dashboard/words/text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { explainRequest } from '#contexts/payments/application/explanation/request-sentence.js';
import type { RequestToExplain } from '#contexts/payments/application/explanation/explanation-view.js';
import type {
  SettlementAndRefunds,
  RefundRecord,
} from '#contexts/payments/contract/settlement-and-refund-records.js';
import type { DownstreamRecord } from '#contexts/payments/contract/downstream-records.js';
import type {
  PaymentRequestDetailView,
  TransferView,
} from '#contexts/payments/application/requests/payment-request-view.js';
import {
  at,
  DOLLARS,
  dollars,
  FINAL,
  OTHER_DOLLARS,
  toExplain,
} from '#contexts/payments/testing/request-to-explain.js';
import { paymentDetailPage } from './payment-detail-page.js';

const PAID = dollars(4, { ...FINAL, bookedAs: 'payment_in' });

interface Shown {
  readonly language?: PageLanguage;
  readonly later?: readonly DownstreamRecord[];
  readonly delivery?: SettlementAndRefunds;
  readonly others?: readonly TransferView[];
  readonly given?: Partial<RequestToExplain>;
}

/** The page of a request of 10 USDX of which 4 were received until it ended. */
function page(
  fulfilled: boolean,
  role = OWNER.role,
  { language = 'en', later = [], delivery = { refunds: [] }, others = [], given = {} }: Shown = {},
): string {
  const transfers = [PAID, ...others];
  const request = toExplain({
    status: 'underpaid',
    fulfilled,
    transfers,
    confirmedAt: new Date(0),
    ...given,
  });
  const order = { total: '10', coin_code: 'USDX', description: 'Table 7' };
  const shown = paymentDetailPage({
    visitor: { ...OWNER, role },
    request: {
      ...request,
      accountId: newId<AccountId>(),
      order,
      delivery,
      history: [],
    } as unknown as PaymentRequestDetailView,
    explanation: explainRequest(request),
    later,
    networkOf: () => undefined,
  });
  return htmlDocument(withLanguage(language, shown)).replaceAll('&amp;', '&');
}

describe('The page of an underpaid payment', () => {
  const remainder = (text: string) => new RegExp(`<a class="button" href="([^"]+)">${text}`);

  it('offers to accept it as paid, to ask for the exact remainder, and to refund it', () => {
    const html = page(false);
    const [, href] = remainder('Ask for the remainder').exec(html)!;
    const { id, pointOfSaleId } = toExplain();

    expect(html).toContain(`action="/app/payments/${id}/accept"`);
    expect(Object.fromEntries(new URL(href!, 'https://pay.example').searchParams)).toEqual({
      ...{ point_of_sale_id: pointOfSaleId, amount: '6', coin_code: 'USDX', description: 'Table 7' },
    });
    expect(html).toContain(`/app/refunds/new?payment_request_id=${id}`);
  });

  it.each([
    ['of a payment that is accepted', true, OWNER.role],
    ['to a person who may only read', false, 'viewer' as const],
  ])('offers neither %s', (_, fulfilled, role) => {
    const html = page(fulfilled, role);

    expect(html).not.toContain('/accept"');
    expect(html).not.toMatch(remainder('Ask for the remainder'));
  });

  it('states in the language of the reader what is missing', () => {
    const inSpanish = (isFulfilled: boolean) => visible(page(isFulfilled, OWNER.role, { language: 'es' }));

    expect(inSpanish(false)).toContain('El plazo terminó y faltan 6.00 USDX.');
    expect(inSpanish(true)).toContain('Aceptado como pagado, aunque faltan 6.00 USDX.');
  });
});

const LATE = dollars(3, {
  ...{ ...FINAL, counted: false, bookedAs: 'deposit' },
  ...{ blockTime: at('12:10:00'), detectedAt: at('12:10:00') },
});

describe('The step bar of a payment', () => {
  const OPEN = { status: 'processing', transfers: [dollars(4)], confirmedAt: undefined } as const;

  it.each([
    ['waits for the remainder', false, OPEN, 'Confirmed Waiting for the remainder', false],
    [
      'waits for confirmations',
      false,
      { ...OPEN, transfers: [dollars(10)] },
      'Confirmed WaitingSettled',
      false,
    ],
    ['ended underpaid', false, {}, 'Confirmed Underpaid', true],
    ['was accepted', true, {}, 'Confirmed Reached', false],
    [
      ...(['received funds too late', false] as const),
      { status: 'expired', transfers: [LATE], confirmedAt: undefined },
      ...(['Detected Received too late', true] as const),
    ],
  ] as const)('shows a payment that %s', (_, fulfilled, given, text, isProblem) => {
    const html = page(fulfilled, OWNER.role, { given: given as Partial<RequestToExplain> });
    const [steps] = /<ol class="steps">.*?<\/ol>/s.exec(html)!;

    expect(visible(steps)).toContain(text);
    expect(steps.includes('class="lacking"')).toBe(isProblem);
  });
});

describe('The page of a payment with other records', () => {
  const id = newId();
  const refund = (amount: bigint, status: RefundRecord['status'] = 'completed'): RefundRecord => {
    return { ...PAID, id, status, amount };
  };
  const alert = (html: string) => /<div class="alert".*?<\/div>/s.exec(html)?.[0];

  it('offers first to refund funds received outside the payment, until they are refunded', () => {
    const html = page(true, OWNER.role, { others: [LATE] });

    expect(visible(alert(html)!)).toContain('3.00 USDX was received outside this payment');
    expect(html.match(/\/app\/refunds\/new/g)).toHaveLength(1);
    expect(alert(html)).toContain('class="button primary" href="/app/refunds/new');
    expect(alert(page(true, 'viewer', { others: [LATE] }))).not.toContain('href');
    const delivery = { refunds: [refund(3_000_000n)] };
    expect(alert(page(true, OWNER.role, { others: [LATE], delivery }))).toBeUndefined();
  });

  it('shows no alert for transfers below the minimum that were booked together', () => {
    expect(
      alert(page(true, OWNER.role, { others: [{ ...LATE, gatheredOn: '2026-01-31' }] })),
    ).toBeUndefined();
  });

  it('shows no alert about a transfer in an asset selected before, while the payment can still be made in it', () => {
    const { network, uniqueAssetId, address: to } = OTHER_DOLLARS;
    const sent = dollars(10, { network, uniqueAssetId, to, counted: false });
    const given = { status: 'created', offered: [DOLLARS, OTHER_DOLLARS], transfers: [sent] } as const;

    const html = page(false, OWNER.role, { given });

    expect(alert(html)).toBeUndefined();
    expect(visible(html)).not.toContain('after the payment had ended');
    expect(
      visible(html).match(/Funds were received that do not count towards this payment yet/g),
    ).toHaveLength(2);
  });

  it.each<[string, SettlementAndRefunds, string]>([
    [
      'Partly refunded',
      {
        refundState: 'partly_refunded',
        isRefundable: true,
        refunds: [refund(1_000_000n), refund(1_000_000n, 'pending')],
      },
      '1.00 USDX',
    ],
    [
      'Refunded',
      { refundState: 'refunded', isRefundable: false, refunds: [refund(1_000_000n), refund(3_000_000n)] },
      '4.00 USDX',
    ],
  ])('is marked as its list: %s', (mark, delivery, refunded) => {
    const html = page(false, OWNER.role, { delivery });
    const text = visible(html);

    expect(text.slice(0, text.indexOf('Timeline'))).toContain(mark);
    expect(text).toContain(refunded);
    expect(html).not.toContain('/accept"');
    expect(html.includes('/app/refunds/new')).toBe(delivery.isRefundable);
  });

  it('explains transfers in the language of the reader, names the person who accepted, and links its ledger records', () => {
    const records: DownstreamRecord[] = [
      { kind: 'acceptance', id, at: at('12:20:00'), status: 'completed', actor: 'bo@shop.example' },
      { kind: 'transaction', id, at: at('12:20:00'), status: 'completed', type: 'payment_in' },
    ];

    const html = page(true, OWNER.role, { language: 'pt', later: records });

    expect(visible(html)).toContain('Conta para este pagamento.');
    expect(visible(html)).toContain('bo@shop.example aceitou o pagamento incompleto como pago.');
    expect(html).toContain(`/app/transactions?transaction=${id}`);
  });
});
