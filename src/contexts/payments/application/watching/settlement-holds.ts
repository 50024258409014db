import type { Page, PageRequest } from '../../../../shared/kernel/page.js';

/** An address that is not to be settled until an operator has looked: a credit of it was reversed. */
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
  readonly reason: string;
}

export abstract class SettlementHolds {
  /** Oldest first. @param released also those that were released */
  abstract list(released: boolean, page: PageRequest): Promise<Page<SettlementHold>>;
  /**
   * One statement, so that of two operators one releases. A hold that was released stays as it is: who released it and
   * why is its audit.
   * @returns the hold as it now stands and whether this release did it, or null where there is none of that id
   */
  abstract release(id: string, release: Release): Promise<{ hold: SettlementHold; now: boolean } | null>;
}
