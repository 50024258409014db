import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import type { TransactionView } from '../../application/transaction-view.js';
import { transactionColumns } from './transactions-page.js';

describe('The fee column of the list of transactions', () => {
  it('shows the difference of gross and net', () => {
    const columns = transactionColumns(
      (network) => network,
      () => undefined,
    );
    const fee = columns.find(({ title }) => title === 'Fee')!;
    const paid = {
      type: 'payment_in',
      grossAmount: 10_000n,
      netAmount: 9_950n,
      decimals: 3,
      currency: 'USDC',
    };

    expect(renderToString(<>{fee.cell(paid as Partial<TransactionView> as TransactionView)}</>)).toContain(
      '0.05',
    );
  });
});

describe('The type column of the list of transactions', () => {
  it('names the month of a transaction that was booked after that month was closed', () => {
    const [type] = transactionColumns(
      (network) => network,
      () => undefined,
    );
    const shown = (bookedFor: string | null) =>
      renderToString(
        <>
          {type!.cell({
            type: 'payment_in',
            fromType: 'wallet',
            toType: 'vault',
            bookedFor,
          } as Partial<TransactionView> as TransactionView)}
        </>,
      );

    expect(shown('2030-01')).toContain('for 2030-01');
    expect(shown(null)).not.toContain(' for ');
  });
});
