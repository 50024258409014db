import { describe, expect, it } from '@jest/globals';
import { decideReceiptStatus } from '../../domain/receipts/receipt-status-rule.js';
import { decideMailOutcome, MAX_MAILS_PER_ADDRESS_AND_DAY } from '../../domain/receipts/mail-outcome-rule.js';
import type { PaymentRequestDetailView, TransferView } from '../requests/payment-request-view.js';
import { chooseReceiptMerchant, buildReceipt, type ReceiptContext } from './receipt.js';

const AT = new Date('2026-03-01T12:00:00Z');
const LATER = new Date('2026-03-02T12:00:00Z');
const asset = {
  network: 'erc20',
  uniqueAssetId: 'nerc20_t0xa0',
  currency: 'USDC',
  decimals: 6,
} as const;
const receivedTransfer = (amount: bigint, fields: Partial<TransferView> = {}) =>
  ({
    ...asset,
    amount,
    transactionHash: '0xab',
    blockNumber: 7,
    blockTime: AT,
    bookedAs: 'payment_in',
    ...fields,
  }) as TransferView;
const refundRecord = (amount: bigint, fields: object = {}) => ({
  ...asset,
  id: 'r',
  status: 'completed' as const,
  amount,
  ...fields,
});

function deliveredRequest(fields: Partial<PaymentRequestDetailView> = {}): PaymentRequestDetailView {
  return {
    id: 'p',
    fulfilled: true,
    receivedAmount: 12_500_000n,
    asked: { ...asset, amount: 12_500_000n, address: '0x' },
    transfers: [receivedTransfer(12_500_000n)],
    delivery: { refunds: [] },
    ...fields,
  } as unknown as PaymentRequestDetailView;
}

const CONTEXT: ReceiptContext = {
  url: 'https://pay.example/receipt/0abc',
  issuedAt: AT,
  statedAt: LATER,
  reversedAmount: 0n,
  merchant: { name: 'Corner' },
  nameOf: (network) => (network === 'erc20' ? 'Ethereum' : network),
  explorer: (_, hash) => `https://scan.example/tx/${hash}`,
};

describe('The status of a receipt', () => {
  it.each([
    ['paid', { fulfilled: true, received: 10n, reversed: 0n, refunded: 0n }],
    ['partly_paid', { fulfilled: false, received: 9n, reversed: 0n, refunded: 0n }],
    ['partly_refunded', { fulfilled: true, received: 10n, reversed: 0n, refunded: 9n }],
    ['refunded', { fulfilled: false, received: 9n, reversed: 0n, refunded: 9n }],
    ['partly_reversed', { fulfilled: true, received: 10n, reversed: 1n, refunded: 10n }],
    ['reversed', { fulfilled: true, received: 10n, reversed: 10n, refunded: 0n }],
  ])('follows from the amounts of the payment: %s from %j', (status, amounts) => {
    expect(decideReceiptStatus(amounts)).toBe(status);
  });
});

describe('A receipt', () => {
  it('states the amount and the transactions', () => {
    expect(buildReceipt(deliveredRequest(), CONTEXT)).toMatchObject({
      status: 'paid',
      price: { amount: '12.5', coin_code: 'USDC' },
      received: { amount: '12.5', asked_amount: '12.5', symbol: 'USDC', network_name: 'Ethereum' },
      transactions: [
        {
          ...{ transaction_hash: '0xab', explorer_url: 'https://scan.example/tx/0xab', amount: '12.5' },
          ...{ block_number: 7, block_time: AT.toISOString() },
        },
      ],
      other_transactions: [],
      refunds: [],
      issued_at: AT.toISOString(),
      stated_at: LATER.toISOString(),
    });
  });

  it('shows that a transaction was reversed, and lists late funds separately', () => {
    const late = receivedTransfer(3n, { bookedAs: 'deposit', currency: 'DAI', decimals: 18 });
    const unseen = receivedTransfer(1n, { bookedAs: undefined });
    const gone = receivedTransfer(12_500_000n, { reversedAt: LATER });

    const transfers = [gone, late, unseen];
    expect(
      buildReceipt(deliveredRequest({ transfers }), { ...CONTEXT, reversedAmount: 12_500_000n }),
    ).toMatchObject({
      status: 'reversed',
      reversed_amount: '12.5',
      transactions: [{ reversed_at: LATER.toISOString() }],
      other_transactions: [{ amount: '0.000000000000000003', symbol: 'DAI' }],
    });
  });

  it('counts only refunds that are completed and in the asset of the payment', () => {
    const refunds = [
      refundRecord(500_000n),
      refundRecord(9_000_000n, { status: 'processing' }),
      refundRecord(1n, { status: 'pending' }),
      refundRecord(2n, { status: 'failed' }),
      refundRecord(12_500_000n, { uniqueAssetId: 'nerc20_t0xda' }),
    ];

    const receipt = buildReceipt(deliveredRequest({ delivery: { refunds } }), CONTEXT);

    expect([receipt.status, receipt.refunded_amount]).toEqual(['partly_refunded', '0.5']);
    expect(receipt.refunds.map(({ amount, status }) => [amount, status])).toEqual([
      ['0.5', 'paid'],
      ['9', 'on_its_way'],
      ['12.5', 'paid'],
    ]);
  });

  it('names the merchant as the payer saw it, completed by the account', () => {
    const account = { name: 'Account', taxId: 'DE1', postalAddress: 'Street 1\nTown' };
    const checkout = { merchant: { name: 'Shop', taxId: 'PT2' } } as PaymentRequestDetailView['checkout'];
    const order = { total: '1', coin_code: 'EUR', merchant: { name: 'Stall' } };

    expect(chooseReceiptMerchant(deliveredRequest(), account)).toEqual({
      name: 'Account',
      tax_id: 'DE1',
      postal_address: 'Street 1\nTown',
    });
    expect(chooseReceiptMerchant(deliveredRequest({ checkout }), account)).toMatchObject({
      name: 'Shop',
      tax_id: 'PT2',
    });
    expect(chooseReceiptMerchant(deliveredRequest({ checkout, order }), account)).toMatchObject({
      name: 'Stall',
      tax_id: 'DE1',
    });
  });
});

describe('A mail with a receipt', () => {
  const room = { unsubscribed: false, toAddress: 0, fromOrganization: 0 };

  it('is queued below both limits, waits at that of the organization, and is dropped at that of the address', () => {
    expect([
      decideMailOutcome(room, 7),
      decideMailOutcome({ ...room, unsubscribed: true }, 7),
      decideMailOutcome({ ...room, toAddress: MAX_MAILS_PER_ADDRESS_AND_DAY - 1, fromOrganization: 6 }, 7),
      decideMailOutcome({ ...room, toAddress: MAX_MAILS_PER_ADDRESS_AND_DAY, fromOrganization: 7 }, 7),
      decideMailOutcome({ ...room, fromOrganization: 7 }, 7),
    ]).toEqual(['queued', 'unsubscribed', 'queued', 'limited', 'waits']);
  });
});
