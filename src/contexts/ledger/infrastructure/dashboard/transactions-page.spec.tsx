import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import type { TransactionView } from '../../application/transaction-view.js';
import { transactionColumns } from './transactions-page.js';

const columns = transactionColumns(
  (network) => network,
  () => undefined,
);

function shownIn(title: string, view: Partial<TransactionView>): string {
  const column = columns.find((each) => each.title === title)!;
  return renderToString(<>{column.cell(view as TransactionView)}</>);
}

describe('The fee column of the list of transactions', () => {
  it('shows the difference of gross and net, once', () => {
    const amounts = { grossAmount: 10_000n, netAmount: 9_950n, decimals: 3, currency: 'USDC' };

    expect(shownIn('Fee', { type: 'payment_in', ...amounts })).toContain('>0.05<');
    expect(shownIn('Fee', { type: 'withdraw', ...amounts })).toBe('–');
    expect(shownIn('Fee', { type: 'deposit', ...amounts, netAmount: 10_000n })).toBe('–');
  });
});

describe('The type column of the list of transactions', () => {
  const PAYMENT = { type: 'payment_in', fromType: 'wallet', toType: 'vault', bookedFor: null } as const;

  it('names the month of a transaction that was booked after that month was closed', () => {
    expect(shownIn('Type', { ...PAYMENT, bookedFor: '2030-01' })).toContain('for 2030-01');
    expect(shownIn('Type', PAYMENT)).not.toContain(' for ');
  });

  it('distinguishes an unexpected payment from a top-up of the refund float', () => {
    const deposit = { ...PAYMENT, type: 'deposit' } as const;

    expect(shownIn('Type', { ...deposit, paymentRequestId: 'p1' })).toContain('Unexpected payment');
    expect(shownIn('Type', { ...deposit, paymentRequestId: null })).toContain('Float top-up');
  });
});
