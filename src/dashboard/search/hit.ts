import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';

export interface Hit {
  readonly what: string;
  readonly id: string;
  readonly href: string;
  readonly reference: string | null;
  readonly status: string | null;
  readonly createdAt: Date | null;
}

export type OtherKind =
  | 'transaction'
  | 'settlement'
  | 'refund'
  | 'webhook'
  | 'delivery'
  | 'link'
  | 'subscription'
  | 'point_of_sale'
  | 'account';

/** A search result that is no payment request. */
export interface OtherThing {
  readonly kind: OtherKind;
  readonly id: string;
  readonly status: string | null;
  readonly createdAt: Date | null;
  /** The name, the code or the merchant's own reference. */
  readonly reference: string | null;
  /** A delivery's webhook, a settlement's hash, or a transaction's payment request where it has one. */
  readonly parent: string | null;
}

export function paymentHit({ id, status, referenceId, createdAt }: FoundPayment): Hit {
  return {
    what: 'Payment request',
    id,
    href: `/app/payments/${id}`,
    reference: referenceId ?? null,
    status,
    createdAt,
  };
}

const NAMES: Record<OtherKind, string> = {
  transaction: 'Ledger transaction',
  settlement: 'Settlement',
  refund: 'Refund',
  webhook: 'Webhook',
  delivery: 'Webhook delivery',
  link: 'Payment link',
  subscription: 'Subscription',
  point_of_sale: 'Point of sale',
  account: 'Account',
};

export function otherHit(thing: OtherThing): Hit {
  const { kind, id, reference, status, createdAt } = thing;
  return { what: NAMES[kind], id, href: hrefOf(thing), reference, status, createdAt };
}

/** A thing without a page of its own is shown in its list. */
function hrefOf({ kind, id, parent }: OtherThing): string {
  switch (kind) {
    case 'transaction':
      return parent === null ? '/app/transactions' : `/app/payments/${parent}`;
    case 'settlement':
      return `/app/settlements?transaction=${parent}`;
    case 'refund':
      return `/app/refunds/${id}`;
    case 'webhook':
      return `/app/webhooks/${id}`;
    case 'delivery':
      return `/app/webhooks/${parent}`;
    case 'link':
      return `/app/links/${id}`;
    case 'subscription':
      return `/app/subscriptions/${id}`;
    case 'account':
      return `/app/accounts/${id}`;
    case 'point_of_sale':
      return `/app/points-of-sale/${id}`;
  }
}
