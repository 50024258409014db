import type { AccountId, OrganizationId } from '#shared/kernel/ids.js';

/**
 * `chosen`: stored, perhaps given to the sender. `sent`: a nonce is reserved for it. `delivered`: in a block that may still
 * disappear. `abandoned`: never given to the sender. `cancelled`: the operator had its nonce used up.
 */
export type BatchState =
  'chosen' | 'sent' | 'delivered' | 'final' | 'reverted' | 'foreign' | 'abandoned' | 'cancelled';

const EDGES: Record<BatchState, readonly BatchState[]> = {
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
  return EDGES[from].includes(to);
}

/** Nothing else is chosen for the same network and key meanwhile. */
export const IN_FLIGHT: readonly BatchState[] = ['chosen', 'sent'];
/** The addresses of a batch in these states are chosen for no other batch. */
export const OPEN: readonly BatchState[] = [...IN_FLIGHT, 'delivered'];

/** One asset of one address. Amounts in smallest units. */
export interface BatchPayout {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

/** A call that pays out a batch of deposit addresses. */
export interface Batch {
  /** Also the id of the order to the sender. */
  readonly id: string;
  readonly network: string;
  /** The account that sends it. */
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

export abstract class Batches {
  /**
   * Stores a batch with its exact call, before it is sent.
   * @returns false where another is in flight for the network and sender: nothing is stored
   */
  abstract choose(batch: ChosenBatch): Promise<boolean>;
  /** Batches whose addresses are chosen for no other batch, oldest first. */
  abstract open(network: string): Promise<Batch[]>;
  /** @returns false where it is no more in the state that was read: nothing is changed */
  abstract move(batch: Batch, state: BatchState, transactionHash: string | null): Promise<boolean>;
  /** Newest first. */
  abstract newest(network: string, count: number): Promise<Batch[]>;
  /** True once at least one of its payouts is recorded as settled in that transaction. */
  abstract isRecorded(network: string, transactionHash: string): Promise<boolean>;
  abstract payouts(id: string): Promise<BatchPayout[]>;
}
