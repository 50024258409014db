import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  SelectField,
  TextField,
  type ShownRefusal,
  PointOfSaleField,
} from '#shared/web/dashboard/form-parts.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { NewSubscriptionForm } from '../subscription.form.js';
import { INTERVAL_WORDS } from './subscription-words.js';

interface NewSubscriptionProps {
  readonly visitor: PageVisitor;
  /** Only points of sale that can have subscriptions. */
  readonly pointsOfSale: readonly NamedPointOfSale[];
  /** That any of them takes. */
  readonly assets: readonly Asset[];
  readonly typed: NewSubscriptionForm;
  readonly refusal: ShownRefusal | undefined;
}

const FIELDS = [
  ...['point_of_sale_id', 'amount', 'unique_asset_id', 'interval', 'reference_id'],
  ...['trial_until', 'ends_at'],
];

export function newSubscriptionPage(props: NewSubscriptionProps): VNode {
  const { visitor, typed, refusal } = props;
  return (
    <DashboardPage visitor={visitor} title="Offer a subscription" place="/app/subscriptions">
      <section class="card">
        <p>A wallet can accept the offer for 24 hours. The amount is then charged on each due date.</p>
        <RefusalNotice refusal={refusal} fields={FIELDS} />
        <Form action="/app/subscriptions">
          <PriceFields {...props} />
          <TextField
            name="reference_id"
            label="Reference (optional)"
            hint="Your own id of it; the payments of its charges have it too."
            value={typed.reference_id}
            maxlength={128}
            refusal={refusal}
          />
          <TextField
            name="trial_until"
            label="First due date (optional)"
            hint="In UTC; without it the acceptance is."
            type="date"
            value={typed.trial_until}
            refusal={refusal}
          />
          <TextField
            name="ends_at"
            label="End (optional)"
            hint="In UTC; due dates on or after it are not charged."
            type="date"
            value={typed.ends_at}
            refusal={refusal}
          />
          <button class="button primary">Offer the subscription</button>
        </Form>
      </section>
    </DashboardPage>
  );
}

function PriceFields({ pointsOfSale, assets, typed, refusal }: NewSubscriptionProps): VNode {
  return (
    <>
      <PointOfSaleField
        hint="Online points of sale alone have subscriptions."
        value={typed.point_of_sale_id}
        {...{ pointsOfSale, refusal }}
      />
      <TextField
        name="amount"
        label="Amount of each charge"
        hint="In whole units of the asset, like 12.50."
        inputmode="decimal"
        value={typed.amount}
        refusal={refusal}
        required
      />
      <SelectField
        name="unique_asset_id"
        label="Asset"
        hint="One that the point of sale takes."
        value={typed.unique_asset_id}
        refusal={refusal}
        options={assets.map(({ uniqueAssetId, symbol, network }) => ({
          value: uniqueAssetId,
          label: `${symbol} on ${network}`,
        }))}
      />
      <SelectField
        name="interval"
        label="Charged"
        value={typed.interval}
        refusal={refusal}
        options={Object.entries(INTERVAL_WORDS).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}
