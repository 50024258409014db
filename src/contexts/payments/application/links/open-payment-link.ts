import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { isReused, type PaymentLinkSession } from '../../domain/links/payment-link-session.js';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { LimitLinkOpenings, type LinkOpening } from './limit-link-openings.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';

export interface OpenPaymentLinkInput {
  readonly code: string;
  /** Secret in the payer's verified cookie; see `PaymentLinkCookies`. */
  readonly payerSecret: string;
  /** Creates a new checkout if the payer's earlier one is paid or past its window. */
  readonly forceNew: boolean;
  /** Identifies the caller for the limits on open sessions: an IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly caller: string;
}

const ATTEMPTS = 3;
/** Calls that may wait for one payer. More than the rate limit allows in a minute. */
const MAX_WAITING = 200;

/**
 * Returns the payer's checkout of a payment link, or creates one.
 * 1. Rates are read before anything is stored.
 * 2. One unit of work stores the checkout and assigns it to the payer by compare-and-set.
 * 3. If a concurrent call was faster, nothing is stored, and its checkout is returned.
 * Calls of one payer are serialized per process, so that they rarely conflict.
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
      if (opened === 'opened_concurrently') continue;
      await this.limit.makeRoom(opening);
      return opened;
    }
    throw beingOpened();
  }

  private async openSession(
    link: PaymentLink,
    payerSecret: string,
    opening: LinkOpening,
    known: PaymentLinkSession | undefined,
    at: Date,
  ): Promise<CheckoutView | 'opened_concurrently'> {
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
          const put = await this.sessions.assignToPayer(
            link.id,
            payerSecret,
            request,
            known?.requestId ?? null,
          );
          if (!put) throw new OpenedConcurrently();
          await this.limit.note(opening, request);
        },
      });
    } catch (error) {
      if (error instanceof OpenedConcurrently) return 'opened_concurrently';
      throw error;
    }
  }
}

/** Rolls back the unit of work of the slower call. */
class OpenedConcurrently extends Error {}

function beingOpened(): DomainError {
  return stateConflict('Too many payers are opening this payment link. Try again shortly.');
}
