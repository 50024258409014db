import type { Asset } from '#shared/kernel/asset.js';
import { invalidField, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';

type OpenAmountPoint = Pick<PaymentPointOfSale, 'openAmount' | 'tillCoin' | 'paymentOptions'>;

/** The coin of the till, or without one the symbols of the payment options. */
export function findOpenAmountCoins(
  { tillCoin, paymentOptions }: OpenAmountPoint,
  assets: readonly Asset[],
): string[] {
  if (tillCoin !== undefined) return [tillCoin];
  const symbols = paymentOptions.flatMap(
    (option) => assets.find(({ uniqueAssetId }) => uniqueAssetId === option)?.symbol ?? [],
  );
  return [...new Set(symbols)];
}

export function requireOpenAmountAllowed(
  point: OpenAmountPoint,
  coinCode: string,
  assets: readonly Asset[],
): void {
  if (!point.openAmount)
    throw stateConflict(
      'Payers cannot enter an amount at this point of sale. Wait until the cashier has created a payment request.',
    );
  const coins = findOpenAmountCoins(point, assets);
  if (!coins.includes(coinCode))
    throw invalidField(
      'coin_code',
      'coin_code',
      `must be a currency of this point of sale: ${coins.join(', ')}.`,
    );
}
