import type { VNode } from 'preact';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormField,
  type FormFields,
  HIDDEN_FIELD,
  SECOND_FACTOR_FIELD,
  type SubmittedForm,
  UNRENDERED_FIELD,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { EmptyState } from '#shared/web/dashboard/list-page.js';
import { DetailList } from '#shared/web/dashboard/page-parts.js';
import { t } from '#shared/web/dashboard/words/text.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { ShortId } from '#shared/web/parts/values.js';
import { PaymentBadge } from '#shared/web/parts/status-badge.js';
import type { RefundableRequest } from '#contexts/payments/contract/refundable-requests.js';
import { type ReceivedAsset, totalReceived } from '#contexts/settlement/domain/refunds/refund-amount-rule.js';
import { AssetAmount, PaymentLink } from './refund-parts.js';

export const NEW_REFUND_FIELDS = {
  payment_request_id: HIDDEN_FIELD,
  refund_to_address: {
    label: 'Payer’s address',
    hint: 'The refund is paid to this address immediately. Leave blank to get a link where the payer enters an address for you to approve.',
    exact: true,
  },
  paid_transaction_hash: {
    label: 'Refund transaction hash',
    hint: 'This payment went to your own wallet, so you pay the refund from it. The refund completes when this transaction is final.',
    exact: true,
  },
  unique_asset_id: { kind: 'choice', label: 'Asset' },
  amount: {
    label: 'Amount',
    hint: 'Leave blank to refund the full remainder, or the excess of an overpaid payment.',
    inputmode: 'decimal',
  },
  reason: { label: 'Reason', hint: 'For your own records (optional).' },
  code: SECOND_FACTOR_FIELD,
} satisfies FormFields;

/** Refunds from the merchant's own wallet have no claim link, so the merchant enters the address. */
const MERCHANT_PAID_ADDRESS_FIELD = {
  label: 'Payer’s address',
  hint: 'The address that this transaction pays.',
  exact: true,
} satisfies FormField;

interface NewRefundProps {
  readonly visitor: PageUser;
  readonly request: RefundableRequest;
  readonly networkName: (network: string) => string;
  /** True if payments on the network go directly to the merchant's own wallet. */
  readonly isDelivered: (network: string) => boolean;
  readonly free: ReadonlyMap<string, bigint>;
  /** Amounts that can still be refunded, in smallest units, by asset id. */
  readonly refundable: ReadonlyMap<string, bigint>;
  readonly sent?: SubmittedForm | undefined;
}

export function newRefundPage(props: NewRefundProps): VNode {
  const { visitor, request, networkName, isDelivered, free, refundable, sent } = props;
  const received = request.received.filter((one) => totalReceived(one) > 0n);
  const delivered = received.filter(({ asset }) => isDelivered(asset.network));
  const assets = received.map(({ asset }) => ({
    value: asset.uniqueAssetId,
    label: t('{symbol} on {network}', { symbol: asset.symbol, network: networkName(asset.network) }),
  }));
  // With several assets, the amount and the sender depend on the asset that is chosen.
  const only = received.length === 1 ? received[0] : undefined;
  const maximum = only && refundable.get(only.asset.uniqueAssetId);
  const isRefunded =
    received.length > 0 && received.every(({ asset }) => refundable.get(asset.uniqueAssetId)! <= 0n);
  const typed = {
    ...(only && maximum !== undefined && { amount: suggestedAmount(request, only, maximum) }),
    ...sent?.typed,
    payment_request_id: request.id,
  };
  return (
    <DashboardPage visitor={visitor} title="Refund a payment" place="/app/refunds">
      <section class="card">
        <DetailList
          facts={{
            Payment: <PaymentLink id={request.id} reference={request.referenceId} />,
            Status: <PaymentBadge status={request.status} />,
            Received:
              received.length > 0 &&
              received.map((one) => (
                <div>
                  <AssetAmount asset={one.asset} amount={totalReceived(one)} />{' '}
                  {t('on {network}', { network: networkName(one.asset.network) })}
                </div>
              )),
            'Paid from': only?.sender !== undefined && (
              <>
                <ShortId value={only.sender} />
                <p class="note">
                  {t(
                    'Exchanges pay from shared wallets. Refund to this address only if the payer confirms that it is theirs.',
                  )}
                </p>
              </>
            ),
            'Refund float': free.size > 0 && !isRefunded && (
              <LowFloatNotice received={received} free={free} />
            ),
          }}
        />
      </section>
      {isRefunded ? (
        <section class="card">
          <EmptyState
            title="Everything was already refunded."
            action={{ href: `/app/payments/${request.id}`, label: 'View the payment' }}
          />
        </section>
      ) : (
        <FormCard
          fields={NEW_REFUND_FIELDS}
          sent={{ fields: NEW_REFUND_FIELDS, typed, refusal: sent?.refusal }}
          known={{
            unique_asset_id: assets.length > 1 ? { options: assets } : UNRENDERED_FIELD,
            ...(delivered.length === 0 && { paid_transaction_hash: UNRENDERED_FIELD }),
            ...(only &&
              maximum !== undefined && {
                amount: {
                  hint: t('At most {amount}.', {
                    amount: `${formatAmount(maximum, only.asset.decimals)} ${only.asset.symbol}`,
                  }),
                },
              }),
            ...(only?.sender !== undefined && {
              refund_to_address: { options: [{ value: only.sender, label: { name: only.sender } }] },
            }),
            ...(delivered.length === received.length && { refund_to_address: MERCHANT_PAID_ADDRESS_FIELD }),
          }}
          action="/app/refunds/new"
          button="Create refund"
          look="primary"
          cancel="/app/refunds"
        />
      )}
    </DashboardPage>
  );
}

/** The excess of an overpaid payment, otherwise everything that can still be refunded. */
function suggestedAmount(
  { status }: RefundableRequest,
  { asset, asked }: ReceivedAsset,
  refundable: bigint,
): string {
  const amount = status === 'overpaid' && refundable > asked ? refundable - asked : refundable;
  return amount > 0n ? formatAmount(amount, asset.decimals) : '';
}

interface LowFloatNoticeProps {
  readonly received: RefundableRequest['received'];
  readonly free: ReadonlyMap<string, bigint>;
}

function LowFloatNotice({ received, free }: LowFloatNoticeProps): VNode {
  return (
    <>
      {received.map((one) => {
        const amount = free.get(one.asset.uniqueAssetId);
        if (amount === undefined) return null;
        return (
          <div>
            <AssetAmount asset={one.asset} amount={amount} />
            {amount < totalReceived(one) && (
              <p class="warning">
                {t(
                  'The refund float holds less than the amount received. Top it up before you approve the refund.',
                )}
              </p>
            )}
          </div>
        );
      })}
    </>
  );
}
