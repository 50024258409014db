import type { VNode } from 'preact';
import type { Column } from '#shared/web/dashboard/list-parts.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/money.js';
import { Name } from '#shared/web/parts/name.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { TransactionView } from '../../application/transaction-view.js';

/** The columns of the list. */
export function transactionColumns(
  networkName: (network: string) => string,
  explorerOf: (network: string) => string | undefined,
): Column<TransactionView>[] {
  return [
    { title: 'Type', cell: (view) => <Moved view={view} /> },
    { title: 'Gross', numeric: true, cell: (view) => <Amount view={view} amount={view.grossAmount} /> },
    { title: 'Net', numeric: true, cell: (view) => <Amount view={view} amount={view.netAmount} /> },
    { title: 'Status', cell: ({ status }) => <Badge status={status} /> },
    { title: 'Payment', wide: true, cell: (view) => <Payment view={view} /> },
    { title: 'Network', cell: ({ network }) => (network === null ? <>–</> : networkName(network)) },
    {
      title: 'Transaction',
      cell: ({ transactionHash, network }) => (
        <Hash value={transactionHash} explorer={network === null ? undefined : explorerOf(network)} />
      ),
    },
    { title: 'Booked', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}

/** A word of the API as people read it: `Payment in` of `payment_in`. */
export function shownWord(word: string): string {
  return (word[0] ?? '').toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

function Amount({ view, amount }: { view: TransactionView; amount: bigint }): VNode {
  return <Money amount={amount} decimals={view.decimals} symbol={view.currency} />;
}

function Hash({ value, explorer }: { value: string | null; explorer: string | undefined }): VNode {
  return value === null ? <>–</> : <ShortId kind="tx" value={value} explorer={explorer} />;
}

/** The type; source, destination and settlement on demand. */
function Moved({ view }: { view: TransactionView }): VNode {
  return (
    <details>
      <summary>
        {shownWord(view.type)}
        {view.bookedFor !== null && <span class="note"> for {view.bookedFor}</span>}
      </summary>
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
function Payment({ view: { paymentRequestId: id, referenceId } }: { view: TransactionView }): VNode {
  return id === null ? <>–</> : <Name name={referenceId} id={id} href={`/app/payments/${id}`} />;
}
