/**
 * The chart of accounts, kept once per merchant account and asset.
 * - `custody`: what the deposit addresses hold for the merchant.
 * - `in_flight`: what has left them in a block that is not final.
 * - `delivered`: what the merchant's own wallet has received from payers, less what it has refunded.
 * - `refund_float`: what the float holds, from which refunds are paid.
 * - `fees_delivered`: what the fee recipient has received.
 * - `merchant_payable`: what the service owes the merchant.
 * - `service_fees`: what the service has earned.
 * - `rounding`: the fees as booked less the fees as the chain took them.
 * - `gas_spent`: what sending from the float has cost, in the native asset.
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

/** One line of the journal: smallest units of the asset, a debit positive and a credit negative, never zero. */
export interface Entry {
  readonly ledgerAccount: LedgerAccount;
  readonly uniqueAssetId: string;
  readonly amount: bigint;
}

/** Debits and credits that cancel out in every asset. There is no other way to make one, so no unbalanced one exists. */
export class Posting {
  private constructor(readonly entries: readonly Entry[]) {}

  /**
   * Lines of zero are left out: they move nothing.
   * @throws Error when an asset's debits and credits differ, or when nothing is left
   */
  static balanced(lines: readonly Entry[]): Posting {
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

/** One entry for each ledger account and asset, in the order in which they first come; those of zero are left out. */
export function summed(entries: readonly Entry[]): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.ledgerAccount} ${entry.uniqueAssetId}`;
    const before = sums.get(key);
    sums.set(key, { ...entry, amount: entry.amount + (before?.amount ?? 0n) });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0n);
}

/** The entries that turn what is booked into what is to stand. */
export function difference(toStand: readonly Entry[], booked: readonly Entry[]): Entry[] {
  return summed([...toStand, ...booked.map((entry) => ({ ...entry, amount: -entry.amount }))]);
}
