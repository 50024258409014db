import { MAX_AMOUNT } from '../../../shared/kernel/amount.js';
import type {
  AccountId,
  OrganizationId,
  PaymentRequestId,
  TransactionId,
} from '../../../shared/kernel/ids.js';
import { Posting } from './posting.js';
import { serviceFee } from './service-fee.js';
import type { Transaction } from './transaction.js';

/** A payment request whose outcome is final. Amounts in smallest units. */
export interface ConfirmedPayment {
  readonly paymentRequestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly expectedAmount: bigint;
  readonly receivedAmount: bigint;
  readonly feeBasisPoints: number;
  readonly referenceId?: string;
  /** Source, deposit address and hash of the last counted transfer. */
  readonly from: string;
  readonly to: string;
  readonly transactionHash: string;
}

/**
 * The record of a confirmed payment: what arrived is held in custody, owed to the merchant but for the service fee.
 * @throws Error for amounts that no chain can hold, or when nothing was received
 */
export function paymentIn(id: TransactionId, payment: ConfirmedPayment): Transaction {
  const { receivedAmount: gross, expectedAmount: expected, uniqueAssetId } = payment;
  if (gross <= 0n || gross > MAX_AMOUNT) throw new Error(`${gross} cannot have been received.`);
  if (expected <= 0n || expected > MAX_AMOUNT) throw new Error(`${expected} cannot have been requested.`);
  const fee = serviceFee(gross, payment.feeBasisPoints);
  const net = gross - fee;
  return {
    id,
    organizationId: payment.organizationId,
    accountId: payment.accountId,
    type: 'payment_in',
    status: 'completed',
    grossAmount: gross,
    netAmount: net,
    expectedAmount: expected,
    decimals: payment.decimals,
    currency: payment.currency,
    network: payment.network,
    uniqueAssetId,
    from: { address: payment.from, type: 'wallet' },
    to: { address: payment.to, type: 'vault' },
    financialProvider: 'onchain',
    transactionHash: payment.transactionHash,
    paymentRequestId: payment.paymentRequestId,
    referenceId: payment.referenceId,
    posting: Posting.of([
      { ledgerAccount: 'custody', uniqueAssetId, amount: gross },
      { ledgerAccount: 'merchant_payable', uniqueAssetId, amount: -net },
      { ledgerAccount: 'service_fees', uniqueAssetId, amount: -fee },
    ]),
  };
}
