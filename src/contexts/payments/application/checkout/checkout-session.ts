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
 * The cell's mark and 186 random bits in base64url. The id alone lets its holder read and pay, so it is derived from nothing. It is
 * as long as ids without a mark, of checkouts that ended long ago, since wallets and shops' pages know that length.
 */
export function newSessionId(cell: Cell): string {
  return cell.code(randomBytes(BYTES).toString('base64url').slice(1));
}

/** The one answer to ids that are unknown, malformed or of sessions that ended long ago. */
export function sessionNotFound(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such checkout, or it has ended. Ask the merchant for a new checkout.',
  );
}

/** Reads checkout sessions past the aggregate: one statement each. */
export abstract class CheckoutQueries {
  /**
   * @param sessionId any text, however malformed: it takes the time of an unknown one. The alias of a session leads to it until a
   *   payment is seen
   * @returns undefined also for one that ended more than a day ago
   */
  abstract find(sessionId: string): Promise<CheckoutView | undefined>;
  /** The sessions of these requests that are checkouts of the organization, also long after their end. */
  abstract ofRequests(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<CheckoutView[]>;
  /** The newest block read, by network; confirmations are counted from it. */
  abstract heads(): Promise<ReadonlyMap<string, number>>;
}

interface CheckoutInput extends Price {
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId };
  readonly amountByPayer?: boolean;
}

/** A session under a new id. @param paymentOptions unique asset ids, at least one */
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
