import type { SettlementTermsId } from '#shared/kernel/ids.js';
import type { DerivedAddress } from '#contexts/networks/contract/deposit-addresses.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { AddressNumber } from './address-numbers.js';
import type { Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';

/** The number is present if the chain type numbers addresses. */
export interface DepositAddress extends DerivedAddress, Partial<AddressNumber> {
  readonly settlementTermsId: SettlementTermsId;
  readonly settlementAddress: string;
  readonly feeRecipient: string;
  readonly feeBasisPoints: number;
}

export interface Selection {
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** In smallest units. */
  readonly amount: bigint;
  /**
   * Minimum at selection, in smallest units. As long as less was received, the payer may still select another asset.
   */
  readonly minimumAmount: bigint;
  readonly depositAddress: DepositAddress;
  /** Added to the deadline when it is compared with block timestamps. */
  readonly inclusionGraceSeconds: number;
  /** Fixed when the asset is first selected. Absent if the request was priced in this asset. */
  readonly rate?: Rate;
  readonly selectedAt: Date;
}

export function isSameAsset(
  a: Pick<Selection, 'uniqueAssetId'>,
  b: Pick<Selection, 'uniqueAssetId'>,
): boolean {
  return a.uniqueAssetId === b.uniqueAssetId;
}

export interface OfferedAddress extends Pick<Selection, 'network' | 'uniqueAssetId'> {
  readonly depositAddress: Pick<DepositAddress, 'address' | 'tag'>;
}

export function isToAddressOf(
  { network, depositAddress }: OfferedAddress,
  transfer: Pick<Transfer, 'network' | 'to' | 'toTag'>,
): boolean {
  return (
    network === transfer.network &&
    depositAddress.address === transfer.to &&
    depositAddress.tag === transfer.toTag
  );
}

/** Returns true also for a late transfer. */
export function matchesSelection(
  selection: OfferedAddress,
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to' | 'toTag'>,
): boolean {
  return isSameAsset(selection, transfer) && isToAddressOf(selection, transfer);
}

export function findDepositAddress(selections: readonly Selection[], transfer: Transfer): DepositAddress {
  const shown = selections.find((selection) => isToAddressOf(selection, transfer));
  if (shown === undefined)
    throw new Error(`No selected asset has the address ${transfer.to} on ${transfer.network}.`);
  return shown.depositAddress;
}

/** @param must `must be worth` if the amount was converted from another coin @throws validation_failed */
export function requireMinimumAmount(amount: bigint, asset: Asset, must: 'must be' | 'must be worth'): void {
  if (amount >= asset.minimumAmount) return;
  const least = formatAmount(asset.minimumAmount, asset.decimals);
  throw invalidField('amount', 'minimum_amount', `${must} at least ${least} ${asset.symbol}.`);
}
