import type { VNode } from 'preact';
import { may } from '#shared/kernel/dashboard-access.js';
import { DashboardPage } from '#shared/web/dashboard/dashboard-page.js';
import { Card, CopyRow, Facts, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { ListTable } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { Badge } from '#shared/web/parts/badge.js';
import { Count, Money, Name, When } from '#shared/web/parts/values.js';
import { type PaymentProps, PaymentTimeline } from './payment-timeline.js';
import { RequestedAmount, PaymentStatus } from './payments-page.js';

export function paymentPage(props: PaymentProps): VNode {
  const { visitor, request, explanation, networkOf } = props;
  const networkName = (name: string) => networkOf(name)?.name ?? name;
  return (
    <DashboardPage
      visitor={visitor}
      title={request.referenceId === undefined ? 'Payment request' : { name: request.referenceId }}
      heading={
        <>
          <RequestedAmount {...request} /> <PaymentStatus {...request} />
        </>
      }
      place="/app/payments"
      actions={<RefundLink visitor={visitor} request={request} explanation={explanation} />}
    >
      <div class="split">
        <div class="split">
          <Card title={request.fulfilled ? 'How this was paid' : 'Why this is not paid'}>
            <p lang="en">{explanation.summary}</p>
          </Card>
          <Card title="Timeline">
            <PaymentTimeline {...props} />
          </Card>
        </div>
        <div class="split">
          <PaymentDetails {...props} networkName={networkName} />
          <Card title="Network status">
            <ListTable
              caption="Networks"
              items={explanation.request.networks}
              empty={<p class="note">{t('The payer has not chosen an asset yet.')}</p>}
              columns={[
                { title: 'Network', cell: ({ network }) => networkName(network) },
                {
                  title: 'Block',
                  numeric: true,
                  cell: ({ read }) => (read === undefined ? '–' : <Count of={read.toBlock} />),
                },
                { title: 'Block time', cell: ({ read }) => <When at={read?.toTime} /> },
                {
                  title: 'Status',
                  cell: ({ isBehind }) => <Badge status={isBehind ? 'behind' : 'current'} />,
                },
              ]}
            />
          </Card>
        </div>
      </div>
    </DashboardPage>
  );
}

/** An ended request can be refunded: its payment, and its deposits in any asset. */
function RefundLink({
  visitor,
  request,
  explanation,
}: Pick<PaymentProps, 'visitor' | 'request' | 'explanation'>): VNode | null {
  const isReceived =
    request.confirmedAt !== undefined || explanation.transfers.some(({ bookedAs }) => bookedAs === 'deposit');
  if (!isReceived || !may(visitor.role, 'manage')) return null;
  return <LinkButton href={`/app/refunds/new?payment_request_id=${request.id}`} label="Refund" />;
}

interface PaymentDetailsProps extends Pick<PaymentProps, 'request' | 'explanation' | 'receiptUrl'> {
  readonly networkName: (network: string) => string;
}

function PaymentDetails({ request, explanation, receiptUrl, networkName }: PaymentDetailsProps): VNode {
  const { id, asked, receivedAmount, referenceId, pointOfSaleId, accountId } = request;
  const { pointOfSaleName, accountName } = explanation.request;
  return (
    <Card title="Details">
      <Facts
        facts={{
          Reference: referenceId !== undefined && <bdi>{referenceId}</bdi>,
          Order: request.order?.description,
          Received: asked !== undefined && (
            <Money amount={receivedAmount} decimals={asked.decimals} symbol={asked.currency} />
          ),
          Network: asked !== undefined && networkName(asked.network),
          'Point of sale': (
            <Name name={pointOfSaleName} id={pointOfSaleId} href={`/app/points-of-sale/${pointOfSaleId}`} />
          ),
          Account: <Name name={accountName} id={accountId} href={`/app/accounts/${accountId}`} />,
          Created: <When at={request.createdAt} exact />,
          Expires: <When at={request.expiresAt} exact />,
          Receipt: receiptUrl && <a href={receiptUrl}>{t('View receipt')}</a>,
        }}
      />
      <dl>
        <CopyRow id="payment-id" label="Payment id" value={id} />
        {asked !== undefined && <CopyRow id="address" label="Deposit address" value={asked.address} />}
      </dl>
    </Card>
  );
}
