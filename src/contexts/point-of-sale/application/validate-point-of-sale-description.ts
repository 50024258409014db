import { invalidField } from '#shared/kernel/domain-error.js';
import { requireText } from '#shared/kernel/text.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { Merchant } from '../contract/points-of-sale.js';
import {
  firstCheckoutMethodFrom,
  requireDistinct,
  frameOriginsFrom,
  MAX_NAME_LENGTH,
  MAX_PAYMENT_OPTIONS,
  merchantFields,
  merchantFrom,
  type PointOfSale,
  type PointOfSaleDescription,
  requireSecureUrl,
} from '../domain/point-of-sale.js';
import { tillFields, tillFrom, type TillConfigInput } from '../domain/till-config.js';

export interface PointOfSaleInput {
  readonly name: string;
  readonly merchant: Merchant;
  readonly paymentOptions: readonly string[];
  readonly returnUrl?: string | undefined;
  readonly frameOrigins?: readonly string[] | undefined;
  readonly checkoutFirst?: string | undefined;
  readonly openAmount?: boolean | undefined;
  readonly till?: TillConfigInput | undefined;
}

const PAYMENT_OPTIONS_FIELD = 'config.payment_options';

/** @throws DomainError naming the field, such as `config.merchant.name` */
export function validatePointOfSaleDescription(
  input: PointOfSaleInput,
  catalogue: NetworkCatalogue,
): PointOfSaleDescription {
  const { returnUrl, till } = input;
  return {
    name: requireText('name', input.name, MAX_NAME_LENGTH),
    merchant: merchantFrom(input.merchant),
    paymentOptions: readPaymentOptions(input.paymentOptions, catalogue),
    returnUrl: returnUrl === undefined ? null : requireSecureUrl('config.return_url', returnUrl),
    frameOrigins: frameOriginsFrom(input.frameOrigins ?? []),
    checkoutFirst: firstCheckoutMethodFrom(input.checkoutFirst),
    openAmount: input.openAmount ?? false,
    till: till === undefined ? null : tillFrom(till, catalogue.assets()),
  };
}

function readPaymentOptions(ids: readonly string[], catalogue: NetworkCatalogue): string[] {
  const options = ids.map((id) => {
    const asset = catalogue.asset(id);
    if (asset !== undefined) return asset.uniqueAssetId;
    const known = catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
    throw invalidField(
      PAYMENT_OPTIONS_FIELD,
      'asset',
      `has an unknown asset: ${id}. Use ${known.join(', ')}.`,
    );
  });
  if (options.length === 0)
    throw invalidField(PAYMENT_OPTIONS_FIELD, 'required', 'must have at least one asset.');
  return requireDistinct(PAYMENT_OPTIONS_FIELD, MAX_PAYMENT_OPTIONS, options);
}

export function auditablePointOfSale(pointOfSale: PointOfSale): object {
  return {
    account_id: pointOfSale.accountId,
    name: pointOfSale.name,
    type: pointOfSale.type,
    merchant: merchantFields(pointOfSale.merchant),
    payment_options: pointOfSale.paymentOptions,
    return_url: pointOfSale.returnUrl,
    frame_origins: pointOfSale.frameOrigins,
    checkout_first: pointOfSale.checkoutFirst,
    open_amount: pointOfSale.openAmount,
    till: pointOfSale.till === null ? null : tillFields(pointOfSale.till),
  };
}
