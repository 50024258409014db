import type { Schemas } from 'payment-collection-client';
import { roundedPrice, type Price } from './price.js';

export interface CartItem {
  readonly name: string;
  readonly quantity: number;
  /** Price of all units, in any form that `roundedPrice` accepts. */
  readonly total: unknown;
}

const MOST_ITEMS = 50;
const LONGEST_NAME = 256;

/** Builds the body of a checkout. The service shows the items and computes nothing from them, so a faulty item is omitted. */
export function checkoutBody(
  referenceId: string,
  price: Price,
  { items = [], returnUrl }: { items?: readonly CartItem[]; returnUrl?: string | undefined } = {},
): Schemas['CreateCheckoutBody'] {
  const listed = items.flatMap((item) => itemOf(item, price.coin_code)).slice(0, MOST_ITEMS);
  return {
    ...price,
    reference_id: referenceId,
    ...(listed.length > 0 && { order: { items: listed } }),
    ...(returnUrl && { return_url: returnUrl }),
  };
}

function itemOf({ name, quantity, total }: CartItem, coin: string): Schemas['OrderItemBody'][] {
  // eslint-disable-next-line no-control-regex
  const text = name.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  const description = [...text].slice(0, LONGEST_NAME).join('');
  if (description === '' || !Number.isInteger(quantity) || quantity < 1) return [];
  try {
    return [{ description, quantity, amount: roundedPrice(total, coin) }];
  } catch {
    return [];
  }
}
