import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { shownIn } from '#shared/kernel/zoned-day.js';
import { type Column, OnChain, StateMark, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { TransactionView } from '../../application/transaction-view.js';
import type { TransactionStatus } from '../../domain/transaction.js';

const TONES: Partial<Record<TransactionStatus, Tone>> = {
  completed: 'good',
  processing: 'care',
  pending: 'care',
  failed: 'bad',
  error: 'bad',
};

/** The columns of the list. @param zone of the shown times */
export function transactionColumns(
  zone: string,
  networkName: (network: string) => string,
  explorerOf: (network: string) => string | undefined,
): Column<TransactionView>[] {
  return [
    { title: `Booked (${zone})`, cell: ({ createdAt }) => <ZonedTime at={createdAt} zone={zone} /> },
    { title: 'Type', cell: ({ type }) => shownWord(type) },
    {
      title: 'Status',
      cell: ({ status }) => <StateMark tone={TONES[status] ?? 'plain'}>{shownWord(status)}</StateMark>,
    },
    { title: 'Gross', numeric: true, cell: (view) => <Amount view={view} amount={view.grossAmount} /> },
    { title: 'Net', numeric: true, cell: (view) => <Amount view={view} amount={view.netAmount} /> },
    { title: 'Network', cell: ({ network }) => (network === null ? <None /> : networkName(network)) },
    {
      title: 'Transaction',
      cell: (view) => (
        <Moved view={view} explorer={view.network === null ? undefined : explorerOf(view.network)} />
      ),
    },
    { title: 'Payment', cell: (view) => <Payment view={view} /> },
  ];
}

/** A word of the API as people read it: `Payment in` of `payment_in`. */
export function shownWord(word: string): string {
  return (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

function ZonedTime({ at, zone }: { at: Date; zone: string }): VNode {
  return <time dateTime={at.toISOString()}>{shownIn(zone, at).replace('T', ' ')}</time>;
}

function Amount({ view, amount }: { view: TransactionView; amount: bigint }): VNode {
  return <bdi>{shownAsset(formatAmount(amount, view.decimals), view.currency)}</bdi>;
}

function None(): VNode {
  return <span class="note">None</span>;
}

/** Source, destination and hash. */
function Moved({ view, explorer }: { view: TransactionView; explorer: string | undefined }): VNode {
  return (
    <details>
      <summary>{view.transactionHash === null ? 'No hash' : `${view.transactionHash.slice(0, 10)}…`}</summary>
      {view.transactionHash !== null && (
        <p>
          Hash <OnChain kind="tx" value={view.transactionHash} explorer={explorer} />
        </p>
      )}
      <p>
        From {shownWord(view.fromType).toLowerCase()} <code>{view.from}</code>
      </p>
      <p>
        To {shownWord(view.toType).toLowerCase()} <code>{view.to}</code>
      </p>
      {view.settlementId !== null && (
        <p>
          Settlement <code>{view.settlementId}</code>
        </p>
      )}
    </details>
  );
}

/** The merchant's order id, else the id of the payment request. */
function Payment({ view }: { view: TransactionView }): VNode {
  if (view.paymentRequestId === null) return <None />;
  const href = `/app/payments/${view.paymentRequestId}`;
  return (
    <a href={href}>
      {view.referenceId === null ? <code>{view.paymentRequestId}</code> : <bdi>{view.referenceId}</bdi>}
    </a>
  );
}
