// @ts-check
// Where a sale stands, for the cashier. It follows the phases of the hosted page.
import { difference } from './prices.browser.js';

/** @typedef {'sending' | 'waiting' | 'partly' | 'seen' | 'closing' | 'paid' | 'overpaid' | 'accepted' | 'underpaid' | 'expired' | 'failed' | 'cancelling' | 'cancelled'} State */

const PAID = ['paid', 'overpaid', 'accepted'];
const BAD = ['underpaid', 'expired', 'failed'];

/** @param {State} state */
export const isPaid = (state) => PAID.includes(state);

/** @param {State} state */
export const isEnded = (state) => isPaid(state) || BAD.includes(state);

/** The payer may still send something. @param {State} state */
export const isPayable = (state) => state === 'waiting' || state === 'partly';

/** @param {State} state */
export function toneOf(state) {
  if (isPaid(state)) return 'good';
  if (BAD.includes(state) || state === 'cancelled') return 'bad';
  return ['partly', 'seen', 'closing'].includes(state) ? 'care' : 'calm';
}

/** In units of the asset that is paid with. @param {any} request */
export const missingOf = ({ selected, amount, received_amount: received }) =>
  selected?.missing_amount ?? difference(amount, received ?? '0');

/** @param {any} sale @param {number} now the service's time @returns {State} */
export function stateOf({ request, isCancelling, isCancelled }, now) {
  if (request === undefined) return 'sending';
  const { status, fulfilled, received_amount: received = '0', expires_at } = request;
  if (status === 'completed') return 'paid';
  if (status === 'underpaid') return fulfilled ? 'accepted' : 'underpaid';
  if (status === 'expired' && isCancelled) return 'cancelled';
  if (['overpaid', 'expired', 'failed'].includes(status)) return status;
  const isTouched = status === 'processing' && received !== '0';
  if (isTouched && missingOf(request) === '0') return 'seen';
  if (!isTouched && isCancelled) return 'cancelled';
  if (!isTouched && isCancelling) return 'cancelling';
  if (now >= Date.parse(expires_at)) return 'closing';
  return isTouched ? 'partly' : 'waiting';
}
