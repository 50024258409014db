import type { LedgerAccount } from './chart-of-accounts.js';

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
  static of(lines: readonly Entry[]): Posting {
    const sums = new Map<string, bigint>();
    for (const { uniqueAssetId, amount } of lines) {
      sums.set(uniqueAssetId, (sums.get(uniqueAssetId) ?? 0n) + amount);
    }
    for (const [asset, sum] of sums) {
      if (sum !== 0n) throw new Error(`A posting is out of balance by ${sum} of ${asset}.`);
    }
    const entries = lines.filter((line) => line.amount !== 0n);
    if (entries.length === 0) throw new Error('A posting moves nothing.');
    return new Posting(Object.freeze(entries));
  }
}
