import { randomBytes } from 'node:crypto';
import type { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId, PaymentLinkId } from '#shared/kernel/ids.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { Checkout } from '../../domain/requests/payment-request-facts.js';
import { resolveMerchant, type PartialOrder, type Price } from '../../domain/requests/order.js';

const SESSION_ID_BYTES = 24;
export const SESSION_ID_LENGTH = 32;
export const SESSION_ID_PATTERN = /^[A-Za-z0-9_-]{32}$/;

/** Anyone with the id can read and pay the session. The length is fixed, because wallets and shops rely on it. */
export function newSessionId(cell: DeploymentCell): string {
  return cell.addCellMark(randomBytes(SESSION_ID_BYTES).toString('base64url').slice(1));
}

/** The same error for unknown ids, malformed ids and sessions that ended long ago. */
export function sessionNotFoundError(): DomainError {
  return new DomainError(
    'not_found',
    'not_found',
    'There is no such checkout, or it has ended. Ask the merchant for a new checkout.',
  );
}

export abstract class CheckoutQueries {
  /**
   * A malformed id takes as long as an unknown id. An alias resolves until a payment is seen.
   * @returns undefined if unknown, or if the session ended more than a day ago
   */
  abstract find(sessionId: string): Promise<CheckoutView | undefined>;

  async get(sessionId: string): Promise<CheckoutView> {
    const session = await this.find(sessionId);
    if (session === undefined) throw sessionNotFoundError();
    return session;
  }

  /** Also finds sessions that ended long ago. */
  abstract findByRequests(
    organizationId: OrganizationId,
    ids: readonly PaymentRequestId[],
  ): Promise<CheckoutView[]>;
  abstract newestReadBlocks(): Promise<ReadonlyMap<string, number>>;
}

interface CheckoutInput extends Price {
  readonly order?: PartialOrder;
  readonly returnUrl?: string;
  readonly paymentLink?: { readonly id: PaymentLinkId };
  readonly amountByPayer?: boolean;
}

/** @param paymentOptions unique asset ids, at least one */
export function buildCheckout(
  { amount, coinCode, order, returnUrl, paymentLink, amountByPayer }: CheckoutInput,
  point: Pick<PaymentPointOfSale, 'merchant' | 'frameOrigins' | 'returnUrl' | 'checkoutFirst'>,
  paymentOptions: readonly string[],
  cell: DeploymentCell,
): Checkout {
  return {
    sessionId: newSessionId(cell),
    amount,
    coinCode,
    paymentOptions,
    merchant: resolveMerchant(order, point.merchant),
    returnUrl: returnUrl ?? point.returnUrl,
    frameOrigins: point.frameOrigins,
    checkoutFirst: point.checkoutFirst,
    paymentLinkId: paymentLink?.id,
    amountByPayer,
  };
}
