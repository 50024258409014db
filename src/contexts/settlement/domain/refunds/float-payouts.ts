import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type { RefundedAsset } from './refund.js';

export interface FloatPayout {
  readonly id: string;
  /** Equal to `id`, unless another transaction that already pays the payout was found on the chain. */
  readonly sendingId: string;
  readonly kind: 'refund' | 'withdrawal';
  readonly floatId: string;
  readonly floatAddress: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly asset: RefundedAsset;
  readonly amount: bigint;
  readonly to: string;
  /** In units of the native coin. */
  readonly gasReserved: bigint;
  /** Null until the outbound transaction is planned and has a nonce. Never changed afterwards. */
  readonly call: PlannedTransfer['call'] | null;
  readonly sent: boolean;
  /** Consecutive refusals by the recipient. */
  readonly tries: number;
  /** Time since which every process that tried to pay lacked the float's key. Null if the last process had it. */
  readonly keylessSince: Date | null;
  readonly orderedBy: string;
}

export interface NewFloatPayout extends Omit<
  FloatPayout,
  'sendingId' | 'call' | 'sent' | 'tries' | 'keylessSince'
> {
  readonly fromAllotment: boolean;
}

export interface FloatPayoutDelay {
  /** Null if the payout only waits for the chain. */
  readonly held: string | null;
  readonly seconds: number;
  readonly why?: 'recipient' | 'key';
}

export interface FloatPayoutOutcome {
  readonly status: 'completed' | 'failed';
  readonly transactionHash: string | null;
  readonly blockNumber: number | null;
  /** In units of the native coin. 0 if no transaction of this service is in a block. */
  readonly gas: bigint;
  readonly failure: string | null;
}

export interface FloatPayment extends Pick<FloatPayout, 'to' | 'amount'> {
  readonly holding: string;
}

export interface FloatPayoutView {
  readonly id: string;
  readonly kind: FloatPayout['kind'];
  readonly status: 'processing' | 'completed' | 'failed';
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly to: string;
  readonly held: string | null;
  readonly failure: string | null;
  readonly transactionHash: string | null;
  readonly orderedBy: string;
  readonly createdAt: Date;
}
