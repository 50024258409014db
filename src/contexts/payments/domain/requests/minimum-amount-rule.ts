import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';

/**
 * The minimum amount of an asset that may be asked for (docs/reference/payments.md, "Create").
 * @param amount smallest units
 * @param must begins the message: `must be worth` where the amount was converted from another coin
 * @throws validation_failed
 */
export function requireMinimumAmount(amount: bigint, asset: Asset, must: 'must be' | 'must be worth'): void {
  if (amount >= asset.minimumAmount) return;
  const least = formatAmount(asset.minimumAmount, asset.decimals);
  throw invalidField('amount', 'minimum_amount', `${must} at least ${least} ${asset.symbol}.`);
}
