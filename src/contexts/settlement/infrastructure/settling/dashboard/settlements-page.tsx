import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { accountOptions, ALL, type FormFields } from '#shared/web/dashboard/form-fields.js';
import { ListPage, type Listed } from '#shared/web/dashboard/list-page.js';
import { OnChain, StateMark, Time, type Tone } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { SettlementView } from '../persistence/settlement-queries.js';
import type { SettlementStatus } from '#contexts/settlement/contract/settlement-events.js';

interface SettlementsProps extends Listed<SettlementView> {
  readonly query: {
    /** The chosen one; empty for all. */
    readonly account: string;
    /** The hash that is looked for; empty for all. */
    readonly transaction: string;
  };
  readonly accounts: readonly NamedAccount[];
  readonly networkName: (network: string) => string;
  readonly explorerOf: (network: string) => string | undefined;
}

const FILTERS = {
  account: { kind: 'choice', label: 'Account' },
  transaction: { label: 'Transaction’s hash' },
} satisfies FormFields;

/** Payments shown of each settlement; a thousand would make the page too large to be read. */
const SHOWN = 10;

const STATES: Record<SettlementStatus, { readonly tone: Tone; readonly word: string }> = {
  pending: { tone: 'care', word: 'Pending' },
  processing: { tone: 'care', word: 'Not final yet' },
  completed: { tone: 'good', word: 'Completed' },
  failed: { tone: 'bad', word: 'Failed' },
};

export function settlementsPage({ accounts, networkName, explorerOf, ...list }: SettlementsProps): VNode {
  return (
    <ListPage
      {...list}
      place="/app/settlements"
      filters={FILTERS}
      known={{ account: { options: [ALL, ...accountOptions(accounts)] } }}
      caption="Settlements, newest first"
      empty="Nothing has been settled yet. What was paid is delivered to your settlement address, and stands here then."
      columns={[
        { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { title: 'Status', cell: ({ status }) => <State status={status} /> },
        { title: 'To you', numeric: true, cell: (one) => <Amount of={one} amount={one.amount} /> },
        { title: 'Service fee', numeric: true, cell: (one) => <Amount of={one} amount={one.feeAmount} /> },
        { title: 'Network', cell: ({ network }) => networkName(network) },
        {
          title: 'Settlement address',
          cell: ({ settlementAddress, network }) => (
            <OnChain
              kind="address"
              value={addressForPeople(settlementAddress)}
              explorer={explorerOf(network)}
            />
          ),
        },
        {
          title: 'Transaction',
          cell: ({ transactionHash, network }) => (
            <OnChain kind="tx" value={transactionHash} explorer={explorerOf(network)} />
          ),
        },
        { title: 'Payments', cell: (settlement) => <Payments of={settlement} /> },
      ]}
    />
  );
}

function State({ status }: { status: SettlementStatus }): VNode {
  const { tone, word } = STATES[status];
  return <StateMark tone={tone}>{word}</StateMark>;
}

function Amount({ of, amount }: { of: SettlementView; amount: bigint }): VNode {
  return <bdi>{shownAsset(formatAmount(amount, of.decimals), of.currency)}</bdi>;
}

/** The first ones; the transactions of the ledger have all of them. */
function Payments({ of }: { of: SettlementView }): VNode {
  const shown = of.payments.slice(0, SHOWN);
  return (
    <details>
      <summary>
        {of.paymentCount === 1 ? '1 payment' : `${of.paymentCount.toLocaleString('en')} payments`}
      </summary>
      {shown.map(({ paymentRequestId, amount }) => (
        <p>
          <a href={`/app/payments/${paymentRequestId}`}>
            <code>{paymentRequestId}</code>
          </a>{' '}
          <Amount of={of} amount={amount} />
        </p>
      ))}
      {of.paymentCount > shown.length && (
        <p class="note">and {(of.paymentCount - shown.length).toLocaleString('en')} more</p>
      )}
    </details>
  );
}
