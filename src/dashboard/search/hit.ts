import type { FoundPayment } from '#contexts/payments/contract/payment-finder.js';

/** Something that was found, and its page. */
export interface Hit {
  readonly what: string;
  readonly id: string;
  readonly href: string;
  readonly reference?: string;
  readonly status?: string;
  readonly createdAt?: Date;
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
  readonly status?: string;
  readonly createdAt?: Date;
  /** The name, the code or the merchant's own reference. */
  readonly reference?: string;
  /** A delivery's webhook, a settlement's hash, or a transaction's payment request where it has one. */
  readonly of?: string;
}

export function paymentHit({ id, status, referenceId, createdAt }: FoundPayment): Hit {
  return {
    what: 'Payment request',
    id,
    href: `/app/payments/${id}`,
    ...(referenceId !== undefined && { reference: referenceId }),
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

export function otherHit({ kind, ...thing }: OtherThing): Hit {
  const { of: _, ...shown } = thing;
  return { ...shown, what: NAMES[kind], href: hrefOf({ kind, ...thing }) };
}

/** A thing without a page of its own is shown in its list. */
function hrefOf({ kind, id, of }: OtherThing): string {
  switch (kind) {
    case 'transaction':
      return of === undefined ? '/app/transactions' : `/app/payments/${of}`;
    case 'settlement':
      return `/app/settlements?transaction=${of}`;
    case 'refund':
      return `/app/refunds/${id}`;
    case 'webhook':
      return `/app/webhooks/${id}`;
    case 'delivery':
      return `/app/webhooks/${of}`;
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
