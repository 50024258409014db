/** Spelling of an asset's symbol: `USDC`, `1INCH`, `USDC.e`, `USD+`. A symbol never looks like a number. */
export const ASSET_SYMBOL = /^(?:[A-Za-z]|[A-Za-z0-9]{2,12})(?:\+|\.[A-Za-z][A-Za-z0-9]{0,3})?$/;

/** An asset on a network, spelled as in the catalogue. NASPIP unique asset id: `n{network}_t{token}`. */
export interface Asset {
  readonly uniqueAssetId: string;
  /** NASPIP network name: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  /** Named by the chain type. On EVM networks: the contract address in lower case, or the symbol of a native coin. */
  readonly token: string;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** Minimum amount of a payment request, in smallest units. */
  readonly minimumAmount: bigint;
  /** ISO 4217 currency that one unit is redeemable for. Absent if the asset has a market price only. */
  readonly peg?: string;
  /** In smallest units. A larger transfer is final only after two endpoints report it. Absent: one endpoint is enough. */
  readonly crossCheckAbove?: bigint;
  /** Ascending; the last entry has no upper bound. Absent: the network's finality applies to every amount. */
  readonly depths?: readonly AmountDepth[];
}

/** Confirmations that make a transfer final, by its amount. */
export interface AmountDepth {
  /** Largest amount the entry applies to, in smallest units. */
  readonly upTo?: bigint;
  readonly confirmations: number;
}

/** True for the network's own coin, which has no contract. Its token is its symbol. */
export function isNative({ token, symbol }: Pick<Asset, 'token' | 'symbol'>): boolean {
  return token === symbol;
}
