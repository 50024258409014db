import type { OrganizationId } from '#shared/kernel/ids.js';
import type { RefundFloatToppedUp } from '../../contract/refund-events.js';
import type { FloatHolding, LookedAt, RefundFloat } from './refund-float.js';

export interface OpenedFloat extends RefundFloat {
  readonly address: string;
}

/** Balance of one holding of a float at a final block. */
export interface FloatLook {
  readonly float: OpenedFloat;
  readonly holding: string;
  readonly balance: bigint;
  readonly blockNumber: number;
}

export interface NotedTopUp {
  readonly id: string;
  /** Both null if the asset is a native coin that is not catalogued. No event is published then. */
  readonly uniqueAssetId: string | null;
  readonly event: RefundFloatToppedUp | null;
}

export abstract class RefundFloats {
  /** Returns the organization's current float on the network, or creates it. Its address may still be unknown. */
  abstract findOrCreate(organization: OrganizationId, network: string): Promise<RefundFloat>;
  abstract list(organization: OrganizationId | null): Promise<RefundFloat[]>;
  /** @returns true if the canonical address belongs to a float on the network, current or replaced */
  abstract has(network: string, address: string): Promise<boolean>;
  /** Floats without a known address, in pages by id. */
  abstract unopened(network: string, after: string | null, limit: number): Promise<RefundFloat[]>;
  abstract open(id: string, address: string): Promise<void>;
  /** Replaces the locked float by a new float. @returns null if it was already replaced */
  abstract replace(float: RefundFloat, address: string): Promise<RefundFloat | null>;
  /** Floats with a known address, in pages by id. */
  abstract opened(network: string, after: string | null, limit: number): Promise<OpenedFloat[]>;
  abstract holdings(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** Reads the holdings of several floats by id. Floats that hold nothing are omitted. */
  abstract holdingsOfAll(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, FloatHolding>>>;
  /** Row-locks the float until the unit of work ends, so that the same funds are not reserved twice. */
  abstract lock(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** Locks the float as `lock` does, to reserve funds. @throws state_conflict if the float was replaced */
  abstract lockPresent(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /**
   * Reads, for a locked float, the amounts by holding that left it through ended payouts in blocks up to `blockNumber`, and whether a
   * sent payout has not ended.
   */
  abstract leftBy(
    id: string,
    blockNumber: number,
  ): Promise<{ left: ReadonlyMap<string, bigint>; underWay: boolean }>;
  /** Stores the result for the locked float, and the top-up with its event if funds were received. */
  abstract note(look: FloatLook, found: LookedAt, topUp: NotedTopUp | null): Promise<void>;
}
