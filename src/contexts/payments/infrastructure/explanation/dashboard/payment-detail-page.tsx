import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { formatAmount } from '#shared/kernel/amount.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DashboardPage } from '#shared/web/dashboard/dashboard-page.js';
import {
  ActionButton,
  type ButtonLook,
  Card,
  CompletedActionNotice,
  CopyButton,
  CopyRow,
  DetailList,
  LinkButton,
} from '#shared/web/dashboard/page-parts.js';
import { hrefWith, ListTable } from '#shared/web/dashboard/list-page.js';
import { LANGUAGE_CONTEXT, t, type Word } from '#shared/web/dashboard/words/text.js';
import { readableAmount } from '#shared/web/formatting/shown-amounts.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { StatusBadge } from '#shared/web/parts/status-badge.js';
import { CountText, AmountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import { isEnded } from '#contexts/payments/domain/requests/status.js';
import { type PaymentDetailPageProps, PaymentTimeline } from './payment-timeline.js';
import { PaymentSteps } from './payment-steps.js';
import { sumFundsByAsset } from './payment-funds.js';
import { PaymentStatusExplanation, statusExplanationSentence } from './payment-status-explanation.js';
import { RequestedAmount, PaymentStatusBadges } from './payments-page.js';

const DONE_MESSAGES = { accepted: 'Accepted as paid.' } satisfies Record<string, Word>;

export function paymentDetailPage(props: PaymentDetailPageProps): VNode {
  const { visitor, request, explanation, networkOf } = props;
  const funds = sumFundsByAsset(props);
  const networkName = (name: string) => networkOf(name)?.name ?? name;
  return (
    <DashboardPage
      visitor={visitor}
      title={request.referenceId === undefined ? 'Payment request' : { name: request.referenceId }}
      heading={
        <>
          {request.referenceId !== undefined && <bdi>{request.referenceId} · </bdi>}
          <RequestedAmount {...request} /> <PaymentPrice {...request} />{' '}
          <PaymentStatusBadges {...request} refundState={request.delivery.refundState} />
        </>
      }
      place="/app/payments"
      actions={<PaymentActions {...props} funds={funds} />}
    >
      <CompletedActionNotice done={props.done} notices={DONE_MESSAGES} />
      {funds.unexpected.length > 0 && (
        <div class="alert" role="alert">
          {funds.unexpected.map(({ code, amount, decimals, currency }) => (
            <p>
              {t('{amount} was received outside this payment and has not been refunded.', {
                amount: <AmountText amount={amount} decimals={decimals} symbol={currency} />,
              })}{' '}
              {t(statusExplanationSentence(code, request.status))}
            </p>
          ))}
          <RefundButton {...props} funds={funds} look="primary" />
        </div>
      )}
      <PaymentSteps {...props} />
      <div class="split">
        <div class="split">
          <Card title={request.fulfilled ? 'How this was paid' : 'Why this is not paid'}>
            <PaymentStatusExplanation explanation={explanation} isFulfilled={request.fulfilled} />
          </Card>
          <Card title="Timeline">
            <PaymentTimeline {...props} />
          </Card>
        </div>
        <div class="split">
          <PaymentDetails {...props} networkName={networkName} funds={funds} />
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
                  cell: ({ read }) => (read === undefined ? '–' : <CountText of={read.toBlock} />),
                },
                { title: 'Block time', cell: ({ read }) => <TimeText at={read?.toTime} /> },
                {
                  title: 'Status',
                  cell: ({ isBehind }) => <StatusBadge status={isBehind ? 'behind' : 'current'} />,
                },
              ]}
            />
          </Card>
        </div>
      </div>
    </DashboardPage>
  );
}

/** Displays the price if its currency is not the selected asset. */
function PaymentPrice({ asked, checkout }: PaymentDetailPageProps['request']): VNode | null {
  if (asked === undefined || checkout === undefined || checkout.coinCode === asked.currency) return null;
  return (
    <span class="note">
      <AmountText amount={checkout.amount} symbol={checkout.coinCode} />
    </span>
  );
}

