import { parseAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';

/** @throws validation_failed */
export function assetNamed(catalogue: NetworkCatalogue, uniqueAssetId: string): Asset {
  const asset = catalogue.asset(uniqueAssetId);
  if (asset !== undefined) return asset;
  throw invalidField('asset', 'asset', 'must be a unique asset id of this service.');
}

/** @returns what a decimal in whole units, or 0, comes to @throws validation_failed */
export function unitsOf(field: string, text: string, { decimals }: Asset): bigint {
  if (/^0(?:\.0+)?$/.test(text)) return 0n;
  const units = parseAmount(text, decimals);
  if (typeof units === 'bigint') return units;
  throw invalidField(field, 'decimal_amount', `must be a decimal with at most ${decimals} decimals, or 0.`);
}
