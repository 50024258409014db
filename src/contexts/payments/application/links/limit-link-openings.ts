import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import {
  PaymentLinkSessions,
  type OpenedAt,
  type OpenSessions,
} from '../../domain/links/payment-link-sessions.js';

/** Limits of the sessions of payment links (docs/api/limits.md, "Sessions of payment links"). */
export class LinkSettings {
  /**
   * @param openOfLink maximum of unpaid sessions of one link that are open at once
   * @param openOfAddress maximum that one address has open at once, of all links
   * @param retentionHours a session that nobody paid is kept for so long after its end
   */
  constructor(
    readonly openOfLink = 2_000,
    readonly openOfAddress = 50,
    readonly retentionHours = 168,
  ) {}
}

const OF_CALLER =
  'Too many payment sessions that nobody has paid yet are open from your network. Pay one of them, or open another later.';
const OF_LINK = 'Too many payment sessions of this link that nobody has paid yet are open.';

/**
 * Limits how many unpaid sessions of a payment link, and of a caller, are open at once: opening one is free, and each is
 * kept for days. The limit of a caller is exact. That of a link leaves out sessions that are being opened at this moment,
 * since a popular link must not open one after the other.
 */
@Injectable()
export class LimitLinkOpenings {
  constructor(
    private readonly sessions: PaymentLinkSessions,
    private readonly settings: LinkSettings,
    private readonly clock: Clock,
  ) {}

  /** Called before a session is made. @throws RateLimited until the first of the open ones ends */
  async demandRoom(link: OpenedAt, caller: string): Promise<void> {
    const { openOfAddress, openOfLink } = this.settings;
    await this.demand(await this.sessions.openOfCaller(caller, openOfAddress), openOfAddress, OF_CALLER);
    await this.demand(await this.sessions.openOfLink(link, openOfLink), openOfLink, OF_LINK);
  }

  /** Called in the unit of work that stores the session. @throws RateLimited */
  async note(link: OpenedAt, caller: string, request: PaymentRequestId): Promise<void> {
    const { openOfAddress, retentionHours } = this.settings;
    await this.demand(await this.sessions.lockAndCount(caller, openOfAddress), openOfAddress, OF_CALLER);
    await this.sessions.noteOpening(link, caller, request, retentionHours);
  }

  private async demand({ count, firstEndsAt }: OpenSessions, max: number, what: string): Promise<void> {
    if (count < max) return;
    const now = await this.clock.now();
    const wait = Math.ceil(((firstEndsAt ?? now).getTime() - now.getTime()) / 1_000);
    throw new RateLimited(Math.max(1, wait), undefined, what);
  }
}
