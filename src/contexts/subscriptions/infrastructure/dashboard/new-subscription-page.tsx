import type { VNode } from 'preact';
import { parseEnteredAmount } from '#shared/kernel/entered-amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { Choices } from '#shared/kernel/page.js';
import { trimmedOrUndefined, validateForm } from '#shared/platform/http/dashboard/form-body.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  POINT_OF_SALE_FIELD,
  createPointOfSaleField,
  type SubmittedForm,
  type SubmittedFields,
  toOptions,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { EmptyState } from '#shared/web/dashboard/list-page.js';
import { t } from '#shared/web/dashboard/words/text.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { BillingInterval } from '../../domain/billing-interval.js';
import { CreateSubscriptionBody, toCreateSubscriptionInput } from '../http/subscription.dto.js';
import { INTERVAL_WORDS } from './subscription-words.js';

export const NEW_SUBSCRIPTION_FIELDS = {
  point_of_sale_id: { ...POINT_OF_SALE_FIELD, hint: 'Subscriptions need an online point of sale.' },
  amount: {
    label: 'Amount per charge',
    hint: 'For example 12.50, in units of the asset.',
    inputmode: 'decimal',
    required: true,
  },
  unique_asset_id: { kind: 'choice', label: 'Asset', hint: 'An asset that the point of sale accepts.' },
  interval: { kind: 'choice', label: 'Billing interval', options: toOptions(INTERVAL_WORDS) },
  reference_id: {
    label: 'Reference (optional)',
    hint: 'Your own id for the subscription. Its payments carry it too.',
    maxlength: 128,
    exact: true,
    isFolded: true,
  },
  trial_until: {
    kind: 'date',
    label: 'First due date (optional)',
    hint: 'In UTC. Default: when the payer accepts.',
    isFolded: true,
  },
  ends_at: {
    kind: 'date',
    label: 'End date (optional)',
    hint: 'In UTC. Nothing is charged on or after this date.',
    isFolded: true,
  },
} satisfies FormFields;

export async function readNewSubscription(typed: SubmittedFields<typeof NEW_SUBSCRIPTION_FIELDS>) {
  const referenceId = trimmedOrUndefined(typed.reference_id);
  const [trialUntil, endsAt] = [startOfDay(typed.trial_until), startOfDay(typed.ends_at)];
  const body = await validateForm(CreateSubscriptionBody, {
    amount: parseEnteredAmount(typed.amount ?? ''),
    unique_asset_id: trimmedOrUndefined(typed.unique_asset_id) ?? '',
    interval: (typed.interval ?? '') as BillingInterval,
    ...(referenceId && { reference_id: referenceId }),
    ...(trialUntil && { trial_until: trialUntil }),
    ...(endsAt && { ends_at: endsAt }),
  });
  return toCreateSubscriptionInput(body);
}

function startOfDay(day: string | undefined): string | undefined {
  const text = trimmedOrUndefined(day);
  return text === undefined ? undefined : `${text}T00:00:00Z`;
}

interface NewSubscriptionProps {
  readonly visitor: PageUser;
  readonly points: Choices<NamedPointOfSale>;
  readonly assets: readonly Asset[];
  readonly networkName: (network: string) => string;
  readonly sent?: SubmittedForm | undefined;
}

export function newSubscriptionPage(props: NewSubscriptionProps): VNode {
  const { visitor, points, assets, networkName, sent } = props;
  const choices = assets.map(({ uniqueAssetId, symbol, network }) => ({
    value: uniqueAssetId,
    label: t('{symbol} on {network}', { symbol, network: networkName(network) }),
  }));
  return (
    <DashboardPage visitor={visitor} title="Create subscription" place="/app/subscriptions">
      {points.total === 0 && sent === undefined ? (
        <div class="card empty">
          <EmptyState
            title="No online points of sale yet."
            note="A subscription needs one."
            action={{ href: '/app/points-of-sale/new', label: 'Create point of sale' }}
          />
        </div>
      ) : (
        <FormCard
          note="The payer’s wallet can accept the subscription for 24 hours. The amount is then charged on each due date."
          fields={NEW_SUBSCRIPTION_FIELDS}
          sent={sent}
          values={{ interval: 'P1M' }}
          known={{
            point_of_sale_id: createPointOfSaleField(points, sent?.typed['point_of_sale_id']),
            unique_asset_id: { options: choices },
          }}
          action="/app/subscriptions"
          button="Create subscription"
          look="primary"
        />
      )}
    </DashboardPage>
  );
}
