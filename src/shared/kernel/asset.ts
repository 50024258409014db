/** Spelling of an asset's symbol: `USDC`, `1INCH`, `USDC.e`, `USD+`. A symbol never looks like a number. */
export const ASSET_SYMBOL_PATTERN = /^(?:[A-Za-z]|[A-Za-z0-9]{2,12})(?:\+|\.[A-Za-z][A-Za-z0-9]{0,3})?$/;

/** An asset on a network, spelled as in the catalogue. NASPIP unique asset id: `n{network}_t{token}`. */
export interface Asset {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly token: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Minimum amount of a payment request, in smallest units. */
  readonly minimumAmount: bigint;
  /** ISO 4217 code of the currency to which the asset is pegged: one unit of the asset for one of the currency. */
  readonly peg?: string;
  /** In smallest units. A larger transfer is final only after two RPC endpoints report it. */
  readonly crossCheckAbove?: bigint;
  /** Sorted by amount; the last entry has no upper bound. */
  readonly depths?: readonly ConfirmationsForAmount[];
  /** Used instead of `depths` for a payment with a rate in that currency. Amounts are in hundredths of the currency. */
  readonly depthsByValue?: { readonly currency: string; readonly rows: readonly ConfirmationsForAmount[] };
}

export interface ConfirmationsForAmount {
  readonly upTo?: bigint;
  /** With a `tag`, the number that is usually needed, for estimates only. */
  readonly confirmations: number;
  /** The transfer is final when the chain marks its block with this tag. */
  readonly tag?: FinalityTag;
}

/** Block tags of Ethereum's JSON-RPC. A `finalized` block is also `safe`. */
export const FINALITY_TAGS = ['safe', 'finalized'] as const;
export type FinalityTag = (typeof FINALITY_TAGS)[number];

export function isNative({ token, symbol }: Pick<Asset, 'token' | 'symbol'>): boolean {
  return token === symbol;
}
