import type { DuePayout, PlannedPayout } from '../../contract/settlement-planning.js';

/** The terms of the address decide: the fee's share is rounded down, the settlement address gets the rest. */
export function plannedPayout(due: DuePayout): PlannedPayout {
  const toFee = (due.gross * BigInt(due.terms.feeBasisPoints)) / 10_000n;
  return { ...due, toSettlement: due.gross - toFee, toFee, isFeeRefused: false };
}

/** Equal for payouts of one asset at one deposit address. */
export function payoutKey({ depositAddress, asset }: Pick<DuePayout, 'depositAddress' | 'asset'>): string {
  return `${depositAddress} ${asset.uniqueAssetId}`;
}
