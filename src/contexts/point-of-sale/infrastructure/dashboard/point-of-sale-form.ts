import type { Asset } from '#shared/kernel/asset.js';
import { splitEntries, trimmedOrUndefined } from '#shared/platform/http/dashboard/form-body.js';
import {
  createCoinField,
  type SelectOption,
  type FormFields,
  type SubmittedForm,
  type SubmittedFields,
  toOptions,
} from '#shared/web/dashboard/form-fields.js';
import { t, type DisplayText, type Word } from '#shared/web/dashboard/words/text.js';
import type { Network } from '#contexts/networks/contract/network-catalogue.js';
import type { PointOfSaleInput } from '../../application/validate-point-of-sale-description.js';
import type { PointOfSaleView } from '../persistence/points-of-sale-records.js';
import { renameTillError, TILL_FIELDS, readTillFields, tillFieldValues } from './till-fields.js';
import { merchantFields, type MerchantFields, merchantFromFields } from '../../domain/point-of-sale.js';

export const POINT_OF_SALE_TYPE_LABELS = { online: 'Online', physical: 'Physical' } as const satisfies Record<
  string,
  Word
>;

export const CHECKOUT_FIRST_LABELS = {
  address: 'Address and amount, for any wallet',
  code: 'Payment code, for wallets that support it',
} as const satisfies Record<string, Word>;

const DESCRIPTION_FIELDS = {
  name: { label: 'Name', hint: 'For your own use.', required: true },
  merchant_name: { label: 'Merchant', hint: 'The name that payers see.', required: true },
  merchant_description: { label: 'Merchant description (optional)', isFolded: true },
  merchant_tax_id: { label: 'Tax id (optional)', isFolded: true },
  merchant_image: { label: 'Logo (optional)', hint: 'https:// address of an image.', isFolded: true },
  merchant_mcc: {
    label: 'Merchant category code (optional)',
    hint: 'Four digits, for example 5814.',
    isFolded: true,
  },
  payment_options: { kind: 'many', label: 'Accepted assets' },
  return_url: {
    label: 'Return URL (optional)',
    hint: 'https:// address to return payers to after the payment.',
    isFolded: true,
  },
  frame_origins: {
    kind: 'lines',
    label: 'Sites that may embed the checkout, one per line (optional)',
    hint: 'For example https://shop.example, without a path.',
    isFolded: true,
  },
  checkout_first: {
    kind: 'choice',
    label: 'Default payment method',
    hint: 'Payers can switch to the other one.',
    isFolded: true,
    options: toOptions(CHECKOUT_FIRST_LABELS),
  },
} satisfies FormFields;

export const POINT_OF_SALE_FIELDS = { ...DESCRIPTION_FIELDS, ...TILL_FIELDS } satisfies FormFields;

export const FIELDS_OF_TYPE = { online: DESCRIPTION_FIELDS, physical: POINT_OF_SALE_FIELDS } as const;

export const NEW_POINT_OF_SALE_FIELDS = {
  type: {
    kind: 'choice',
    label: 'Type',
    hint: 'Online: a website or payment links. Physical: a shop whose till is a phone. Cannot be changed later.',
    options: toOptions(POINT_OF_SALE_TYPE_LABELS),
  },
  account_id: {
    kind: 'choice',
    label: 'Account',
    hint: 'The account that receives the payments. Cannot be changed later.',
  },
  ...POINT_OF_SALE_FIELDS,
  merchant_name: {
    label: 'Merchant (optional)',
    hint: 'The name that payers see. Default: the display name of the branding.',
    isFolded: true,
  },
} satisfies FormFields;

const MERCHANT_PREFIX = 'merchant_';
const MERCHANT_FIELD_NAMES = Object.keys(DESCRIPTION_FIELDS).filter((name) =>
  name.startsWith(MERCHANT_PREFIX),
);

export function readPointOfSaleForm(typed: SubmittedFields<typeof POINT_OF_SALE_FIELDS>): PointOfSaleInput {
  const merchant: Partial<MerchantFields> = Object.fromEntries(
    MERCHANT_FIELD_NAMES.map((name) => [
      name.slice(MERCHANT_PREFIX.length),
      trimmedOrUndefined((typed as SubmittedFields)[name]),
    ]),
  );
  return {
    name: typed.name ?? '',
    merchant: merchantFromFields({ ...merchant, name: merchant.name ?? '' }),
    paymentOptions: splitEntries(typed.payment_options),
    returnUrl: trimmedOrUndefined(typed.return_url),
    frameOrigins: splitEntries(typed.frame_origins),
    checkoutFirst: trimmedOrUndefined(typed.checkout_first),
    openAmount: typed.open_amount === 'on',
    till: readTillFields(typed),
  };
}

export function formValuesOf(point: PointOfSaleView): SubmittedFields {
  const merchant = Object.entries(merchantFields(point.merchant)) as [string, string | undefined][];
  return {
    ...Object.fromEntries(merchant.map(([name, text]) => [MERCHANT_PREFIX + name, text ?? ''])),
    name: point.name,
    payment_options: point.paymentOptions.join('\n'),
    return_url: point.returnUrl ?? '',
    frame_origins: point.frameOrigins.join('\n'),
    checkout_first: point.checkoutFirst,
    open_amount: point.openAmount ? 'on' : '',
    ...tillFieldValues(point.till),
  };
}

/** Renames `config.merchant.name` to `merchant_name`. */
export function renameErrorFields({ refusal, ...form }: SubmittedForm): SubmittedForm {
  const errors = refusal?.errors.map((error) => ({
    ...error,
    ...renameTillError(
      error.field.replace(/^config\./, '').replace(/^merchant\./, MERCHANT_PREFIX),
      error.message,
    ),
  }));
  return { ...form, refusal: refusal && { ...refusal, errors: errors ?? [] } };
}

export interface PointOfSaleFormOptions {
  /** Currencies and asset symbols that a price can be in. */
  readonly coins: readonly string[];
  readonly assets: readonly Asset[];
  readonly networks: readonly Network[];
}

export function displayNameOfAsset({ assets, networks }: PointOfSaleFormOptions, id: string): DisplayText {
  const asset = assets.find(({ uniqueAssetId }) => uniqueAssetId === id);
  if (asset === undefined) return { name: id };
  const network = networks.find((known) => known.network === asset.network);
  return t('{symbol} on {network}', { symbol: asset.symbol, network: network?.name ?? asset.network });
}

/** Includes selected assets that the service no longer has. */
export function assetOptions(known: PointOfSaleFormOptions, chosen: readonly string[] = []) {
  const ids = new Set([...known.assets.map(({ uniqueAssetId }) => uniqueAssetId), ...chosen]);
  return { options: [...ids].map((value) => ({ value, label: displayNameOfAsset(known, value) })) };
}

/** The parts of the form that depend on the service and on the point of sale. */
export function dynamicFormFields(
  known: PointOfSaleFormOptions,
  { paymentOptions = [], till = null }: Partial<Pick<PointOfSaleView, 'paymentOptions' | 'till'>>,
  first?: SelectOption,
) {
  return {
    payment_options: assetOptions(known, paymentOptions),
    till_coin_code: createCoinField(known.coins, till?.coinCode, first),
  };
}
