/**
 * The chart of accounts, per merchant account and asset. - `custody`: funds held by deposit addresses. - `in_flight`:
 * funds that have left deposit addresses in a block that is not final. - `delivered`: funds received by the
 * merchant's own wallet from payers, less refunds paid from it. - `refund_float`: funds in the float, which pays
 * refunds. - `fees_delivered`: fees received by the fee recipient. - `merchant_payable`: amount that the service owes
 * the merchant. - `service_fees`: fees that the service has earned. - `rounding`: fees as booked, less fees as taken
 * on chain. - `gas_spent`: gas paid by the float, in the native asset.
 */
export const CHART_OF_ACCOUNTS = {
  custody: 'asset',
  in_flight: 'asset',
  delivered: 'asset',
  refund_float: 'asset',
  fees_delivered: 'asset',
  merchant_payable: 'liability',
  service_fees: 'income',
  rounding: 'expense',
  gas_spent: 'expense',
} as const;

export type LedgerAccount = keyof typeof CHART_OF_ACCOUNTS;

/** One journal line, in smallest units of the asset. Debits are positive and credits negative. Never zero. */
export interface LedgerEntry {
  readonly ledgerAccount: LedgerAccount;
  readonly uniqueAssetId: string;
  readonly amount: bigint;
}

export class Posting {
  private constructor(readonly entries: readonly LedgerEntry[]) {}

  /** @throws Error if an asset does not balance, or if no line remains after lines of zero are omitted */
  static createBalanced(lines: readonly LedgerEntry[]): Posting {
    const sums = new Map<string, bigint>();
    for (const { uniqueAssetId, amount } of lines) {
      sums.set(uniqueAssetId, (sums.get(uniqueAssetId) ?? 0n) + amount);
    }
    for (const [asset, sum] of sums) {
      if (sum !== 0n) throw new Error(`A posting is out of balance by ${sum} of ${asset}.`);
    }
    const entries = lines.filter((line) => line.amount !== 0n);
    if (entries.length === 0) throw new Error('A posting must move an amount.');
    return new Posting(Object.freeze(entries));
  }
}

/** Sorted by first appearance. Omits sums of zero. */
export function sumByLedgerAccount(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const sums = new Map<string, LedgerEntry>();
  for (const entry of entries) {
    const key = `${entry.ledgerAccount} ${entry.uniqueAssetId}`;
    const before = sums.get(key);
    sums.set(key, { ...entry, amount: entry.amount + (before?.amount ?? 0n) });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

export function correctingEntries(
  required: readonly LedgerEntry[],
  booked: readonly LedgerEntry[],
): LedgerEntry[] {
  return sumByLedgerAccount([...required, ...booked.map((entry) => ({ ...entry, amount: -entry.amount }))]);
}
