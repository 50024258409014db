import { formatAmount } from '#shared/kernel/amount.js';
import { smallestAssetAmountWorth } from '#shared/kernel/decimal.js';
import type { Asset, ConfirmationsForAmount, FinalityTag } from '#shared/kernel/asset.js';

export type Finality =
  | { readonly kind: 'confirmations'; readonly confirmations: number }
  /** `typicalConfirmations` is for estimates only. */
  | { readonly kind: 'finalized'; readonly typicalConfirmations: number };

export interface NetworkFinality {
  /** Decides when payouts, refunds and the service's own transactions are final, and when funds are settled. */
  readonly finality: Finality;
  /**
   * Confirmations of the smallest payments, on a network with confirmations by amount. Blocks get their confirmation
   * read at this depth. Absent if payments wait for `finality`.
   */
  readonly acceptedAfter?: number;
}

/** @returns the finality of the blocks that the watcher confirms, and of the smallest payments */
export function smallestPaymentFinality({ finality, acceptedAfter }: NetworkFinality): Finality {
  return acceptedAfter === undefined ? finality : { kind: 'confirmations', confirmations: acceptedAfter };
}

/** Decimals of the amounts in `Asset.depthsByValue`, in any currency. */
export const THRESHOLD_AMOUNT_DECIMALS = 2;

/** Price of one unit of an asset as a decimal, locked for a payment. */
export interface PaymentRate {
  readonly currency: string;
  readonly price: string;
}

/**
 * @param amount in smallest units; null for any amount
 */
export function confirmationRequirementFor(
  { finality }: Pick<NetworkFinality, 'finality'>,
  asset: Partial<Pick<Asset, 'depths' | 'depthsByValue' | 'decimals'>>,
  amount: bigint | null,
  rate?: PaymentRate,
): Omit<ConfirmationsForAmount, 'upTo'> {
  const row = depthsOf(asset, rate).find(
    ({ upTo }) => upTo === undefined || (amount !== null && amount <= upTo),
  );
  return row ?? { confirmations: usualConfirmations(finality) };
}

function depthsOf(
  { depths = [], depthsByValue, decimals = 0 }: Parameters<typeof confirmationRequirementFor>[1],
  rate: PaymentRate | undefined,
): readonly ConfirmationsForAmount[] {
  if (depthsByValue === undefined || rate?.currency !== depthsByValue.currency) return depths;
  return depthsByValue.rows.map(({ upTo, ...row }) =>
    upTo === undefined
      ? row
      : {
          ...row,
          upTo: smallestAssetAmountWorth(formatAmount(upTo, THRESHOLD_AMOUNT_DECIMALS), rate.price, decimals),
        },
  );
}

export function isFinalityTagRequired(
  assets: readonly Pick<Asset, 'depths' | 'depthsByValue'>[],
  required: FinalityTag,
): boolean {
  return assets.some(({ depths = [], depthsByValue }) =>
    [...depths, ...(depthsByValue?.rows ?? [])].some(({ tag }) => tag === required),
  );
}

export function requiredConfirmations(...payment: Parameters<typeof confirmationRequirementFor>): number {
  return confirmationRequirementFor(...payment).confirmations;
}

export function usualConfirmations(finality: Finality): number {
  return finality.kind === 'confirmations' ? finality.confirmations : finality.typicalConfirmations;
}

const MAX_TAG_INTERVAL_MS = 15_000;

/**
 * Time between two requests for the newest finalized block: a quarter of the time that finality usually takes, so that
 * it is noticed soon on networks where it takes seconds.
 */
export function finalityTagPollIntervalMs(finality: Finality, blockMs: number): number {
  return Math.min(MAX_TAG_INTERVAL_MS, (usualConfirmations(finality) * blockMs) / 4);
}

export function finalBlockByConfirmations(head: number, confirmations: number): number | null {
  // The head block has one confirmation.
  const number = head - confirmations + 1;
  return number < 0 ? null : number;
}
