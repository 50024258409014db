import type { Page, PageRequest } from '#shared/kernel/page.js';

/** An address that is not settled until an operator releases it, because a credit of it was reversed. */
export interface SettlementHold {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly paymentRequestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  /** The transfer that disappeared. */
  readonly transferId: string;
  readonly heldAt: Date;
  /** All three or none. */
  readonly releasedAt: Date | null;
  readonly releasedBy: string | null;
  readonly releaseReason: string | null;
}

export interface Release {
  readonly at: Date;
  readonly by: string;
  /** In the operator's words; kept with the hold for good. */
  readonly reason: string;
}

export abstract class SettlementHolds {
  /** Oldest first. @param released include those that were released */
  abstract list(released: boolean, page: PageRequest): Promise<Page<SettlementHold>>;
  abstract find(id: string): Promise<SettlementHold | null>;
  /**
   * One statement, so that only one of two operators releases. A released hold never changes: it records who released it
   * and why.
   * @returns the hold after the release, and whether this call released it; null where there is none of that id
   */
  abstract release(id: string, release: Release): Promise<{ hold: SettlementHold; now: boolean } | null>;
}
