import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/** Names what a float holds of the network's own coin, whether or not that is catalogued; of a token its contract does. */
export const NATIVE = 'native';

export function holdingOf(asset: Pick<Asset, 'token' | 'symbol'>): string {
  return isNative(asset) ? NATIVE : asset.token;
}

/** Where an organization's refunds on a network are paid from. */
export interface RefundFloat {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** The first of the organization, in whose books the float stands. */
  readonly accountId: AccountId;
  readonly network: string;
  /** In the one spelling by which addresses are matched; null until a process that holds the key has stored it. */
  readonly address: string | null;
  /** Since when another one pays; null of the one that pays. */
  readonly replacedAt: Date | null;
}

/** The money of a float in one asset, in smallest units. All but `missing` and `reserved` are sums since its beginning. */
export interface FloatHolding {
  readonly holding: string;
  readonly toppedUp: bigint;
  readonly refunded: bigint;
  readonly withdrawn: bigint;
  readonly gas: bigint;
  /** Has left by no payout of the service. */
  readonly missing: bigint;
  /** The sum of payouts that have not ended. */
  readonly reserved: bigint;
  /** At the final block that was looked at last, without a sum below the minimum of the asset; null before one was. */
  readonly balance: bigint | null;
  readonly blockNumber: number | null;
}

export function emptyHolding(holding: string): FloatHolding {
  const nothing = { toppedUp: 0n, refunded: 0n, withdrawn: 0n, gas: 0n, missing: 0n, reserved: 0n };
  return { holding, ...nothing, balance: null, blockNumber: null };
}

/** The amount that can be promised to one more payout. */
export function availableIn({ toppedUp, refunded, withdrawn, gas, missing, reserved }: FloatHolding): bigint {
  const free = toppedUp - refunded - withdrawn - gas - missing - reserved;
  return free > 0n ? free : 0n;
}

/**
 * The amounts that a payout needs beyond the free ones, by holding; none where the float suffices.
 * @param amount of `holding` @param gas of the native coin
 */
export function lackingIn(
  holdings: ReadonlyMap<string, FloatHolding>,
  holding: string,
  amount: bigint,
  gas: bigint,
): ReadonlyMap<string, bigint> {
  const need = new Map([[NATIVE, gas]]);
  need.set(holding, (need.get(holding) ?? 0n) + amount);
  const lacking = new Map<string, bigint>();
  for (const [each, needed] of need) {
    const free = availableIn(holdings.get(each) ?? emptyHolding(each));
    if (needed > free) lacking.set(each, needed - free);
  }
  return lacking;
}

/** The result of a look at a float's balance in a final block. */
export interface LookedAt {
  /** Received since; 0 while that is below the minimum of the asset. */
  readonly toppedUp: bigint;
  /** Without what was received and is no top-up yet. */
  readonly balance: bigint;
  /** Null: not known, since a payout that is under way may have left in that block already. */
  readonly missing: bigint | null;
}

/**
 * Counted from the beginning: what came in is the balance and all that has left by then, less what was counted before. So
 * nothing is counted twice, in whatever order blocks are looked at, and a payout that is not recorded yet hides a top-up
 * for a while and never makes one up.
 * Anyone can send a smallest unit to a float, so a sum below the minimum of its asset is no top-up until more arrives.
 * @param left by payouts that were final, in blocks up to the one looked at
 * @param underWay whether any payout was sent that has not ended
 */
export function lookedAt(
  known: Pick<FloatHolding, 'toppedUp'>,
  balance: bigint,
  left: bigint,
  underWay: boolean,
  minimum: bigint,
): LookedAt {
  const came = balance + left - known.toppedUp;
  if (came < 0n) return { toppedUp: 0n, missing: underWay ? null : -came, balance };
  if (came < minimum) return { toppedUp: 0n, missing: 0n, balance: balance - came };
  return { toppedUp: came, missing: 0n, balance };
}
