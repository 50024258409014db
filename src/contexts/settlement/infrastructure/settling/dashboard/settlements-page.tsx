import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import {
  createMerchantAccountField,
  ALL_OPTION,
  type FormFields,
  type FormErrors,
} from '#shared/web/dashboard/form-fields.js';
import { type ListPageData, ListPage } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { AmountText, ShortId, TimeText } from '#shared/web/parts/values.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { SettlementView } from '../persistence/settlement-queries.js';

interface SettlementsProps extends ListPageData<SettlementView> {
  readonly query: {
    readonly account: string;
    readonly transaction: string;
  };
  readonly accounts: Choices<NamedAccount>;
  readonly refusal?: FormErrors | undefined;
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
}

const FILTERS = {
  account: { kind: 'choice', label: 'Account' },
  transaction: { label: 'Transaction hash' },
} satisfies FormFields;

/** A settlement can have a thousand payments. The ledger's transactions list all of them. */
const MAX_PAYMENTS_PER_SETTLEMENT = 10;
const MAX_PAYMENTS_OF_SINGLE_SETTLEMENT = 100;

/** If filtered by transaction, lists the payments of each settlement. */
export function settlementsPage({ accounts, networkName, explorerOf, ...list }: SettlementsProps): VNode {
  const { account, transaction } = list.query;
  const shown = list.items.length === 1 ? MAX_PAYMENTS_OF_SINGLE_SETTLEMENT : MAX_PAYMENTS_PER_SETTLEMENT;
  return (
    <ListPage
      {...list}
      place="/app/settlements"
      filters={FILTERS}
      known={{ account: createMerchantAccountField(accounts, account, ALL_OPTION) }}
      caption="Settlements, newest first"
      noMatch={{ title: 'No settlements match these filters.', note: 'Enter the full hash.' }}
      empty={{
        title: 'No settlements yet.',
        note: 'Settlements appear here when payments are sent to your settlement address.',
        action: { href: '/app/payments', label: 'Payments' },
      }}
      columns={[
        {
          title: 'Payments',
          wide: true,
          brief: true,
          cell: (one) => (transaction ? <PaymentList of={one} most={shown} /> : <PaymentCount of={one} />),
        },
        {
          title: 'Net amount',
          numeric: true,
          brief: true,
          cell: (one) => <SettlementAmount of={one} amount={one.amount} />,
        },
        {
          title: 'Service fee',
          numeric: true,
          cell: (one) => <SettlementAmount of={one} amount={one.feeAmount} />,
        },
        { title: 'Status', brief: true, cell: ({ status }) => <StatusBadge status={status} /> },
        { title: 'Network', cell: ({ network }) => networkName(network) },
        {
          title: 'Settlement address',
          cell: ({ settlementAddress, network }) => (
            <ShortId
              kind="address"
              value={toDisplayAddress(settlementAddress)}
              explorer={explorerOf(network)}
            />
          ),
        },
        {
          title: 'Transaction',
          cell: ({ transactionHash, network }) => (
            <ShortId kind="tx" value={transactionHash} explorer={explorerOf(network)} />
          ),
        },
        { title: 'Date', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} exact /> },
      ]}
    />
  );
}

function SettlementAmount({ of, amount }: { of: SettlementView; amount: bigint }): VNode {
  return <AmountText amount={amount} decimals={of.decimals} symbol={of.currency} />;
}

function PaymentCount({ of: { transactionHash, paymentCount } }: { of: SettlementView }): VNode {
  return <a href={`/app/settlements?transaction=${transactionHash}`}>{paymentCountLabel(paymentCount)}</a>;
}

function PaymentList({ of, most }: { of: SettlementView; most: number }): VNode {
  const shown = of.payments.slice(0, most);
  return (
    <details open>
      <summary>{paymentCountLabel(of.paymentCount)}</summary>
      {shown.map(({ paymentRequestId, amount }) => (
        <p>
          <ShortId value={paymentRequestId} href={`/app/payments/${paymentRequestId}`} />{' '}
          <SettlementAmount of={of} amount={amount} />
        </p>
      ))}
      {of.paymentCount > shown.length && (
        <p class="note">{t('and {count} more', { count: of.paymentCount - shown.length })}</p>
      )}
    </details>
  );
}

function paymentCountLabel(count: number): VNode {
  return t('{count} payment|{count} payments', { count });
}
