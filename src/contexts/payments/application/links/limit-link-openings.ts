import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import {
  PaymentLinkSessions,
  type OpenedAt,
  type OpenSessions,
} from '../../domain/links/payment-link-sessions.js';
import { AddressNumbers, GAP_LIMIT, NUMBERS_OF_CALLER } from '../../domain/requests/address-numbers.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

/** Limits of the sessions of payment links (docs/api/limits.md, "Sessions of payment links"). */
export class LinkSettings {
  /**
   * @param untouchedOfLink maximum of sessions of one link that are open at once without a selected asset
   * @param openOfAddress maximum of unpaid sessions that one address has open at once, of all links
   * @param retentionHours a session that nobody paid is kept for so long after its end
   */
  constructor(
    readonly untouchedOfLink = 2_000,
    readonly openOfAddress = 50,
    readonly retentionHours = 168,
  ) {}
}

/** An opening of a session. */
export interface Opening {
  readonly at: OpenedAt;
  /** The caller's open sessions are counted under it: an IPv4 address, or the /64 of an IPv6 one. */
  readonly caller: string;
  /** The caller's cookie has opened this link before. */
  readonly isKnown: boolean;
}

const OF_CALLER =
  'Too many payment sessions that nobody has paid yet are open from your network. Pay one of them, or open another later.';
const NUMBERS_TAKEN =
  'Too many addresses that nobody has paid yet were shown to your network. Pay to one of them, or try again later.';
/** Addresses that nobody paid are free again some minutes or blocks after their window. */
const NUMBER_RETRY_SECONDS = 600;
const DROPPED_AT_ONCE = 100;

/**
 * Limits what strangers keep open: opening a session is free, and each is kept for days. A caller is refused beyond a number,
 * which is exact. A link is open to the next payer however many sessions it has: beyond its number, those without a selected
 * asset end early, first the oldest of the callers with the most.
 */
@Injectable()
export class LimitLinkOpenings {
  constructor(
    private readonly sessions: PaymentLinkSessions,
    private readonly requests: PaymentRequests,
    private readonly numbers: AddressNumbers,
    private readonly settings: LinkSettings,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Called before a session is made. @throws RateLimited until the first of the open ones ends */
  async demandRoom(opening: Opening): Promise<void> {
    const max = this.mostOf(opening);
    await this.demand(await this.sessions.openOfCaller(opening.caller, max), max);
  }

  /** Called in the unit of work that stores the session. @throws RateLimited */
  async note(opening: Opening, request: PaymentRequestId): Promise<void> {
    const { at, caller, isKnown } = opening;
    const max = this.mostOf(opening);
    await this.demand(await this.sessions.lockAndCount(caller, max), max);
    await this.sessions.noteOpening(at, caller, request, this.settings.retentionHours);
    const numbers = await this.numbers.openBeside(request);
    if (numbers !== null && numbers.ofCaller >= (isKnown ? GAP_LIMIT : NUMBERS_OF_CALLER))
      throw new RateLimited(NUMBER_RETRY_SECONDS, undefined, NUMBERS_TAKEN);
  }

  /** Called once the session is stored. Ends untouched sessions of the link beyond its number. */
  async makeRoom(link: OpenedAt): Promise<void> {
    const { untouchedOfLink: max } = this.settings;
    if ((await this.sessions.countUntouched(link, max + 1)) <= max) return;
    await this.unitOfWork.run(async () => {
      const beyond = await this.sessions.untouchedBeyond(link, max, DROPPED_AT_ONCE);
      const locked = await this.requests.lock(beyond);
      const untouched = locked.filter((request) => request.snapshot().status === 'pending');
      const now = await this.clock.now();
      for (const request of untouched) request.closeWindow(now);
      await this.requests.save(untouched);
    });
  }

  /** A second share is kept for callers with a cookie. Strangers of the same address do not use it up. */
  private mostOf({ isKnown }: Opening): number {
    return this.settings.openOfAddress * (isKnown ? 2 : 1);
  }

  private async demand({ count, firstEndsAt }: OpenSessions, max: number): Promise<void> {
    if (count < max) return;
    const now = await this.clock.now();
    const wait = Math.ceil(((firstEndsAt ?? now).getTime() - now.getTime()) / 1_000);
    throw new RateLimited(Math.max(1, wait), undefined, OF_CALLER);
  }
}
