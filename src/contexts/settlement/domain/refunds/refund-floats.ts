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
  /** Both null where the asset, the native coin, is not catalogued: no event is published then. */
  readonly uniqueAssetId: string | null;
  readonly event: RefundFloatToppedUp | null;
}

export abstract class RefundFloats {
  /** The organization's present float on that network, which is created where there is none; its address may be unknown yet. */
  abstract findOrCreate(organization: OrganizationId, network: string): Promise<RefundFloat>;
  abstract list(organization: OrganizationId | null): Promise<RefundFloat[]>;
  /** True where the address, in its canonical spelling, is that of any float on the network. */
  abstract has(network: string, address: string): Promise<boolean>;
  /** Floats whose address is not known yet, in pages by id. */
  abstract unopened(network: string, after: string | null, limit: number): Promise<RefundFloat[]>;
  abstract open(id: string, address: string): Promise<void>;
  /** Another one in the place of the locked float. @returns null where that was replaced before */
  abstract replace(float: RefundFloat, address: string): Promise<RefundFloat | null>;
  /** Floats whose address is known, in pages by id. */
  abstract opened(network: string, after: string | null, limit: number): Promise<OpenedFloat[]>;
  abstract holdings(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** Several floats by their ids; a float that holds nothing is left out. */
  abstract holdingsOfAll(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, FloatHolding>>>;
  /** Row-locked until the unit of work ends, so that nobody promises the same money twice. */
  abstract lock(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /** Locks it as `lock` does, to promise money of it. @throws state_conflict where another one has taken its place */
  abstract lockPresent(id: string): Promise<ReadonlyMap<string, FloatHolding>>;
  /**
   * For a locked float: the amounts, by holding, that have left it by ended payouts in blocks up to that one, and whether a
   * sent payout has not ended.
   */
  abstract leftBy(
    id: string,
    blockNumber: number,
  ): Promise<{ left: ReadonlyMap<string, bigint>; underWay: boolean }>;
  /** Stores what was found, and the top-up with its event where something came; of the locked float. */
  abstract note(look: FloatLook, found: LookedAt, topUp: NotedTopUp | null): Promise<void>;
}