interface PropsWithFunds extends PaymentDetailPageProps {
  readonly funds: ReturnType<typeof sumFundsByAsset>;
}

/** An open checkout can be shared, received funds refunded, and an underpaid request accepted or asked for again. */
function PaymentActions(props: PropsWithFunds): VNode {
  const { visitor, request, checkoutUrl, funds } = props;
  const language = useContext(LANGUAGE_CONTEXT);
  const mayManage = hasPermission(visitor.role, 'manage');
  return (
    <div class="actions">
      {checkoutUrl !== undefined && (
        <>
          <CopyButton id="checkout-url" label="Copy payment link" value={checkoutUrl} />
          <LinkButton href={checkoutUrl} label="Open checkout" />
        </>
      )}
      {request.status === 'underpaid' && !request.fulfilled && !funds.hasRefund && mayManage && (
        <>
          <ActionButton
            action={`/app/payments/${request.id}/accept`}
            label={t('Accept {amount} as paid', { amount: formatReceived(request, language) })}
            look="primary"
          />
          <LinkButton href={remainderHref(request)} label="Ask for the remainder" />
        </>
      )}
      {funds.unexpected.length === 0 && <RefundButton {...props} />}
    </div>
  );
}

function RefundButton(props: PropsWithFunds & { readonly look?: ButtonLook }): VNode | null {
  const { visitor, request, funds, look } = props;
  if (!isEnded(request.status) || !hasPermission(visitor.role, 'manage') || !funds.isRefundable) return null;
  return <LinkButton href={`/app/refunds/new?payment_request_id=${request.id}`} label="Refund" look={look} />;
}

function formatReceived(
  { asked, receivedAmount }: PaymentDetailPageProps['request'],
  language: PageLanguage,
): string {
  const { decimals, currency } = asked!;
  return `${readableAmount(formatAmount(receivedAmount, decimals), currency, language)}\u00a0${currency}`;
}

/** The form of a payment link for the missing amount. */
function remainderHref({
  asked,
  receivedAmount,
  pointOfSaleId,
  order,
}: PaymentDetailPageProps['request']): string {
  const { amount, decimals, currency } = asked!;
  return hrefWith('/app/links/new', {
    ...{ point_of_sale_id: pointOfSaleId, coin_code: currency, description: order?.description },
    amount: formatAmount(amount - receivedAmount, decimals),
  });
}

interface PaymentDetailsProps extends PropsWithFunds {
  readonly networkName: (network: string) => string;
}

function PaymentDetails(props: PaymentDetailsProps): VNode {
  const { request, explanation, receiptUrl, networkName, funds } = props;
  const { id, asked, receivedAmount, referenceId, pointOfSaleId, accountId } = request;
  const { pointOfSaleName, accountName } = explanation.request;
  return (
    <Card title="Details">
      <DetailList
        facts={{
          Reference: referenceId !== undefined && <bdi>{referenceId}</bdi>,
          Order: request.order?.description,
          Received: asked !== undefined && (
            <AmountText amount={receivedAmount} decimals={asked.decimals} symbol={asked.currency} />
          ),
          Refunded:
            funds.refunded.length > 0 &&
            funds.refunded.map(({ amount, decimals, currency }) => (
              <div>
                <AmountText amount={amount} decimals={decimals} symbol={currency} />
              </div>
            )),
          Network: asked !== undefined && networkName(asked.network),
          'Point of sale': (
            <RecordName
              name={pointOfSaleName}
              id={pointOfSaleId}
              href={`/app/points-of-sale/${pointOfSaleId}`}
            />
          ),
          Account: <RecordName name={accountName} id={accountId} href={`/app/accounts/${accountId}`} />,
          Created: <TimeText at={request.createdAt} exact />,
          Expires: <TimeText at={request.expiresAt} exact />,
          Receipt: receiptUrl && <a href={receiptUrl}>{t('View receipt')}</a>,
        }}
      />
      <dl>
        <CopyRow id="payment-id" label="Payment number" value={id} />
        {asked !== undefined && <CopyRow id="address" label="Deposit address" value={asked.address} />}
      </dl>
    </Card>
  );
}
