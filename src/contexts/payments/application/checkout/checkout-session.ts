import { randomBytes } from 'node:crypto';
import type { Cell } from '#shared/kernel/cell.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId, PaymentLinkId } from '#shared/kernel/ids.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import { merchantOf, type PartialOrder, type Price } from '../../domain/requests/order.js';

const BYTES = 24;
export const SESSION_ID_LENGTH = 32;
export const SESSION_ID = /^[A-Za-z0-9_-]{32}$/;

/**
 * Generates an id from the cell's mark and 186 random bits, in base64url. The id alone permits reading and paying. It has the
 * length of older ids without a mark, on which wallets and shops rely.
 */
export function newSessionId(cell: Cell): string {
  return cell.markCode(randomBytes(BYTES).toString('base64url').slice(1));
}

/** Single error for unknown and malformed ids and for sessions that ended long ago. */
export function sessionNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such checkout, or it has ended. Ask the merchant for a new checkout.',
  );
}

/** Reads checkout sessions without the aggregate. Each method runs one statement. */
export abstract class CheckoutQueries {
  /**
   * @param sessionId any string; a malformed id takes as long as an unknown id. An alias resolves to its session until a payment
   * is seen
   * @returns undefined also for a session that ended more than a day ago
   */
  abstract find(sessionId: string): Promise<CheckoutView | undefined>;

  /** Like `find`. @throws not_found */
  async get(sessionId: string): Promise<CheckoutView> {
    const session = await this.find(sessionId);
    if (session === undefined) throw sessionNotFound();
    return session;
  }

  /** Returns the organization's checkout sessions for these requests, also long after their end. */
  abstract ofRequests(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<CheckoutView[]>;
  /** Returns the newest block read, by network. Confirmations are counted from this block. */
  abstract heads(): Promise<ReadonlyMap<string, number>>;
}

interface CheckoutInput extends Price {
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId };
  readonly amountByPayer?: boolean;
}

/** @param paymentOptions unique asset ids, at least one */
export function newCheckout(
  { amount, coinCode, order, returnUrl, paymentLink, amountByPayer }: CheckoutInput,
  point: Pick<CollectingPoint, 'merchant' | 'frameOrigins' | 'returnUrl' | 'checkoutFirst'>,
  paymentOptions: readonly string[],
  cell: Cell,
): Checkout {
  return {
    sessionId: newSessionId(cell),
    amount,
    coinCode,
    paymentOptions,
    merchant: merchantOf(order, point.merchant),
    returnUrl: returnUrl ?? point.returnUrl,
    frameOrigins: point.frameOrigins,
    checkoutFirst: point.checkoutFirst,
    paymentLinkId: paymentLink?.id,
    amountByPayer,
  };
}
