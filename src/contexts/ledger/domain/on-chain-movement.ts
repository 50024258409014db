import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import type { Transaction } from './transaction.js';
import { Posting } from './balanced-posting.js';

/** A transfer of a merchant's funds to a deposit address, or the reversal of such a transfer. */
export interface OnChainMovement {
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** Service fee from the settlement terms of the deposit address. */
  readonly feeBasisPoints: number;
  /** Present if the address belongs to the merchant's own wallet, so that the funds need no settlement. */
  readonly delivered?: true | undefined;
  readonly referenceId?: string;
  readonly from: string;
  /** The deposit address. */
  readonly to: string;
  /** Absent if the transaction that transferred the funds is not known. */
  readonly transactionHash?: string;
  /** Block timestamp of the transfer, or the time of its reversal. If absent, the time of posting is used. */
  readonly occurredAt?: Date;
}

/** Amounts of a movement in smallest units. Negative for a reversal. */
interface MovementAmounts {
  readonly gross: bigint;
  readonly net: bigint;
  readonly expected: bigint;
}

/** Transaction of a movement at a deposit address. It always has a posting. */
export type MovementTransaction = Transaction & Required<Pick<Transaction, 'posting' | 'paymentRequestId'>>;

export function completedTransaction(
  id: TransactionId,
  type: 'payment_in' | 'deposit' | 'adjustment',
  movement: OnChainMovement,
  { gross, net, expected }: MovementAmounts,
): MovementTransaction {
  const { organizationId, accountId, paymentRequestId, network, uniqueAssetId, currency, decimals } =
    movement;
  return {
    id,
    organizationId,
    accountId,
    type,
    status: 'completed',
    grossAmount: gross,
    netAmount: net,
    expectedAmount: expected,
    decimals,
    currency,
    network,
    uniqueAssetId,
    from: { address: movement.from, type: 'wallet' },
    to: { address: movement.to, type: movement.delivered ? 'settlement_address' : 'vault' },
    financialProvider: 'onchain',
    transactionHash: movement.transactionHash,
    paymentRequestId,
    referenceId: movement.referenceId,
    occurredAt: movement.occurredAt,
    posting: incomingFundsPosting(movement, { gross, net }),
  };
}

/**
 * Maximum of a sum of transfers. Transfers of a token that anyone can mint can sum to more than MAX_AMOUNT, the maximum
 * of one transfer.
 */
const MAX_SUM_OF_TRANSFERS = 10n ** 95n - 1n;

export function isReceivableSum(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_SUM_OF_TRANSFERS;
}

export function isReceivableAmount(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_AMOUNT;
}

/**
 * Debits the gross amount to custody, or to `delivered` if the merchant's wallet received it. Credits the net amount to
 * the merchant and the fee to the service. Negative amounts reverse this. Amounts in smallest units.
 */
export function incomingFundsPosting(
  { uniqueAssetId, delivered }: Pick<OnChainMovement, 'uniqueAssetId' | 'delivered'>,
  { gross, net }: Pick<MovementAmounts, 'gross' | 'net'>,
): Posting {
  return Posting.balanced([
    { ledgerAccount: delivered ? 'delivered' : 'custody', uniqueAssetId, amount: gross },
    { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: -net },
    { ledgerAccount: 'service_fees', uniqueAssetId, amount: net - gross },
  ]);
}

/** 100% in basis points. */
const BASIS_POINTS_OF_100_PERCENT = 10_000n;

/**
 * Returns the service fee, rounded down to the smallest unit (docs/reference/transactions.md, "Amounts").
 * @param basisPoints whole number from 0 to 10000
 * @throws Error outside that range
 */
export function serviceFee(gross: bigint, basisPoints: number): bigint {
  if (
    !Number.isInteger(basisPoints) ||
    basisPoints < 0 ||
    basisPoints > Number(BASIS_POINTS_OF_100_PERCENT)
  ) {
    throw new Error(`${basisPoints} is not a fee in basis points.`);
  }
  return (gross * BigInt(basisPoints)) / BASIS_POINTS_OF_100_PERCENT;
}

/**
 * Returns the amount owed to the merchant after the service fee.
 * @throws Error for an invalid fee
 */
export function netAfterFee(gross: bigint, basisPoints: number): bigint {
  return gross - serviceFee(gross, basisPoints);
}
