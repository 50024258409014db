import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { isFoundAgain, type PaymentLinkSession } from '../../domain/links/payment-link-session.js';
import { PaymentLinkSessions } from '../../domain/links/payment-link-sessions.js';
import { PaymentLinks } from '../../domain/links/payment-links.js';
import { CheckoutQueries } from '../checkout/checkout-queries.js';
import type { CheckoutView } from '../requests/checkout-view.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { linkNotFound } from './link-not-found.js';
import { KeyedMutex } from '../../../../shared/kernel/keyed-mutex.js';
import type { Order } from '../requests/order.js';

export interface OpenPaymentLinkInput {
  readonly code: string;
  /** What the payer's cookie proves; see `PaymentLinkCookies`. */
  readonly payerSecret: string;
  /** Leaves behind a checkout that is paid or past its window. */
  readonly wantsNew: boolean;
}

const ATTEMPTS = 3;
/** How many may wait for one payer's opening: more than a payer may ask for in a minute. */
const WAITING = 200;

/**
 * Finds a payer's checkout of a payment link again, or opens one. Rates are asked for before anything is stored; then
 * one unit of work stores the checkout and makes it the payer's by compare-and-set. Whoever comes second stores
 * nothing and is given what the first has opened, so no checkout is ever left over, on any number of replicas. Within
 * a process a payer's openings go one after the other, which spares the others the attempt.
 */
@Injectable()
export class OpenPaymentLink {
  private readonly payers = new KeyedMutex(WAITING);

  constructor(
    private readonly links: PaymentLinks,
    private readonly sessions: PaymentLinkSessions,
    private readonly checkouts: CheckoutQueries,
    private readonly createCheckout: CreateCheckout,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found, settlement_address_missing, state_conflict, rate_unavailable, unavailable, validation_failed */
  async execute({ code, payerSecret, wantsNew }: OpenPaymentLinkInput): Promise<CheckoutView> {
    const link = await this.links.findActive(code);
    if (link === undefined) throw linkNotFound();
    const turn = this.payers.run(`${link.id} ${payerSecret}`, () =>
      this.findOrOpen(link, payerSecret, wantsNew),
    );
    if (turn === null) throw beingOpened();
    return turn;
  }

  private async findOrOpen(link: PaymentLink, payerSecret: string, wantsNew: boolean): Promise<CheckoutView> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const now = await this.clock.now();
      const known = await this.sessions.find(link.id, payerSecret);
      if (known !== undefined && isFoundAgain(known, now, wantsNew)) {
        const session = await this.checkouts.find(known.sessionId);
        if (session !== undefined) return session;
      }
      const opened = await this.open(link, payerSecret, known, now);
      if (opened !== 'opened_meanwhile') return opened;
    }
    throw beingOpened();
  }

  private async open(
    link: PaymentLink,
    payerSecret: string,
    known: PaymentLinkSession | undefined,
    at: Date,
  ): Promise<CheckoutView | 'opened_meanwhile'> {
    const { organizationId, accountId, pointOfSaleId, amount, coinCode, order, returnUrl } = link;
    try {
      return await this.createCheckout.execute({
        scope: { organizationId, accountId },
        pointOfSaleId,
        ...{ amount, coinCode, order: order as Order | undefined, returnUrl, at },
        paymentLink: link,
        alongside: async (request) => {
          const put = await this.sessions.put(link.id, payerSecret, request, known?.requestId ?? null);
          if (!put) throw new OpenedMeanwhile();
        },
      });
    } catch (error) {
      if (error instanceof OpenedMeanwhile) return 'opened_meanwhile';
      throw error;
    }
  }
}

/** Undoes the unit of work that has lost the race. */
class OpenedMeanwhile extends Error {}

function beingOpened(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'This payment link is being opened many times at once. Try again shortly.',
  );
}
