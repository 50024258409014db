import type { Entry } from '../balanced-posting.js';

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

/** What has to be booked so that what is booked becomes what is to stand. */
export function difference(toStand: readonly Entry[], booked: readonly Entry[]): Entry[] {
  return summed([...toStand, ...booked.map((entry) => ({ ...entry, amount: -entry.amount }))]);
}
