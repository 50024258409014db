import type { VNode } from 'preact';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  Form,
  RefusalNotice,
  TextField,
  type ShownRefusal,
  PointOfSaleField,
} from '#shared/web/dashboard/form-parts.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { NewLinkForm } from './link.form.js';

interface NewLinkProps {
  readonly visitor: PageVisitor;
  /** The points of sale that can have links. */
  readonly pointsOfSale: readonly NamedPointOfSale[];
  readonly typed: NewLinkForm;
  readonly refusal: ShownRefusal | undefined;
}

const FIELDS = ['point_of_sale_id', 'amount', 'coin_code', 'return_url'];

export function newLinkPage({ visitor, pointsOfSale, typed, refusal }: NewLinkProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create a payment link" place="/app/links">
      <section class="card">
        <RefusalNotice refusal={refusal} fields={FIELDS} />
        <Form action="/app/links">
          <PointOfSaleField
            hint="Online points of sale alone have links."
            value={typed.point_of_sale_id}
            {...{ pointsOfSale, refusal }}
          />
          <TextField
            name="amount"
            label="Amount"
            hint="In whole units, like 12.50."
            inputmode="decimal"
            value={typed.amount}
            refusal={refusal}
            required
          />
          <TextField
            name="coin_code"
            label="Currency"
            hint="An ISO 4217 currency, like EUR, or the symbol of an asset, like USDC."
            value={typed.coin_code}
            refusal={refusal}
            required
          />
          <TextField
            name="return_url"
            label="Return address (optional)"
            hint="https:// address where the payer is sent at the end; the point of sale’s own unless given."
            type="url"
            value={typed.return_url}
            refusal={refusal}
          />
          <button class="button primary">Create the link</button>
        </Form>
      </section>
    </DashboardPage>
  );
}
