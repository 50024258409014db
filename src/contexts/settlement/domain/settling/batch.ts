import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/**
 * `chosen`: stored, possibly passed to the sender. `sent`: has a nonce. `delivered`: in a block that may still be
 * removed. `foreign`: another transaction used its nonce. `abandoned`: never passed to the sender. `cancelled`: the
 * operator used up its nonce with another transaction.
 */
export type BatchState =
  'chosen' | 'sent' | 'delivered' | 'final' | 'reverted' | 'foreign' | 'abandoned' | 'cancelled';

const BATCH_TRANSITIONS: Record<BatchState, readonly BatchState[]> = {
  chosen: ['sent', 'delivered', 'final', 'reverted', 'foreign', 'abandoned', 'cancelled'],
  sent: ['delivered', 'final', 'reverted', 'foreign', 'cancelled'],
  delivered: ['final', 'reverted', 'foreign', 'cancelled'],
  final: [],
  reverted: [],
  foreign: [],
  abandoned: [],
  cancelled: [],
};

export function batchMayBecome(from: BatchState, to: BatchState): boolean {
  return BATCH_TRANSITIONS[from].includes(to);
}

/** A batch in these states blocks other batches of the same network and key. */
export const IN_FLIGHT_STATES: readonly BatchState[] = ['chosen', 'sent'];
/** Addresses of these batches cannot be chosen for another batch. */
export const OPEN_BATCH_STATES: readonly BatchState[] = [...IN_FLIGHT_STATES, 'delivered'];

/** Amounts in smallest units. */
export interface BatchPayout {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

export interface Batch {
  /** Equal to the id of the batch's outbound transaction. */
  readonly id: string;
  readonly network: string;
  readonly sender: string;
  readonly call: { readonly to: string; readonly data: string; readonly gas: bigint };
  readonly payoutCount: number;
  readonly state: BatchState;
  readonly transactionHash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type ChosenBatch = Pick<Batch, 'id' | 'network' | 'sender' | 'call'> & {
  readonly payouts: readonly BatchPayout[];
};
