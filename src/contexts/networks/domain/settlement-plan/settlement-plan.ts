import type {
  DuePayout,
  PlannedPayout,
  SettlementPlanDifference,
  SettlementPlanDifferenceKind,
} from '../../contract/settlement-planning.js';
import { isNative } from '#shared/kernel/asset.js';

/** The fee is rounded down, and the settlement address receives the remainder. */
export function plannedPayout(due: DuePayout): PlannedPayout {
  const toFee = (due.gross * BigInt(due.terms.feeBasisPoints)) / 10_000n;
  return { ...due, toSettlement: due.gross - toFee, toFee, isFeeRefused: false };
}

export function payoutKey({ depositAddress, asset }: Pick<DuePayout, 'depositAddress' | 'asset'>): string {
  return `${depositAddress} ${asset.uniqueAssetId}`;
}

/** Addresses are in the canonical spelling. */
export type SettlementCallEvent =
  | {
      readonly kind: 'settled';
      readonly depositAddress: string;
      /** Null for the native coin. */
      readonly token: string | null;
      readonly toSettlement: bigint;
      readonly toFee: bigint;
    }
  | {
      readonly kind: 'failed';
      readonly depositAddress: string;
      readonly token: string | null;
      /** Revert data of the contract in hexadecimal. */
      readonly reason: string;
    }
  /** Gas ran low: this item of this group and all later items were not paid out. */
  | { readonly kind: 'stopped'; readonly group: number; readonly item: number }
  /** The complete call was reverted, for a reason other than gas. */
  | { readonly kind: 'reverted'; readonly reason: string };

export interface SimulatedSettlement {
  readonly gasUsed: bigint;
  /** A single event if the call reverts. */
  readonly events: readonly SettlementCallEvent[];
}

const TOO_COSTLY =
  'would not be paid out: a transaction of this network cannot have as much gas as it may need.';

type ItemEvent = Extract<SettlementCallEvent, { depositAddress: string }>;

export function planDifferences(
  payouts: readonly PlannedPayout[],
  events: readonly SettlementCallEvent[],
): SettlementPlanDifference[] {
  const reverted = events.find((event) => event.kind === 'reverted');
  if (reverted !== undefined) {
    const says = `would not be paid out: the whole call is reverted (${reverted.reason}).`;
    return payouts.map((payout) => toPlanDifference(payout, 'failed', says));
  }
  const items = events.filter((event) => 'depositAddress' in event);
  const left = new Map<string, ItemEvent[]>();
  for (const event of items) left.set(eventKey(event), [...(left.get(eventKey(event)) ?? []), event]);
  const isStopped = items.length < events.length;
  const differences = payouts.flatMap((payout) => {
    const event = left.get(plannedKey(payout))?.shift();
    if (event === undefined && isStopped) return toPlanDifference(payout, 'too_costly', TOO_COSTLY);
    return differenceOf(payout, event) ?? [];
  });
  return [...differences, ...[...left.values()].flat().map(unplanned)];
}

/** Amounts differ from the plan if a fee recipient refuses its share, because the factory then skips the fee. */
export function withSimulatedAmounts<T extends PlannedPayout>(
  payouts: readonly T[],
  events: readonly SettlementCallEvent[],
): T[] {
  const left = new Set(
    events.flatMap((event) => (event.kind === 'settled' && event.toFee === 0n ? eventKey(event) : [])),
  );
  return payouts.map((payout) =>
    payout.toFee > 0n && left.has(plannedKey(payout))
      ? { ...payout, toSettlement: payout.gross, toFee: 0n, isFeeRefused: true }
      : payout,
  );
}

/** The second payout would find an empty address. */
export function duplicatePayouts(payouts: readonly PlannedPayout[]): SettlementPlanDifference[] {
  const seen = new Set<string>();
  return payouts.flatMap((payout) => {
    const key = payoutKey(payout);
    if (seen.has(key)) return toPlanDifference(payout, 'listed_twice', 'is in the plan twice.');
    seen.add(key);
    return [];
  });
}

export function toPlanDifference(
  payout: PlannedPayout,
  kind: SettlementPlanDifferenceKind,
  says: string,
): SettlementPlanDifference {
  const { depositAddress, asset } = payout;
  const sentence = `${asset.symbol} at ${depositAddress} ${says}`;
  return { kind, depositAddress, uniqueAssetId: asset.uniqueAssetId, says: sentence };
}

function differenceOf(payout: PlannedPayout, event: ItemEvent | undefined): SettlementPlanDifference | null {
  if (event === undefined)
    return toPlanDifference(payout, 'not_paid_out', 'would not be paid out: the address is empty.');
  if (event.kind === 'failed') {
    const reason = event.reason === '0x' ? 'it gives no reason' : `its reason is ${event.reason}`;
    return toPlanDifference(payout, 'failed', `would not be paid out: ${reason}.`);
  }
  const { toSettlement, toFee } = payout;
  if (event.toSettlement === toSettlement && event.toFee === toFee) return null;
  if (leavesFee(payout, event)) return null;
  const planned = `${toSettlement} to the settlement address and ${toFee} as fee`;
  const simulated = `${event.toSettlement} and ${event.toFee}`;
  return toPlanDifference(payout, 'other_amounts', `would pay out ${simulated}, but ${planned} is planned.`);
}

function leavesFee({ gross }: PlannedPayout, event: Extract<ItemEvent, { kind: 'settled' }>): boolean {
  return event.toFee === 0n && event.toSettlement === gross;
}

function unplanned(event: ItemEvent): SettlementPlanDifference {
  const { kind, depositAddress, token } = event;
  const fate = kind === 'settled' ? 'be settled' : 'fail';
  const says = `${token ?? 'Native coin'} at ${depositAddress} would ${fate} without being planned.`;
  return { kind: 'unplanned', depositAddress, uniqueAssetId: null, says };
}

function plannedKey({ depositAddress, asset }: PlannedPayout): string {
  return `${depositAddress} ${isNative(asset) ? '' : asset.token}`;
}

function eventKey({ depositAddress, token }: ItemEvent): string {
  return `${depositAddress} ${token ?? ''}`;
}
