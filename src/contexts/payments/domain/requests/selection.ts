import type { SettlementTermsId } from '#shared/kernel/ids.js';
import type { DerivedAddress } from '#contexts/networks/contract/deposit-addresses.js';
import type { Rate } from '#contexts/rates/contract/quotes.js';
import type { AddressNumber } from './address-numbers.js';
import type { Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import type { Asset } from '#shared/kernel/asset.js';
import { invalidField } from '#shared/kernel/domain-error.js';

/** A deposit address with the terms that it commits to, and its number if the chain type numbers addresses. */
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
  /** Smallest units. */
  readonly amount: bigint;
  /** The asset's minimum at selection, in smallest units. After smaller payments, the payer may still select another asset. */
  readonly minimumAmount: bigint;
  readonly depositAddress: DepositAddress;
  /** Grace period of the network, which extends the deadline for block timestamps. */
  readonly inclusionGraceSeconds: number;
  /** Locked when the asset is first selected; absent if the request was priced in this asset. */
  readonly rate?: Rate;
  readonly selectedAt: Date;
}

export function isSame(a: Pick<Selection, 'uniqueAssetId'>, b: Pick<Selection, 'uniqueAssetId'>): boolean {
  return a.uniqueAssetId === b.uniqueAssetId;
}

/** The part of a selection that decides whether a transfer pays it. */
export interface OfferedAddress extends Pick<Selection, 'network' | 'uniqueAssetId'> {
  readonly depositAddress: Pick<DepositAddress, 'address' | 'tag'>;
}

function isAddressed(
  { network, depositAddress }: OfferedAddress,
  transfer: Pick<Transfer, 'network' | 'to' | 'toTag'>,
): boolean {
  return (
    network === transfer.network &&
    depositAddress.address === transfer.to &&
    depositAddress.tag === transfer.toTag
  );
}

/** Returns true if the transfer is in the selection's asset and to its address, even if late. */
export function matchesSelection(
  selection: OfferedAddress,
  transfer: Pick<Transfer, 'network' | 'uniqueAssetId' | 'to' | 'toTag'>,
): boolean {
  return isSame(selection, transfer) && isAddressed(selection, transfer);
}

export function depositAddressOf(selections: readonly Selection[], transfer: Transfer): DepositAddress {
  const shown = selections.find((selection) => isAddressed(selection, transfer));
  if (shown === undefined)
    throw new Error(`No selected asset has the address ${transfer.to} on ${transfer.network}.`);
  return shown.depositAddress;
}

/**
 * Enforces the minimum amount of an asset (docs/reference/payments.md, "Create").
 * @param amount smallest units
 * @param must start of the message: `must be worth` if the amount was converted from another coin
 * @throws validation_failed
 */
export function requireMinimumAmount(amount: bigint, asset: Asset, must: 'must be' | 'must be worth'): void {
  if (amount >= asset.minimumAmount) return;
  const least = formatAmount(asset.minimumAmount, asset.decimals);
  throw invalidField('amount', 'minimum_amount', `${must} at least ${least} ${asset.symbol}.`);
}
