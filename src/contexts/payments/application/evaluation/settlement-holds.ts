import type { Page, PageRequest } from '#shared/kernel/page.js';

/** Excludes an address from settlement because a credited transfer was reversed, until an operator releases it. */
export interface SettlementHold {
  readonly id: string;
  readonly network: string;
  readonly address: string;
  readonly paymentRequestId: string;
  readonly organizationId: string;
  readonly accountId: string;
  readonly transferId: string;
  readonly heldAt: Date;
  readonly releasedAt: Date | null;
  readonly releasedBy: string | null;
  readonly releaseReason: string | null;
}

export interface HoldReleaseDetails {
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
}

export interface HoldReleaseResult {
  readonly kind: 'released' | 'already_released';
  readonly hold: SettlementHold;
}

export abstract class SettlementHolds {
  abstract list(released: boolean, page: PageRequest): Promise<Page<SettlementHold>>;
  abstract find(id: string): Promise<SettlementHold | null>;
  /** One statement, so that only one of two concurrent operators succeeds. Null if there is no such hold. */
  abstract release(id: string, release: HoldReleaseDetails): Promise<HoldReleaseResult | null>;
}
