/** How an asset's symbol is spelled, wherever one is written: `USDC`, `1INCH`, `USDC.e`, `USD+`; never to be taken for a number. */
export const ASSET_SYMBOL = /^(?:[A-Za-z]|[A-Za-z0-9]{2,12})(?:\+|\.[A-Za-z][A-Za-z0-9]{0,3})?$/;

/** An asset on a network, as the catalogue spells it. Protocol: NASPIP unique asset id `n{network}_t{token}`. */
export interface Asset {
  readonly uniqueAssetId: string;
  /** The protocol's network name: `erc20`, `polygon`, `sandbox`, … */
  readonly network: string;
  /**
   * The network's chain type names the token: on EVM networks the contract's address in lower case, for a native coin its
   * symbol.
   */
  readonly token: string;
  readonly symbol: string;
  readonly name: string;
  /** Fraction digits of one whole unit. */
  readonly decimals: number;
  /** Least amount a request may ask for, in smallest units. */
  readonly minimumAmount: bigint;
  /** ISO 4217 currency that one unit is redeemable for; absent where the market alone prices it. */
  readonly peg?: string;
  /** In smallest units: a larger transfer is final only once two endpoints report the same. Absent: one endpoint is enough. */
  readonly crossCheckAbove?: bigint;
  /** Rising, the last one without a bound. Absent: the network's finality, whatever the amount. */
  readonly depths?: readonly AmountDepth[];
}

/** How deep in the chain a transfer is final, by its amount. */
export interface AmountDepth {
  /** The largest amount that it is for, in smallest units. */
  readonly upTo?: bigint;
  readonly confirmations: number;
}

/** The coin that the network itself moves, without a contract: its symbol is its token. */
export function isNative({ token, symbol }: Pick<Asset, 'token' | 'symbol'>): boolean {
  return token === symbol;
}
