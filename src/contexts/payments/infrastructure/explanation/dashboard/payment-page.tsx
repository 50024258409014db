import type { ComponentChildren, VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Facts, ListTable, OnChain, Time } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { SHARED_MESSAGES } from '#shared/web/messages/shared-messages.js';
import { Copyable } from '#shared/web/parts/copyable.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  ExplainedTransfer,
  RequestExplanation,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestProgressView } from '#contexts/payments/application/requests/payment-request-view.js';
import type { LaterRecord } from '#contexts/payments/contract/later-records.js';
import { LaterMoment } from './later-moment.js';
import { PaymentStatus } from './payments-page.js';

interface PaymentProps {
  readonly visitor: PageVisitor;
  readonly request: PaymentRequestProgressView;
  readonly explanation: RequestExplanation;
  /** Records of other contexts about the payment. */
  readonly later: readonly LaterRecord[];
  /** The network of this installation's catalogue. */
  readonly networkOf: (name: string) => Network | undefined;
}

export function paymentPage({ visitor, request, explanation, later, networkOf }: PaymentProps): VNode {
  const { id, fulfilled, asked, receivedAmount, referenceId, expiresAt, createdAt } = request;
  const amount = (value: bigint) =>
    asked === undefined ? 'not chosen yet' : shownAsset(formatAmount(value, asked.decimals), asked.currency);
  return (
    <DashboardPage
      visitor={visitor}
      title={referenceId ?? 'Payment request'}
      place="/app/payments"
      actions={<PaymentStatus {...request} />}
    >
      <section class="card">
        <h2>{fulfilled ? 'How it was paid' : 'Why isn’t it paid?'}</h2>
        <p>{explanation.summary}</p>
        <Facts
          facts={{
            Asked: amount(asked?.amount ?? 0n),
            Received: amount(receivedAmount),
            Network: asked === undefined ? '–' : (networkOf(asked.network)?.name ?? asked.network),
            Order: request.order?.description,
            'Point of sale': (
              <a href={`/app/points-of-sale/${request.pointOfSaleId}`}>
                <code>{request.pointOfSaleId}</code>
              </a>
            ),
            Account: <code>{request.accountId}</code>,
            Created: <Time at={createdAt} />,
            Expires: <Time at={expiresAt} />,
          }}
        />
        <dl>
          <Copyable id="payment-id" label="Payment request" value={id} text={SHARED_MESSAGES.en} />
          {asked !== undefined && (
            <Copyable id="address" label="Deposit address" value={asked.address} text={SHARED_MESSAGES.en} />
          )}
        </dl>
      </section>
      <section class="card">
        <h2>Timeline</h2>
        <Timeline request={request} transfers={explanation.transfers} later={later} networkOf={networkOf} />
      </section>
      <section class="card">
        <h2>How far networks are read</h2>
        <ListTable
          caption="Networks"
          items={explanation.request.networks}
          empty="No network was offered yet."
          columns={[
            { title: 'Network', cell: ({ network }) => network },
            { title: 'Block', numeric: true, cell: ({ read }) => read?.toBlock.toLocaleString('en') ?? '–' },
            { title: 'Its time', cell: ({ read }) => <Time at={read?.toTime ?? null} /> },
            { title: 'State', cell: ({ isBehind }) => (isBehind ? 'behind' : 'up to date') },
          ]}
        />
      </section>
    </DashboardPage>
  );
}

interface Moment {
  readonly at: Date;
  readonly what: ComponentChildren;
}

/** The request's history, transfers and later records, in the order of time. */
function Timeline({
  request,
  transfers,
  later,
  networkOf,
}: {
  request: PaymentRequestProgressView;
  transfers: readonly ExplainedTransfer[];
  later: readonly LaterRecord[];
  networkOf: PaymentProps['networkOf'];
}) {
  const explorer = request.asked && networkOf(request.asked.network)?.explorerUrl;
  const moments: Moment[] = [
    ...request.history.map(({ status, at }) => ({ at, what: <PaymentStatus status={status} /> })),
    ...transfers.map((transfer) => ({
      at: transfer.detectedAt,
      what: <Transfer transfer={transfer} network={networkOf(transfer.network)} />,
    })),
    ...later.map((record) => ({ at: record.at, what: <LaterMoment record={record} explorer={explorer} /> })),
  ].sort((one, other) => one.at.getTime() - other.at.getTime());
  return (
    <ol class="timeline">
      {moments.map(({ at, what }) => (
        <li>
          <Time at={at} />
          <div>{what}</div>
        </li>
      ))}
    </ol>
  );
}

function Transfer({
  transfer,
  network,
}: {
  transfer: ExplainedTransfer;
  network: Network | undefined;
}): VNode {
  const { amount, decimals, currency, transactionHash, from, confirmations, requiredConfirmations, summary } =
    transfer;
  return (
    <>
      <strong>{shownAsset(formatAmount(amount, decimals), currency)}</strong> on{' '}
      {network?.name ?? transfer.network}, {confirmations} of {requiredConfirmations} confirmations. {summary}
      <Facts
        facts={{
          Transaction:
            transactionHash === undefined ? (
              'found by its balance'
            ) : (
              <OnChain kind="tx" value={transactionHash} explorer={network?.explorerUrl} />
            ),
          From: <OnChain kind="address" value={from} explorer={network?.explorerUrl} />,
        }}
      />
    </>
  );
}
