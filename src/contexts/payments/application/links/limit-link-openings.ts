import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { SessionEntryPointId } from '../../domain/links/payment-link-session.js';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { GAP_LIMIT, MAX_OPEN_ADDRESSES_PER_CALLER } from '../../domain/requests/address-numbers.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

/** Limits for sessions of payment links (docs/reference/links.md, "Session limits"). */
export class LinkSettings {
  /**
   * @param untouchedOfLink open sessions of a link without a selected asset
   * @param openOfAddress such sessions per link and network address; also the limit of sessions with a selected asset
   * @param retentionHours storage of an unpaid session after its end
   */
  constructor(
    readonly untouchedOfLink = 2_000,
    readonly openOfAddress = 50,
    readonly retentionHours = 168,
  ) {}
}

export interface LinkOpening {
  readonly at: SessionEntryPointId;
  /** An IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly caller: string;
  readonly isKnown: boolean;
}

const TOO_MANY_SESSIONS_MESSAGE =
  'Too many unpaid sessions of this page are open from your network. Pay one of them, or try again later.';
const TOO_MANY_ADDRESSES_MESSAGE =
  'Too many unpaid addresses were shown to your network. Pay to one of them, or try again later.';
/** Unpaid address numbers become available some minutes or blocks after the payment window. */
const NUMBER_RETRY_SECONDS = 600;
const SESSIONS_ENDED_PER_CALL = 100;

/**
 * Open sessions cost nothing to open. Sessions without a selected asset beyond the limits are ended early, so that
 * any payer can always open a link. Sessions with a selected asset have an exact limit per caller.
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

  /** Call before a session is created. @throws RateLimited until the first session with an asset ends */
  async requireCapacity({ at, caller, isKnown }: LinkOpening): Promise<void> {
    // Strangers with the same network address must not lock out callers with a cookie.
    const max = this.settings.openOfAddress * (isKnown ? 2 : 1);
    const until = await this.sessions.findLimitReachedUntil(at, caller, max);
    if (until === null) return;
    const wait = Math.ceil((until.getTime() - (await this.clock.now()).getTime()) / 1_000);
    throw new RateLimited(Math.max(1, wait), undefined, TOO_MANY_SESSIONS_MESSAGE);
  }

  /** Checks the limits again. Call in the unit of work that stores the session. @throws RateLimited */
  async recordOpening(opening: LinkOpening, request: PaymentRequestId): Promise<void> {
    const { at, caller, isKnown } = opening;
    await this.sessions.lockOpeningsByCaller(at, caller);
    // A statement after the lock sees everything that was committed while this call waited for the lock.
    await this.requireCapacity(opening);
    await this.sessions.recordOpening(at, caller, request, this.settings.retentionHours);
    const numbers = await this.numbers.countOpenExcept(request);
    if (numbers !== null && numbers.ofCaller >= (isKnown ? GAP_LIMIT : MAX_OPEN_ADDRESSES_PER_CALLER))
      throw new RateLimited(NUMBER_RETRY_SECONDS, undefined, TOO_MANY_ADDRESSES_MESSAGE);
  }

  /** Call after the session is stored. */
  async endExcessSessions({ at, caller }: LinkOpening): Promise<void> {
    const { untouchedOfLink: max, openOfAddress } = this.settings;
    const beyond = await this.sessions.listExcessUnselectedOfCaller(
      at,
      caller,
      openOfAddress,
      SESSIONS_ENDED_PER_CALL,
    );
    if (beyond.length > 0) await this.unitOfWork.run(() => this.endSessions(beyond));
    if ((await this.sessions.countUnselected(at, max + 1)) <= max) return;
    await this.unitOfWork.run(async () =>
      this.endSessions(await this.sessions.listExcessUnselected(at, max, SESSIONS_ENDED_PER_CALL)),
    );
  }

  private async endSessions(sessions: readonly PaymentRequestId[]): Promise<void> {
    const locked = await this.requests.lock(sessions);
    const untouched = locked.filter((request) => request.snapshot().status === 'pending');
    const now = await this.clock.now();
    for (const request of untouched) request.closeWindow(now);
    await this.requests.save(untouched);
  }
}
