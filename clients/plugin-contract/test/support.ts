import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CartItem } from '../src/checkout-body.js';
import type { OrderNote, OrderState } from '../src/order-states.js';
import type { Payment } from '../src/payment.js';

export interface PaymentOfCase {
  readonly id?: string;
  readonly reference_id?: string;
  readonly status: string;
  readonly received?: string;
  readonly fulfilled?: boolean;
  readonly deposits?: readonly { amount: string; currency: string }[];
  readonly refunds?: readonly { status: string; amount: string }[];
}
export interface OrderEvent {
  readonly on: 'webhook' | 'check' | 'return' | 'checkout' | 'shop';
  readonly notice?: Readonly<Record<string, unknown>>;
  readonly signed_by?: 'previous' | 'another' | 'nobody';
  readonly body_changed?: boolean;
  readonly age?: number;
  readonly payment?: PaymentOfCase | 'unreachable';
  readonly change?: { state?: OrderState; amount?: string; currency?: string; deleted?: boolean };
  readonly answer?: 'refused' | 'failed';
  readonly checkout?: 'kept' | 'new' | 'replaced' | 'refused' | 'failed';
  readonly state: OrderState | null;
}
export interface OrderCase {
  readonly name: string;
  readonly rules: readonly string[];
  readonly not_in?: Readonly<Record<string, string>>;
  readonly no_notes_in?: Readonly<Record<string, string>>;
  readonly events: readonly OrderEvent[];
  readonly notes: readonly OrderNote[];
}
export interface RefundCase {
  readonly name: string;
  readonly part: string;
  readonly price: string;
  readonly currency: string;
  readonly decimals: number;
  readonly payment: PaymentOfCase & { readonly selected_amount?: string };
  readonly amount?: string;
  readonly refused?: string;
}
export interface PriceCase {
  readonly amount: string;
  readonly currency: string;
  readonly price?: string;
  readonly refused?: string;
}
export interface CheckoutCase {
  readonly name: string;
  readonly price: { readonly amount: string; readonly coin_code: string };
  readonly reference_id: string;
  readonly items: readonly CartItem[];
  readonly return_url?: string;
  readonly body: object;
}

const read = <T>(name: string) =>
  JSON.parse(readFileSync(`clients/plugin-contract/${name}.json`, 'utf8')) as T;
export const orderCases = read<OrderCase[]>('orders');
export const priceCases = read<PriceCase[]>('prices');
export const refundCases = read<RefundCase[]>('refunds');
export const checkoutCases = read<CheckoutCase[]>('checkouts');

/** Calls that change something in the service, by the `checkout` of an event. */
export const CALLS: Readonly<Record<NonNullable<OrderEvent['checkout']>, readonly string[]>> = {
  kept: [],
  new: ['payment-request-checkout'],
  replaced: ['expire', 'payment-request-checkout'],
  refused: [],
  failed: [],
};
/** Returns the last parts of the paths of the calls that change something. */
export function callsIn(requests: readonly { readonly method: string; readonly path: string }[]): string[] {
  return requests.filter(({ method }) => method === 'POST').map(({ path }) => path.split('/').at(-1)!);
}

export const SECRET = `whsec_${'Ab1'.repeat(14)}Zz`;
export const PREVIOUS = `whsec_${'Cd2'.repeat(14)}Yy`;
const SIGNERS = { current: SECRET, previous: PREVIOUS, another: `whsec_${'Ef3'.repeat(14)}Xx` };

/** Payment of an order of 12.50 EUR, with a requested amount of 13.520004 USDC. */
export function paymentOf(
  { received = '0', selected_amount = '13.520004', ...more }: PaymentOfCase & { selected_amount?: string },
  defaults: { id?: string; reference_id?: string } = {},
): Payment {
  return {
    ...{ id: 'request-1', reference_id: 'order-1', ...defaults },
    fulfilled: ['completed', 'overpaid'].includes(more.status),
    ...{ amount: '12.5', coin_code: 'EUR', currency: 'USDC', expires_at: '2026-01-31T12:08:00.000Z' },
    ...{ received_amount: received, refunds: [], deposits: [] },
    selected: { unique_asset_id: 'usdc', symbol: 'USDC', amount: selected_amount, received_amount: received },
    ...more,
  } as unknown as Payment;
}

/** Delivery of a webhook event of a case. @param ids ids of the payment, the order and the point of sale */
export function deliveryOf(
  { notice, signed_by, body_changed, age = 0, payment }: OrderEvent,
  ids: { payment: string; order: string; pointOfSale: string },
): { body: string; headers: Record<string, string> } {
  const named = typeof payment === 'object' ? payment.id : undefined;
  const data = {
    ...{ payment_request_id: named ?? ids.payment, external_reference_id: ids.order },
    ...{ point_of_sale_id: ids.pointOfSale, account_id: 'account-1' },
    ...{ notification_type: 'payment_request_status_update', payment_request_type: 'fixed' },
    ...notice,
  };
  const body = JSON.stringify({ data });
  const at = String(Math.floor(Date.now() / 1_000) - age);
  const headers = { 'webhook-id': 'event-1', 'webhook-timestamp': at };
  const sent = body_changed ? body.replace('account-1', 'account-2') : body;
  if (signed_by === 'nobody') return { body: sent, headers };
  const key = Buffer.from(SIGNERS[signed_by ?? 'current'].slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`event-1.${at}.${body}`).digest('base64');
  return { body: sent, headers: { ...headers, 'webhook-signature': `v1,${signature}` } };
}
