import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  POINT_OF_SALE_FIELD,
  createCoinField,
  createPointOfSaleField,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import { EmptyState } from '#shared/web/dashboard/list-page.js';
import type { NamedPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';

export const NEW_LINK_FIELDS = {
  point_of_sale_id: { ...POINT_OF_SALE_FIELD, hint: 'Links need an online point of sale.' },
  amount: {
    label: 'Amount',
    hint: 'For example 12.50.',
    inputmode: 'decimal',
    required: true,
  },
  coin_code: { kind: 'choice', label: 'Currency' },
  description: { label: 'Description for the payer (optional)' },
  return_url: {
    kind: 'url',
    label: 'Return URL (optional)',
    hint: 'https:// address to return the payer to. Leave blank to use the one of the point of sale.',
    isFolded: true,
  },
} satisfies FormFields;

interface NewLinkProps {
  readonly visitor: PageUser;
  readonly points: Choices<NamedPointOfSale>;
  readonly coins: readonly string[];
  readonly sent?: SubmittedForm | undefined;
}

export function newLinkPage({ visitor, points, coins, sent }: NewLinkProps): VNode {
  const known = {
    point_of_sale_id: createPointOfSaleField(points, sent?.typed['point_of_sale_id']),
    coin_code: createCoinField(coins, sent?.typed['coin_code']),
  };
  return (
    <DashboardPage visitor={visitor} title="Create payment link" place="/app/links">
      {points.total === 0 && sent === undefined ? (
        <div class="card empty">
          <EmptyState
            title="No online points of sale yet."
            note="A payment link needs one."
            action={{ href: '/app/points-of-sale/new', label: 'Create point of sale' }}
          />
        </div>
      ) : (
        <FormCard
          fields={NEW_LINK_FIELDS}
          sent={sent}
          known={known}
          action="/app/links"
          button="Create payment link"
          look="primary"
        />
      )}
    </DashboardPage>
  );
}
