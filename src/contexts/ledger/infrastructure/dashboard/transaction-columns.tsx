import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import type { Column } from '#shared/web/dashboard/list-parts.js';
import type { Word } from '#shared/web/dashboard/words/catalogue.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Money } from '#shared/web/parts/money.js';
import { Name } from '#shared/web/parts/name.js';
import { ShortId } from '#shared/web/parts/short-id.js';
import { When } from '#shared/web/parts/when.js';
import type { TransactionView } from '../../application/transaction-view.js';
import type { EndpointType, TransactionType } from '../../domain/transaction.js';

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
    { title: 'Recorded', cell: ({ createdAt }) => <When at={createdAt} /> },
  ];
}

export const TYPE_WORDS = {
  payment_in: 'Incoming payment',
  payment_out: 'Outgoing payment',
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
  refund: 'Refund',
  adjustment: 'Adjustment',
  swap: 'Swap',
  dry_run: 'Test record',
} satisfies Record<TransactionType, Word>;

const ENDPOINT_WORDS = {
  wallet: 'wallet',
  vault: 'vault',
  settlement_address: 'settlement address',
} satisfies Record<EndpointType, Word>;

function Amount({ view, amount }: { view: TransactionView; amount: bigint }): VNode {
  return <Money amount={amount} decimals={view.decimals} symbol={view.currency} />;
}

function Hash({ value, explorer }: { value: string | null; explorer: string | undefined }): VNode {
  return value === null ? <>–</> : <ShortId kind="tx" value={value} explorer={explorer} />;
}

function Moved({ view }: { view: TransactionView }): VNode {
  return (
    <details>
      <summary>
        {t(TYPE_WORDS[view.type])}
        {view.bookedFor !== null && <span class="note"> {t('for {month}', { month: view.bookedFor })}</span>}
      </summary>
      <p>
        {t('From: {place} {address}', {
          place: t(ENDPOINT_WORDS[view.fromType]),
          address: <code {...EXACT}>{view.from}</code>,
        })}
      </p>
      <p>
        {t('To: {place} {address}', {
          place: t(ENDPOINT_WORDS[view.toType]),
          address: <code {...EXACT}>{view.to}</code>,
        })}
      </p>
      {view.settlementId !== null && (
        <p>{t('Settlement {id}', { id: <code {...EXACT}>{view.settlementId}</code> })}</p>
      )}
    </details>
  );
}

function Payment({ view: { paymentRequestId: id, referenceId } }: { view: TransactionView }): VNode {
  return id === null ? <>–</> : <Name name={referenceId} id={id} href={`/app/payments/${id}`} />;
}
