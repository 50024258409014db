import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId, PaymentRequestId, LedgerTransactionId } from '#shared/kernel/ids.js';
import type { Transaction } from './transaction.js';
import { Posting } from './balanced-posting.js';

export interface OnChainMovement {
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly feeBasisPoints: number;
  /** Present if the address belongs to the merchant's own wallet, so that the funds need no settlement. */
  readonly delivered?: true | undefined;
  readonly referenceId?: string;
  readonly from: string;
  readonly to: string;
  readonly transactionHash?: string;
  /** Block timestamp of the transfer, or the time of its reversal. Default: the time of posting. */
  readonly occurredAt?: Date;
}

/** In smallest units. Negative for a reversal. */
interface MovementAmounts {
  readonly gross: bigint;
  readonly net: bigint;
  readonly expected: bigint;
}

export type MovementTransaction = Transaction & Required<Pick<Transaction, 'posting' | 'paymentRequestId'>>;

export function completedTransaction(
  id: LedgerTransactionId,
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

/** Above MAX_AMOUNT, because many transfers of a token that anyone can mint can sum to more than one transfer. */
const MAX_SUM_OF_TRANSFERS = 10n ** 95n - 1n;

export function isValidReceivedTotal(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_SUM_OF_TRANSFERS;
}

export function isValidReceivedAmount(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_AMOUNT;
}

/** Debits custody, or `delivered` if the merchant's wallet received the funds. Negative amounts reverse. */
export function incomingFundsPosting(
  { uniqueAssetId, delivered }: Pick<OnChainMovement, 'uniqueAssetId' | 'delivered'>,
  { gross, net }: Pick<MovementAmounts, 'gross' | 'net'>,
): Posting {
  return Posting.createBalanced([
    { ledgerAccount: delivered ? 'delivered' : 'custody', uniqueAssetId, amount: gross },
    { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: -net },
    { ledgerAccount: 'service_fees', uniqueAssetId, amount: net - gross },
  ]);
}

const BASIS_POINTS_OF_100_PERCENT = 10_000n;

/** Rounds down to the smallest unit (docs/reference/transactions.md, "Amounts"). @throws Error outside 0 to 10000 */
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

export function netAfterFee(gross: bigint, basisPoints: number): bigint {
  return gross - serviceFee(gross, basisPoints);
}
