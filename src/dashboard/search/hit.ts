import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';
import type { Word } from '#shared/web/dashboard/words/text.js';

export interface SearchHit {
  readonly what: Word;
  readonly id: string;
  readonly href: string;
  readonly reference: string | null;
  readonly status: string | null;
  readonly createdAt: Date | null;
}

export type NonPaymentKind =
  | 'transaction'
  | 'settlement'
  | 'refund'
  | 'webhook'
  | 'delivery'
  | 'link'
  | 'subscription'
  | 'point_of_sale'
  | 'account';

/** A search result that is not a payment request. */
export interface NonPaymentHit {
  readonly kind: NonPaymentKind;
  readonly id: string;
  readonly status: string | null;
  readonly createdAt: Date | null;
  /** Name, code, or the merchant's own reference of the found record. */
  readonly reference: string | null;
  /** Webhook of a found delivery, hash of a settlement, or payment request of a transaction. Null if it has none. */
  readonly parent: string | null;
}

export function toPaymentHit({ id, status, referenceId, createdAt }: FoundPayment): SearchHit {
  const reference = referenceId ?? null;
  return { what: 'Payment request', id, href: `/app/payments/${id}`, reference, status, createdAt };
}

interface KindPresentation {
  readonly what: Word;
  /** Returns the path of the page of the result, or of the list that contains it if it has no page. */
  readonly href: (thing: NonPaymentHit) => string;
}

const KIND_PRESENTATIONS: Record<NonPaymentKind, KindPresentation> = {
  transaction: {
    what: 'Ledger transaction',
    href: ({ id, parent }) =>
      parent === null ? `/app/transactions?transaction=${id}` : `/app/payments/${parent}`,
  },
  settlement: { what: 'Settlement', href: ({ parent }) => `/app/settlements?transaction=${parent}` },
  refund: { what: 'Refund', href: ({ id }) => `/app/refunds/${id}` },
  webhook: { what: 'Webhook', href: ({ id }) => `/app/webhooks/${id}` },
  delivery: { what: 'Webhook delivery', href: ({ parent }) => `/app/webhooks/${parent}` },
  link: { what: 'Payment link', href: ({ id }) => `/app/links/${id}` },
  subscription: { what: 'Subscription', href: ({ id }) => `/app/subscriptions/${id}` },
  point_of_sale: { what: 'Point of sale', href: ({ id }) => `/app/points-of-sale/${id}` },
  account: { what: 'Account', href: ({ id }) => `/app/accounts/${id}` },
};

export function toNonPaymentSearchHit(thing: NonPaymentHit): SearchHit {
  const { kind, id, reference, status, createdAt } = thing;
  const { what, href } = KIND_PRESENTATIONS[kind];
  return { what, id, href: href(thing), reference, status, createdAt };
}
