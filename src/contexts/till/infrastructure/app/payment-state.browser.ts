// Derives the state of a sale that the cashier sees. It equals the phases of the hosted page.
import type { TillTexts } from '../pages/messages/till.en.js';
import type { Payment, Sale } from './app-state.browser.js';
import { subtractPrice } from './prices.browser.js';

export type SaleState = keyof TillTexts['script']['states'];

const PAID = ['paid', 'overpaid', 'accepted'];
const BAD = ['underpaid', 'expired', 'failed'];

export const isPaid = (state: SaleState) => PAID.includes(state);

export const isEnded = (state: SaleState) => isPaid(state) || BAD.includes(state);

export const isPayable = (state: SaleState) => state === 'waiting' || state === 'partly';

export function toneOf(state: SaleState): 'good' | 'bad' | 'care' | 'calm' {
  if (isPaid(state)) return 'good';
  if (BAD.includes(state) || state === 'cancelled') return 'bad';
  return ['partly', 'seen', 'closing'].includes(state) ? 'care' : 'calm';
}

export const missingAmountOf = ({
  selected,
  amount,
  received_amount: received,
}: Pick<Payment, 'selected' | 'amount' | 'received_amount'>) =>
  selected?.missing_amount ?? subtractPrice(amount, received ?? '0');

export const coinOf = ({ coin_code, currency = '' }: Pick<Payment, 'coin_code' | 'currency'>) =>
  coin_code ?? currency;

export function saleStateOf(
  { request, isCancelling, isCancelled }: Pick<Sale, 'request' | 'isCancelling' | 'isCancelled'>,
  now: number,
): SaleState {
  if (request === undefined) return 'sending';
  const { status, fulfilled, received_amount: received = '0', expires_at } = request;
  if (status === 'completed') return 'paid';
  if (status === 'underpaid') return fulfilled ? 'accepted' : 'underpaid';
  if (status === 'expired' && isCancelled) return 'cancelled';
  if (status === 'overpaid' || status === 'expired' || status === 'failed') return status;
  const isTouched = status === 'processing' && received !== '0';
  if (isTouched && missingAmountOf(request) === '0') return 'seen';
  if (!isTouched && isCancelled) return 'cancelled';
  if (!isTouched && isCancelling) return 'cancelling';
  if (now >= Date.parse(expires_at)) return 'closing';
  return isTouched ? 'partly' : 'waiting';
}
