import { describe, expect, it } from '@jest/globals';
import { PAGE_LANGUAGES } from '#shared/web/messages/languages.js';
import { visible } from '#shared/web/testing/visible-text.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import { renderReceiptPage, type ReceiptPageModel } from './receipt-page.js';

const HOSTILE = '</style><img src=x onerror=alert(1)>"\'\u202Eevil';
const MOST_BYTES = 30_000;
const HASH = '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd';
const TRANSACTION = {
  transaction_hash: HASH,
  explorer_url: `https://explorer.example/tx/${HASH}`,
  amount: '27.182819',
  symbol: 'USDC',
  network_name: 'Ethereum',
  block_number: 21_000_000,
  block_time: '2026-03-01T12:01:00.000Z',
};

/** Builds a coffee shop's receipt of 25 euros, with some fields changed. */
function sampleReceipt(changes: Partial<Receipt> = {}): ReceiptPageModel {
  const receipt: Receipt = {
    url: 'https://pay.example/receipt/0Zk9mQ2x1c3RlckNvZmZlZTA',
    payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
    status: 'paid',
    merchant: {
      name: 'Corner Coffee',
      tax_id: 'PT123456789',
      postal_address: 'Rua da Boavista 12\n1200-066 Lisboa\nPortugal',
    },
    order: {
      ...{ total: '25.00', coin_code: 'EUR', description: 'Table 7' },
      items: [{ description: 'Flat white', amount: '25.00', coin_code: 'EUR', quantity: 1 }],
    },
    price: { amount: '25.00', coin_code: 'EUR' },
    received: {
      amount: '27.182819',
      asked_amount: '27.182819',
      symbol: 'USDC',
      unique_asset_id: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      network: 'erc20',
      network_name: 'Ethereum',
    },
    rate: { price: '0.91969', sources: ['coinbase', 'kraken'], at: '2026-03-01T12:00:05.000Z' },
    network_fee: { amount: '0.21', coin_code: 'EUR', is_less: false },
    transactions: [TRANSACTION],
    other_transactions: [],
    refunds: [],
    issued_at: '2026-03-01T12:03:40.000Z',
    stated_at: '2026-03-02T09:00:00.000Z',
    ...changes,
  };
  return { receipt, sandbox: false };
}

const EVERY_RECEIPT: Readonly<Record<string, ReceiptPageModel>> = {
  paid: sampleReceipt(),
  'partly paid': sampleReceipt({
    status: 'partly_paid',
    received: { ...sampleReceipt().receipt.received, amount: '10.5' },
    transactions: [{ ...TRANSACTION, amount: '10.5' }],
  }),
  'overpaid, and refunded in part': sampleReceipt({
    status: 'partly_refunded',
    received: { ...sampleReceipt().receipt.received, amount: '30' },
    refunded_amount: '2.817181',
    refunds: [
      {
        amount: '2.817181',
        symbol: 'USDC',
        network_name: 'Ethereum',
        status: 'paid',
        transaction_hash: HASH.replaceAll('e', 'c'),
      },
      { amount: '1', symbol: 'USDC', network_name: 'Ethereum', status: 'on_its_way' },
    ],
  }),
  reversed: sampleReceipt({
    status: 'reversed',
    reversed_amount: '27.182819',
    transactions: [{ ...TRANSACTION, reversed_at: '2026-03-01T18:00:00.000Z' }],
    other_transactions: [{ ...TRANSACTION, block_number: 21_000_090 }],
  }),
};

describe('The receipt page', () => {
  it('shows amount, merchant, asset, rate, transaction and time', () => {
    const page = visible(renderReceiptPage(sampleReceipt(), 'en'));

    for (const fact of [
      'Receipt €25.00',
      'Paid The merchant received the payment, and it is final.',
      'Corner Coffee',
      'PT123456789',
      'Rua da Boavista 12\n1200-066 Lisboa',
      '€25.00 = 27.182819 USDC',
      'on Ethereum',
      '1 USDC = €0.91969',
      'coinbase, kraken, March 1, 2026 at 12:00 UTC',
      '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
      'March 1, 2026 at 12:03 UTC',
      'As of March 2, 2026 at 09:00 UTC',
      'Flat white',
    ])
      expect(page).toContain(fact);
  });

  it('shows missing, refunded and reversed amounts', () => {
    const shown = (name: string) => visible(renderReceiptPage(EVERY_RECEIPT[name]!, 'en'));

    expect(shown('partly paid')).toMatch(
      /Partially paid .*not a receipt for the full amount.*Remaining16\.682819 USDC/s,
    );
    expect(shown('overpaid, and refunded in part')).toMatch(
      /Overpaid2\.817181 USDC.*Refunded2\.817181 USDC/s,
    );
    expect(shown('reversed')).toMatch(
      /no longer paid.*Reversed27\.182819 USDC.*Reversed on March 1.*Also received/s,
    );
  });

  it.each(Object.entries(EVERY_RECEIPT))('is small and links to the document: %s', (_, model) => {
    for (const language of PAGE_LANGUAGES) {
      const html = renderReceiptPage(model, language);
      expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MOST_BYTES);
      expect(html).toContain('href="/receipt/0Zk9mQ2x1c3RlckNvZmZlZTA/document"');
    }
  });

  it('escapes text of merchants', () => {
    const merchant = { name: HOSTILE, tax_id: HOSTILE, postal_address: HOSTILE };
    const order = { total: '1', coin_code: 'EUR', description: HOSTILE };

    const html = renderReceiptPage(sampleReceipt({ merchant, order }), 'en');

    expect(html).not.toMatch(/<img|\u202e/);
  });
});
