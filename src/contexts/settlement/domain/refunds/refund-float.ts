import type { RefundFloatToppedUp } from '../../contract/refund-events.js';
import { isNative, type Asset } from '#shared/kernel/asset.js';
import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/** Valid also if the native coin is not in the catalogue. A token is named by its contract. */
export const NATIVE_HOLDING_KEY = 'native';

export function holdingKeyOf(asset: Pick<Asset, 'token' | 'symbol'>): string {
  return isNative(asset) ? NATIVE_HOLDING_KEY : asset.token;
}

export interface RefundFloat {
  readonly id: string;
  readonly organizationId: OrganizationId;
  /** The organization's first account, in whose books the float is recorded. */
  readonly accountId: AccountId;
  readonly network: string;
  /** Null until a process that holds the key has stored the address. */
  readonly address: string | null;
  readonly replacedAt: Date | null;
}

/** In smallest units. `missing`, `reserved` and `balance` are current amounts; all others are totals. */
export interface FloatHolding {
  readonly holding: string;
  readonly toppedUp: bigint;
  readonly refunded: bigint;
  readonly withdrawn: bigint;
  readonly gas: bigint;
  /** Amount that left the float without a payout of this service. */
  readonly missing: bigint;
  readonly reserved: bigint;
  /** Balance at the last final block checked, without sums below the asset's minimum. Null before the first check. */
  readonly balance: bigint | null;
  readonly blockNumber: number | null;
}

export function emptyHolding(holding: string): FloatHolding {
  const nothing = { toppedUp: 0n, refunded: 0n, withdrawn: 0n, gas: 0n, missing: 0n, reserved: 0n };
  return { holding, ...nothing, balance: null, blockNumber: null };
}

export function availableAmountIn({
  toppedUp,
  refunded,
  withdrawn,
  gas,
  missing,
  reserved,
}: FloatHolding): bigint {
  const free = toppedUp - refunded - withdrawn - gas - missing - reserved;
  return free > 0n ? free : 0n;
}

/** Empty if the float suffices. @param amount in units of `holding` @param gas in units of the native coin */
export function shortfallAmounts(
  holdings: ReadonlyMap<string, FloatHolding>,
  holding: string,
  amount: bigint,
  gas: bigint,
): ReadonlyMap<string, bigint> {
  const need = new Map([[NATIVE_HOLDING_KEY, gas]]);
  need.set(holding, (need.get(holding) ?? 0n) + amount);
  const lacking = new Map<string, bigint>();
  for (const [each, needed] of need) {
    const free = availableAmountIn(holdings.get(each) ?? emptyHolding(each));
    if (needed > free) lacking.set(each, needed - free);
  }
  return lacking;
}

export interface FloatBalanceResult {
  /** 0 while the received sum is below the asset's minimum. */
  readonly toppedUp: bigint;
  /** Excludes received amounts that do not count as a top-up yet. */
  readonly balance: bigint;
  /** Null if unknown, because an unfinished payout may already have left in this block. */
  readonly missing: bigint | null;
}

/**
 * Totals prevent double counting in whatever order blocks are checked. A sum below the asset's minimum is no top-up,
 * because anyone can send a smallest unit to a float.
 * @param left amount of payouts that were final in blocks up to the checked block
 * @param underWay true if a sent payout has not ended
 */
export function evaluateFloatBalance(
  known: Pick<FloatHolding, 'toppedUp'>,
  balance: bigint,
  left: bigint,
  underWay: boolean,
  minimum: bigint,
): FloatBalanceResult {
  const received = balance + left - known.toppedUp;
  if (received < 0n) return { toppedUp: 0n, missing: underWay ? null : -received, balance };
  if (received < minimum) return { toppedUp: 0n, missing: 0n, balance: balance - received };
  return { toppedUp: received, missing: 0n, balance };
}

export interface FloatWithAddress extends RefundFloat {
  readonly address: string;
}

export interface FloatBalance {
  readonly float: FloatWithAddress;
  readonly holding: string;
  readonly balance: bigint;
  readonly blockNumber: number;
}

export interface TopUpToStore {
  readonly id: string;
  /** Null for a native coin that is not in the catalogue, because no event is published. */
  readonly uniqueAssetId: string | null;
  readonly event: RefundFloatToppedUp | null;
}
