import type { VNode } from 'preact';
import type { Choices } from '#shared/kernel/page.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import {
  createMerchantAccountField,
  HIDDEN_FIELD,
  type SubmittedForm,
} from '#shared/web/dashboard/form-fields.js';
import { FormCard } from '#shared/web/dashboard/form-parts.js';
import type { NamedAccount } from '#contexts/identity/contract/account-directory.js';
import { MAX_PAYMENT_OPTIONS } from '../../domain/point-of-sale.js';
import type { EffectiveSettlementTerms } from '../persistence/settlement-address-queries.js';
import {
  type PointOfSaleFormOptions,
  dynamicFormFields,
  NEW_POINT_OF_SALE_FIELDS,
} from './point-of-sale-form.js';
import { SettlementTermsSection } from './settlement-terms-section.js';

interface NewPointOfSaleProps extends PointOfSaleFormOptions {
  readonly visitor: PageUser;
  readonly accounts: Choices<NamedAccount>;
  /** Terms of the only account, or of the organization if there are several. */
  readonly terms: readonly EffectiveSettlementTerms[];
  readonly type: string | undefined;
  readonly sent?: SubmittedForm | undefined;
}

/** An organization with a single account is not asked for it. */
export function newPointOfSalePage(props: NewPointOfSaleProps): VNode {
  const { visitor, sent, accounts, type } = props;
  const typedAccount = sent?.typed['account_id'];
  const only = accounts.total === 1 && typedAccount === undefined ? accounts.items[0] : undefined;
  return (
    <DashboardPage visitor={visitor} title="Create point of sale" place="/app/points-of-sale">
      <FormCard
        fields={NEW_POINT_OF_SALE_FIELDS}
        sent={sent}
        values={{ type, account_id: only?.id, payment_options: preselectedAssets(props) }}
        action="/app/points-of-sale"
        known={{
          ...dynamicFormFields(props, {}),
          account_id: only ? HIDDEN_FIELD : createMerchantAccountField(accounts, typedAccount),
        }}
        button="Create point of sale"
        look="primary"
      />
      <SettlementTermsSection {...props} />
    </DashboardPage>
  );
}

/** All assets of the networks that funds can be settled on; all assets if there is no such network yet. */
function preselectedAssets({ assets, terms }: NewPointOfSaleProps): string {
  const networks = new Set(terms.map(({ network }) => network));
  const settled = assets.filter(({ network }) => networks.has(network));
  return (settled.length === 0 ? assets : settled)
    .slice(0, MAX_PAYMENT_OPTIONS)
    .map(({ uniqueAssetId }) => uniqueAssetId)
    .join('\n');
}
