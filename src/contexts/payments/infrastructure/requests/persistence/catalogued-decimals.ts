import type { Asset } from '#shared/kernel/asset.js';
import type { Invariant } from '#shared/kernel/invariant.js';

/** The invariant that the configured catalogue adds to those of the stored data alone. Assets withdrawn are left out. */
export function cataloguedDecimals(assets: readonly Asset[]): Invariant {
  const rows = assets.map(
    ({ uniqueAssetId, decimals }) => `('${uniqueAssetId.replaceAll("'", "''")}', ${decimals})`,
  );
  const catalogue = rows.length === 0 ? `SELECT NULL::text, NULL::integer` : `VALUES ${rows.join(', ')}`;
  return {
    name: 'decimals-are-of-the-catalogue',
    promise: 'Amounts are recorded with the decimals that the networks file has for their asset.',
    breaches: `SELECT r.unique_asset_id, r.decimals AS recorded, c.decimals AS configured FROM (
        SELECT unique_asset_id, decimals FROM payments.payment_requests
        UNION SELECT unique_asset_id, decimals FROM payments.selections
        UNION SELECT unique_asset_id, decimals FROM payments.transfers) r
      JOIN (${catalogue}) c (unique_asset_id, decimals) USING (unique_asset_id)
      WHERE r.decimals <> c.decimals`,
  };
}
