import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/** A change of the amount of an asset that waits at a deposit address, in smallest units; below zero where it takes. */
export interface WaitingChange {
  readonly network: string;
  /** In lower case. */
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly paymentRequestId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly currency: string;
  readonly decimals: number;
  readonly change: bigint;
}

/** The amount booked less the amount paid out, for each deposit address and asset. */
export abstract class WaitingMoney {
  /** Adds all of them, in one statement; refuses to run outside a unit of work. */
  abstract add(changes: readonly WaitingChange[]): Promise<void>;
}

/** One change for each address and asset, in the order of their keys, without those that change nothing. */
export function summed(changes: readonly WaitingChange[]): WaitingChange[] {
  const sums = new Map<string, WaitingChange>();
  for (const change of changes) {
    const key = `${change.network} ${change.address} ${change.uniqueAssetId}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? change : { ...before, change: before.change + change.change });
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, sum]) => (sum.change === 0n ? [] : [sum]));
}
