import type { Page, PageRequest } from '#shared/kernel/page.js';

/**
 * An address that is excluded from settlement because one of its credited transfers was reversed, until an operator
 * releases it.
 */
export interface SettlementHold {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly paymentRequestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  /** Id of the transfer that disappeared from the chain. */
  readonly transferId: string;
  readonly heldAt: Date;
  /** Set together with `releasedBy` and `releaseReason`. */
  readonly releasedAt: Date | null;
  readonly releasedBy: string | null;
  readonly releaseReason: string | null;
}

export interface HoldReleaseDetails {
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

/** `already_released`: an earlier call released the hold. */
export interface HoldReleaseResult {
  readonly kind: 'released' | 'already_released';
  readonly hold: SettlementHold;
}

export abstract class SettlementHolds {
  /**
   * Lists holds, oldest first.
   * @param released true to include released holds
   */
  abstract list(released: boolean, page: PageRequest): Promise<Page<SettlementHold>>;
  abstract find(id: string): Promise<SettlementHold | null>;
  /**
   * Releases a hold in one statement, so that only one of two concurrent operators succeeds. A released hold never
   * changes.
   * @returns null if there is no such hold
   */
  abstract release(id: string, release: HoldReleaseDetails): Promise<HoldReleaseResult | null>;
}
