import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { type PaymentLink, PaymentLinks } from '../../domain/links/payment-links.js';
import {
  isReused,
  type PaymentLinkSession,
  PaymentLinkSessions,
} from '../../domain/links/payment-link-sessions.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { LimitLinkOpenings, type Opening } from './limit-link-openings.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';

export interface OpenPaymentLinkInput {
  readonly code: string;
  /** The secret in the payer's verified cookie; see `PaymentLinkCookies`. */
  readonly payerSecret: string;
  /** Opens a new checkout where the payer's own is paid or past its window. */
  readonly forceNew: boolean;
  /** The caller's open sessions are counted under it: an IPv4 address, or the /64 of an IPv6 one. */
  readonly caller: string;
}

const ATTEMPTS = 3;
/** The maximum that waits for one payer's opening: more than the rate limit lets through in a minute. */
const MAX_WAITING = 200;

/**
 * Finds a payer's checkout of a payment link again, or opens one.
 * 1. Rates are read before anything is stored.
 * 2. One unit of work stores the checkout and makes it the payer's by compare-and-set.
 * 3. Of two at once the second stores nothing and returns the first one's checkout, on any number of replicas.
 * Within a process the openings of one payer run one after the other, which spares the second the attempt.
 */
@Injectable()
export class OpenPaymentLink {
  private readonly payers = new KeyedSlots(1, MAX_WAITING);

  constructor(
    private readonly links: PaymentLinks,
    private readonly sessions: PaymentLinkSessions,
    private readonly checkouts: CheckoutQueries,
    private readonly createCheckout: CreateCheckout,
    private readonly limit: LimitLinkOpenings,
    private readonly clock: Clock,
  ) {}

  /** @throws RateLimited, not_found, settlement_address_missing, state_conflict, rate_unavailable, unavailable, validation_failed */
  async open({ code, payerSecret, forceNew, caller }: OpenPaymentLinkInput): Promise<CheckoutView> {
    const link = await this.links.findActive(code);
    const turn = this.payers.run(`${link.id} ${payerSecret}`, () =>
      this.findOrOpen(link, { payerSecret, forceNew, caller }),
    );
    if (turn === null) throw beingOpened();
    return turn;
  }

  private async findOrOpen(
    link: PaymentLink,
    { payerSecret, forceNew, caller }: Omit<OpenPaymentLinkInput, 'code'>,
  ): Promise<CheckoutView> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const now = await this.clock.now();
      const known = await this.sessions.find(link.id, payerSecret);
      if (known !== undefined && isReused(known, now, forceNew)) {
        const session = await this.checkouts.find(known.sessionId);
        if (session !== undefined) return session;
      }
      const opening = { at: link.id, caller, isKnown: known !== undefined };
      await this.limit.demandRoom(opening);
      const opened = await this.openSession(link, payerSecret, opening, known, now);
      if (opened === 'opened_meanwhile') continue;
      await this.limit.makeRoom(opening);
      return opened;
    }
    throw beingOpened();
  }

  private async openSession(
    link: PaymentLink,
    payerSecret: string,
    opening: Opening,
    known: PaymentLinkSession | undefined,
    at: Date,
  ): Promise<CheckoutView | 'opened_meanwhile'> {
    const { organizationId, accountId, pointOfSaleId, amount, coinCode, order, returnUrl } = link;
    try {
      return await this.createCheckout.create({
        scope: { organizationId, accountId },
        pointOfSaleId,
        amount,
        coinCode,
        order,
        returnUrl,
        at,
        paymentLink: link,
        openedBy: opening.caller,
        storeRelated: async (request) => {
          const put = await this.sessions.put(link.id, payerSecret, request, known?.requestId ?? null);
          if (!put) throw new OpenedMeanwhile();
          await this.limit.note(opening, request);
        },
      });
    } catch (error) {
      if (error instanceof OpenedMeanwhile) return 'opened_meanwhile';
      throw error;
    }
  }
}

/** Rolls back the unit of work that came second. */
class OpenedMeanwhile extends Error {}

function beingOpened(): DomainError {
  return stateConflict('Too many payers are opening this payment link. Try again shortly.');
}
