import { invalidField } from '#shared/kernel/domain-error.js';
import { requiredText } from '#shared/kernel/text.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { Merchant } from '../contract/points-of-sale.js';
import {
  eachOnce,
  frameOriginsFrom,
  merchantFrom,
  type PointOfSale,
  type PointOfSaleDescription,
} from '../domain/point-of-sale.js';
import { secureUrl } from '../domain/secure-url.js';

/** As callers describe a point of sale. */
export interface DescribedPointOfSale {
  readonly name: string;
  readonly merchant: Merchant;
  /** Unique asset ids, in any case. */
  readonly paymentOptions: readonly string[];
  readonly returnUrl?: string | undefined;
  readonly frameOrigins?: readonly string[] | undefined;
}

export const MOST_PAYMENT_OPTIONS = 50;
const PAYMENT_OPTIONS = 'config.payment_options';

/** @throws DomainError naming the field, as `config.merchant.name` */
export function describePointOfSale(
  input: DescribedPointOfSale,
  catalogue: NetworkCatalogue,
): PointOfSaleDescription {
  const { returnUrl } = input;
  return {
    name: requiredText('name', input.name, 200),
    merchant: merchantFrom(input.merchant),
    paymentOptions: optionsFrom(input.paymentOptions, catalogue),
    returnUrl: returnUrl === undefined ? null : secureUrl('config.return_url', returnUrl),
    frameOrigins: frameOriginsFrom(input.frameOrigins ?? []),
  };
}

function optionsFrom(ids: readonly string[], catalogue: NetworkCatalogue): string[] {
  const options = ids.map((id) => {
    const asset = catalogue.asset(id);
    if (asset !== undefined) return asset.uniqueAssetId;
    const known = catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
    throw invalidField(
      PAYMENT_OPTIONS,
      'asset',
      `${id} is not an asset of this service: ${known.join(', ')}.`,
    );
  });
  if (options.length === 0) throw invalidField(PAYMENT_OPTIONS, 'required', 'must name at least one asset.');
  return eachOnce(PAYMENT_OPTIONS, MOST_PAYMENT_OPTIONS, options);
}

/** What of a point of sale the audit log keeps. */
export function auditablePointOfSale({ accountId, type, ...described }: PointOfSale): object {
  const { name, description, taxId, image, mcc } = described.merchant;
  return {
    account_id: accountId,
    name: described.name,
    type,
    merchant: { name, description, tax_id: taxId, image, mcc },
    payment_options: described.paymentOptions,
    return_url: described.returnUrl,
    frame_origins: described.frameOrigins,
  };
}
