import type { VNode } from 'preact';
import type { Asset } from '#shared/kernel/asset.js';
import { entriesOf, filled } from '#shared/platform/http/dashboard/form-body.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import {
  type FormFields,
  type SentForm,
  type Typed,
  wordOptions,
} from '#shared/web/dashboard/form-fields.js';
import { FieldsForm } from '#shared/web/dashboard/form-parts.js';
import type { DescribedPointOfSale } from '../../application/describe-point-of-sale.js';
import type { PointOfSaleView } from '../../application/points-of-sale-records.js';
import { merchantFields, merchantInFields, type MerchantFields } from '../../domain/point-of-sale.js';

/** Words of `checkout_first`, for people. */
export const CHECKOUT_FIRST = {
  address: 'Address and amount, for any wallet',
  code: 'Payment code, for wallets that read it',
};

/** Everything that can change. The fields are named as in the API, those of the merchant with `merchant_` before. */
export const POINT_OF_SALE = {
  name: { label: 'Name', hint: 'Your own name of it.', required: true },
  merchant_name: { label: 'Merchant', hint: 'As payers see the merchant.', required: true },
  merchant_description: { label: 'Merchant’s description (optional)' },
  merchant_tax_id: { label: 'Tax id (optional)' },
  merchant_image: { label: 'Logo (optional)', hint: 'https:// address of a picture.' },
  merchant_mcc: { label: 'Merchant category code (optional)', hint: 'Four digits, like 5814.' },
  payment_options: { kind: 'lines', label: 'Payment options, one asset id on each line' },
  return_url: {
    label: 'Return address (optional)',
    hint: 'https:// address where payers are sent at the end.',
  },
  frame_origins: {
    kind: 'lines',
    label: 'Sites that may frame the checkout, one on each line (optional)',
    hint: 'Like https://shop.example, without a path.',
  },
  checkout_first: {
    kind: 'choice',
    label: 'First on the checkout',
    hint: 'Payers can switch.',
    options: wordOptions(CHECKOUT_FIRST),
  },
} satisfies FormFields;

export const NEW_POINT_OF_SALE = {
  type: {
    kind: 'choice',
    label: 'Type',
    hint: 'Online: any number of open requests. Physical: one at a time. It never changes.',
    options: wordOptions({ online: 'Online', physical: 'Physical' }),
  },
  account_id: { label: 'Account id', hint: 'Whose it is; it never changes.', required: true },
  ...POINT_OF_SALE,
} satisfies FormFields;

const MERCHANT_PREFIX = 'merchant_';
const MERCHANT_NAMES = Object.keys(POINT_OF_SALE).filter((name) => name.startsWith(MERCHANT_PREFIX));

/** A field left empty is absent for the use cases. */
export function describedIn(typed: Typed<typeof POINT_OF_SALE>): DescribedPointOfSale {
  const merchant: Partial<MerchantFields> = Object.fromEntries(
    MERCHANT_NAMES.map((name) => [name.slice(MERCHANT_PREFIX.length), filled((typed as Typed)[name])]),
  );
  return {
    name: typed.name ?? '',
    merchant: merchantInFields({ ...merchant, name: merchant.name ?? '' }),
    paymentOptions: entriesOf(typed.payment_options),
    returnUrl: filled(typed.return_url),
    frameOrigins: entriesOf(typed.frame_origins),
    checkoutFirst: filled(typed.checkout_first),
  };
}

/** The form as it is filled for a point of sale that exists. */
export function valuesOf(point: PointOfSaleView): Typed {
  const merchant = Object.entries(merchantFields(point.merchant)) as [string, string | undefined][];
  return {
    ...Object.fromEntries(merchant.map(([name, text]) => [MERCHANT_PREFIX + name, text ?? ''])),
    name: point.name,
    payment_options: point.paymentOptions.join('\n'),
    return_url: point.returnUrl ?? '',
    frame_origins: point.frameOrigins.join('\n'),
    checkout_first: point.checkoutFirst,
  };
}

/** The use cases name fields as the API does (`config.merchant.name`); the form names them flat (`merchant_name`). */
export function withOwnNames({ refusal, ...form }: SentForm): SentForm {
  const errors = refusal?.errors.map((error) => ({
    ...error,
    field: error.field.replace(/^config\./, '').replace(/^merchant\./, MERCHANT_PREFIX),
  }));
  return { ...form, refusal: refusal && { ...refusal, errors: errors ?? [] } };
}

/** The assets that are known here, in the hint of their field. */
export function knownAssets(assets: readonly Asset[]) {
  const known = assets.map(
    ({ symbol, network, uniqueAssetId }) => `${symbol} on ${network}: ${uniqueAssetId}`,
  );
  return { payment_options: { hint: `Known here: ${known.join('; ')}.` } };
}

interface NewPointOfSaleProps {
  readonly visitor: PageVisitor;
  readonly sent?: SentForm | undefined;
  readonly assets: readonly Asset[];
}

export function newPointOfSalePage({ visitor, sent, assets }: NewPointOfSaleProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Create a point of sale" place="/app/points-of-sale">
      <section class="card">
        <FieldsForm
          fields={NEW_POINT_OF_SALE}
          sent={sent}
          action="/app/points-of-sale"
          known={knownAssets(assets)}
        >
          <button class="button primary">Create the point of sale</button>
        </FieldsForm>
      </section>
    </DashboardPage>
  );
}
