import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { isSessionReused, type PaymentLinkSession } from '../../domain/links/payment-link-session.js';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { LimitLinkOpenings, type LinkOpening } from './limit-link-openings.js';
import { KeyedSemaphore } from '#shared/kernel/keyed-semaphore.js';

export interface OpenPaymentLinkInput {
  readonly code: string;
  readonly payerSecret: string;
  /** Replaces a previous checkout of the payer that is paid or past its payment window. */
  readonly forceNew: boolean;
  /** An IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly caller: string;
}

const MAX_OPENING_ATTEMPTS = 3;
/** Higher than the rate limit per minute. */
const MAX_WAITING_CALLS_PER_PAYER = 200;

/**
 * The checkout is assigned to the payer by compare-and-set. Calls of a payer are serialized in a process, so that
 * conflicts are rare.
 */
@Injectable()
export class OpenPaymentLink {
  private readonly payers = new KeyedSemaphore(1, MAX_WAITING_CALLS_PER_PAYER);

  constructor(
    private readonly links: PaymentLinks,
    private readonly sessions: PaymentLinkSessions,
    private readonly checkouts: CheckoutQueries,
    private readonly createCheckout: CreateCheckout,
    private readonly limit: LimitLinkOpenings,
    private readonly clock: Clock,
  ) {}

  async open({ code, payerSecret, forceNew, caller }: OpenPaymentLinkInput): Promise<CheckoutView> {
    const link = await this.links.findActive(code);
    const turn = this.payers.run(`${link.id} ${payerSecret}`, () =>
      this.findOrOpenSession(link, { payerSecret, forceNew, caller }),
    );
    if (turn === null) throw tooManyOpenings();
    return turn;
  }

  private async findOrOpenSession(
    link: PaymentLink,
    { payerSecret, forceNew, caller }: Omit<OpenPaymentLinkInput, 'code'>,
  ): Promise<CheckoutView> {
    for (let attempt = 1; attempt <= MAX_OPENING_ATTEMPTS; attempt += 1) {
      const now = await this.clock.now();
      const known = await this.sessions.find(link.id, payerSecret);
      if (known !== undefined && isSessionReused(known, now, forceNew)) {
        const session = await this.checkouts.find(known.sessionId);
        if (session !== undefined) return session;
      }
      const opening = { at: link.id, caller, isKnown: known !== undefined };
      await this.limit.requireCapacity(opening);
      const opened = await this.openSession(link, payerSecret, opening, known, now);
      if (opened === 'opened_concurrently') continue;
      await this.limit.endExcessSessions(opening);
      return opened;
    }
    throw tooManyOpenings();
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
          await this.limit.recordOpening(opening, request);
        },
      });
    } catch (error) {
      if (error instanceof OpenedConcurrently) return 'opened_concurrently';
      throw error;
    }
  }
}

/** Rolls back the unit of work if a concurrent call has opened a checkout for the same payer. */
class OpenedConcurrently extends Error {}

function tooManyOpenings(): DomainError {
  return stateConflict('Too many payers are opening this payment link. Try again shortly.');
}
