import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { PaymentLinkId, PaymentRequestId } from '#shared/kernel/ids.js';
import { PaymentLinkSessions, type OpenSessions } from '../../domain/links/payment-link-sessions.js';

/** Limits of the sessions of payment links (docs/api/limits.md, "Sessions of payment links"). */
export class LinkSettings {
  /**
   * @param openOfLink most unpaid sessions of one link that are open at once
   * @param openOfAddress most that one address has open at once, of all links
   * @param retentionHours for so long after its end a session that nobody paid is kept
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
 * Bounds how many unpaid sessions of a payment link, and of a caller, are open at once: opening one is free, and each is
 * kept for days. Of a caller exactly; of a link but for those that are being opened at this moment, since a popular link must
 * not open one after the other.
 */
@Injectable()
export class LimitLinkOpenings {
  constructor(
    private readonly sessions: PaymentLinkSessions,
    private readonly settings: LinkSettings,
    private readonly clock: Clock,
  ) {}

  /** Before anything is made of a session. @throws RateLimited until the first of the open ones ends */
  async demandRoom(link: PaymentLinkId, caller: string): Promise<void> {
    const { openOfCaller, openOfLink } = this.most;
    await this.demand(await this.sessions.openOfCaller(caller, openOfCaller), openOfCaller, OF_CALLER);
    await this.demand(await this.sessions.openOfLink(link, openOfLink), openOfLink, OF_LINK);
  }

  /** In the unit of work that stores the session. @throws RateLimited */
  async note(link: PaymentLinkId, caller: string, request: PaymentRequestId): Promise<void> {
    const { openOfCaller } = this.most;
    await this.demand(await this.sessions.lockAndCount(caller, openOfCaller), openOfCaller, OF_CALLER);
    await this.sessions.noteOpening(link, caller, request, this.settings.retentionHours);
  }

  private get most() {
    return { openOfCaller: this.settings.openOfAddress, openOfLink: this.settings.openOfLink };
  }

  private async demand({ count, firstEndsAt }: OpenSessions, most: number, what: string): Promise<void> {
    if (count < most) return;
    const now = await this.clock.now();
    const wait = Math.ceil(((firstEndsAt ?? now).getTime() - now.getTime()) / 1_000);
    throw new RateLimited(Math.max(1, wait), undefined, what);
  }
}
