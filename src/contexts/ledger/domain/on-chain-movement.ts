import { MAX_AMOUNT } from '#shared/kernel/amount.js';
import type { AccountId, OrganizationId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import type { Transaction } from './transaction.js';
import { Posting } from './balanced-posting.js';

/** Money of a merchant that came to a deposit address, or left it as if it had never come. */
export interface OnChainMovement {
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  /** The fee that the terms of the deposit address set. */
  readonly feeBasisPoints: number;
  /** Present where the address is of the merchant's own wallet. */
  readonly delivered?: true | undefined;
  readonly referenceId?: string;
  readonly from: string;
  /** The deposit address. */
  readonly to: string;
  /** Absent where no transaction is known to have brought the value. */
  readonly transactionHash?: string;
  /** The time of the block that brought the value, or when it disappeared; absent: when it is booked. */
  readonly occurredAt?: Date;
}

/** In smallest units; those of a reversal are negative. */
interface Amounts {
  readonly gross: bigint;
  readonly net: bigint;
  readonly expected: bigint;
}

/** The record of a movement, which always stands in the journal. */
export type MovementRecord = Transaction & Required<Pick<Transaction, 'posting' | 'paymentRequestId'>>;

/** The record of a movement into a deposit address, finished when it is written. */
export function completed(
  id: TransactionId,
  type: 'payment_in' | 'deposit' | 'adjustment',
  movement: OnChainMovement,
  { gross, net, expected }: Amounts,
): MovementRecord {
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
    posting: postingOf(movement, { gross, net }),
  };
}

/** More than any number of transfers: a token that anyone mints can bring more than one transfer can carry. */
const MAX_SUM = 10n ** 95n - 1n;

/** True for an amount above zero that transfers can have brought together. */
export function isReceivableSum(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_SUM;
}

/** True for an amount above zero that a chain can hold. */
export function isReceivable(amount: bigint): boolean {
  return amount > 0n && amount <= MAX_AMOUNT;
}

/**
 * The accounts that a movement is booked to: custody holds the gross, or the merchant's wallet has received it; the merchant is
 * owed the net and the service keeps the rest. Negative amounts take all of that back. In smallest units.
 */
export function postingOf(
  { uniqueAssetId, delivered }: Pick<OnChainMovement, 'uniqueAssetId' | 'delivered'>,
  { gross, net }: Pick<Amounts, 'gross' | 'net'>,
): Posting {
  return Posting.balanced([
    { ledgerAccount: delivered ? 'delivered' : 'custody', uniqueAssetId, amount: gross },
    { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: -net },
    { ledgerAccount: 'service_fees', uniqueAssetId, amount: net - gross },
  ]);
}
