import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import { normalizeAmountOf, requireCurrencyOrAsset } from '#shared/kernel/read-price.js';
import { requireText } from '#shared/kernel/text.js';
import type { TillConfig, TillProduct } from '../contract/points-of-sale.js';
import type { PointOfSaleType } from './point-of-sale.js';

export const MAX_TIP_PERCENTAGES = 4;
export const MAX_PRODUCTS = 200;
export const MAX_PRODUCT_NAME_LENGTH = 100;

export interface TillConfigInput extends Pick<TillConfig, 'coinCode'> {
  readonly tipPercentages?: readonly number[] | undefined;
  readonly products?: readonly TillProduct[] | undefined;
}

/** @throws DomainError naming the field, such as `config.till.products[2].amount` */
export function tillFrom(input: TillConfigInput, assets: readonly Asset[]): TillConfig {
  const coin = requireCurrencyOrAsset(input.coinCode, assets, 'config.till.coin_code');
  const products = input.products ?? [];
  if (products.length > MAX_PRODUCTS)
    throw invalidField('config.till.products', 'max_items', `must have at most ${MAX_PRODUCTS} items.`);
  return {
    coinCode: coin.code,
    tipPercentages: tipPercentagesFrom(input.tipPercentages ?? []),
    products: products.map(({ name, amount }, index) => {
      const field = `config.till.products[${index}]`;
      return {
        name: requireText(`${field}.name`, name, MAX_PRODUCT_NAME_LENGTH),
        amount: normalizeAmountOf(coin, amount, `${field}.amount`),
      };
    }),
  };
}

export const TIP_PERCENTAGES_MESSAGE = `must be at most ${MAX_TIP_PERCENTAGES} different whole numbers from 1 to 100.`;

export function areTipPercentages(values: readonly unknown[]): values is readonly number[] {
  const isOne = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100;
  return (
    values.length <= MAX_TIP_PERCENTAGES && values.every(isOne) && new Set(values).size === values.length
  );
}

function tipPercentagesFrom(values: readonly number[]): readonly number[] {
  if (areTipPercentages(values)) return values;
  throw invalidField('config.till.tip_percentages', 'tip_percentages', TIP_PERCENTAGES_MESSAGE);
}

export function rejectTillOfOnlinePoint(
  type: PointOfSaleType,
  { openAmount, till }: { readonly openAmount: boolean; readonly till: TillConfig | null },
): void {
  if (type === 'physical') return;
  const field = openAmount ? 'open_amount' : till === null ? undefined : 'till';
  if (field === undefined) return;
  throw invalidField(
    `config.${field}`,
    'physical_only',
    'requires a physical point of sale. Omit it for an online one.',
  );
}

export function tillFields({ coinCode, tipPercentages, products }: TillConfig) {
  return {
    coin_code: coinCode,
    tip_percentages: tipPercentages.length === 0 ? undefined : tipPercentages,
    products: products.length === 0 ? undefined : products,
  };
}
