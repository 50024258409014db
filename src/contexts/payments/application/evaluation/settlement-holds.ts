import type { Page, PageRequest } from '#shared/kernel/page.js';

/** Address excluded from settlement until an operator releases it, because one of its credits was reversed. */
export interface SettlementHold {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly paymentRequestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  /** Transfer that disappeared from the chain. */
  readonly transferId: string;
  readonly heldAt: Date;
  /** Set together with the next two fields. */
  readonly releasedAt: Date | null;
  readonly releasedBy: string | null;
  readonly releaseReason: string | null;
}

export interface Release {
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

/** `already_released`: an earlier call released the hold. */
export interface ReleasedHold {
  readonly kind: 'released' | 'already_released';
  readonly hold: SettlementHold;
}

export abstract class SettlementHolds {
  /** Oldest first. @param released also includes released holds */
  abstract list(released: boolean, page: PageRequest): Promise<Page<SettlementHold>>;
  abstract find(id: string): Promise<SettlementHold | null>;
  /**
   * Releases a hold in one statement, so that only one of two operators succeeds. A released hold is immutable.
   * @returns null if there is no such hold
   */
  abstract release(id: string, release: Release): Promise<ReleasedHold | null>;
}
