import type { OrganizationId } from '#shared/kernel/ids.js';
import type { RefundFloatToppedUp } from '../../contract/refund-events.js';
import type { FloatHolding, LookedAt, RefundFloat } from './refund-float.js';

export interface OpenedFloat extends RefundFloat {
  readonly address: string;
}

/** A look at one holding of one float at a final block. */
export interface FloatLook {
  readonly float: OpenedFloat;
  readonly holding: string;
  readonly balance: bigint;
  readonly blockNumber: number;
}

export interface NotedTopUp {
  readonly id: string;
  /** Both null where the asset, the native coin, is not catalogued: nobody is told then. */
  readonly uniqueAssetId: string | null;
  readonly event: RefundFloatToppedUp | null;
}

export abstract class RefundFloats {
  /** The organization's present one on that network, with its address as far as it is known; made where there is none. */
  abstract findOrCreate(organization: OrganizationId, network: string): Promise<RefundFloat>;
  abstract list(organization: OrganizationId | null): Promise<RefundFloat[]>;
  /** Whether the address, in its canonical spelling, is of anybody's float there. */
  abstract has(network: string, address: string): Promise<boolean>;
  /** Whose address is not known yet, in pages by id. */
  abstract unopened(network: string, after: string | null, limit: number): Promise<RefundFloat[]>;
  abstract open(id: string, address: string): Promise<void>;
  /** Another one in the place of the locked float. @returns null where that was replaced before */
  abstract replace(float: RefundFloat, address: string): Promise<RefundFloat | null>;
  /** Whose address is known, in pages by id. */
  abstract opened(network: string, after: string | null, limit: number): Promise<OpenedFloat[]>;
  abstract holdings(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** Row-locked until the unit of work ends, so that nobody promises the same money twice. */
  abstract lock(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** As `lock`, to promise something of it. @throws state_conflict where another one has taken its place */
  abstract lockPresent(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /**
   * Of the locked float: what has left by ended payouts in blocks up to that one, and whether any that was sent has not
   * ended. By holding.
   */
  abstract leftBy(
    id: string,
    blockNumber: number,
  ): Promise<{ left: ReadonlyMap<string, bigint>; underWay: boolean }>;
  /** Stores what was found, and the top-up with its event where something came; of the locked float. */
  abstract note(look: FloatLook, found: LookedAt, topUp: NotedTopUp | null): Promise<void>;
}
