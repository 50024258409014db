import { subtractDecimals } from '#shared/web/formatting/shown-amounts.js';
import type { PagePaymentOption } from './checkout-page-model.js';

export interface RankedOption extends PagePaymentOption {
  /** Only the first option has a place. */
  readonly place?: 'lastUsed' | 'recommended';
  readonly hasLowestFee: boolean;
}

export interface RankedOptions {
  readonly options: readonly RankedOption[];
  /** All options have the same network fee, paid in the same coin. */
  readonly isSameFee: boolean;
}

/**
 * Orders by the payer's last network, the price without an exchange rate and the network fee, then as the merchant does.
 * Options without a price come last.
 */
export function rankOptions(options: readonly PagePaymentOption[], price: string): RankedOptions {
  const payable = options.filter(({ amount }) => amount !== undefined);
  const coins = new Set(payable.map(({ networkFee }) => networkFee?.coinCode));
  const feeCoins = new Set(payable.map(({ networkFee }) => networkFee?.feeCoin));
  const areComparable = coins.size === 1 && !coins.has(undefined);
  const fees = areComparable ? payable.map(feeOf) : [];
  const [lowest, highest] = [Math.min(...fees), Math.max(...fees)];
  const preferences: ((option: PagePaymentOption) => number)[] = [
    (option) => Number(option.isLastNetwork !== true),
    (option) => Number(hasOtherAmount(option, price)),
    (option) => (areComparable ? feeOf(option) : 0),
  ];
  const difference = (a: PagePaymentOption, b: PagePaymentOption): number =>
    preferences.map((of) => of(a) - of(b)).find((by) => by !== 0) ?? 0;
  const [first, ...others] = payable
    .toSorted(difference)
    .map((option) => ({ ...option, hasLowestFee: lowest < highest && feeOf(option) === lowest }));
  const place: RankedOption['place'] = first?.isLastNetwork === true ? 'lastUsed' : 'recommended';
  return {
    options: [
      ...(first === undefined ? [] : [others.length > 0 ? { ...first, place } : first]),
      ...others,
      ...options
        .filter(({ amount }) => amount === undefined)
        .map((option) => ({ ...option, hasLowestFee: false })),
    ],
    isSameFee: fees.length > 1 && lowest === highest && feeCoins.size === 1,
  };
}

/** A fee that is displayed as less than the smallest unit is below that unit. */
function feeOf({ networkFee: fee }: PagePaymentOption): number {
  return fee === undefined ? Infinity : Number(fee.amount) / (fee.isLess ? 2 : 1);
}

/** An exchange rate changes the amount. */
function hasOtherAmount({ amount = '0' }: PagePaymentOption, price: string): boolean {
  return subtractDecimals(amount, price) !== '0' || subtractDecimals(price, amount) !== '0';
}
