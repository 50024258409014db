// @ts-check
// The payments of the day, by the service's clock, in the phone's time zone.
import { element } from '#shared/web/script/elements.browser.js';
import { byId, language, screens, show, shown, text, write } from './page.browser.js';
import { stateOf, toneOf } from './payment-state.browser.js';
import { money, sum } from './prices.browser.js';
import { look, now } from './sale.browser.js';
import { call, pointOfSale, Refused, serviceNow, Unpaired } from './service.browser.js';

const PAGE_SIZE = 100;
const MOST_PAGES = 10;

screens.today = async () => {
  now.looked = undefined;
  show('today');
  write('today-problem', undefined);
  try {
    drawToday(await paymentsOfToday());
  } catch (error) {
    if (error instanceof Unpaired) screens.pairing?.(text.unpaired);
    else write('today-problem', error instanceof Refused ? error.message : text.noAnswer);
  }
};

async function paymentsOfToday() {
  const from = midnight();
  const all = await paymentsFrom(from);
  // The first answer after a sleep of the phone sets the clock.
  return midnight() === from ? all : paymentsFrom(midnight());
}

function midnight() {
  const today = new Date(serviceNow());
  today.setHours(0, 0, 0, 0);
  return today.toISOString();
}

/** @param {string} from */
async function paymentsFrom(from) {
  const all = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = `${pointOfSale()}/payment-request?created_from=${encodeURIComponent(from)}&page=${page}&page_size=${PAGE_SIZE}`;
    const { data: some } = await call('GET', path);
    all.push(...some);
    if (some.length < PAGE_SIZE) break;
  }
  return all;
}

/** @param {any[]} payments */
function drawToday(payments) {
  /** @type {Map<string, string[]>} */
  const taken = new Map();
  for (const { fulfilled, amount, coin_code, currency } of payments) {
    const coin = coin_code ?? currency;
    if (fulfilled) taken.set(coin, [...(taken.get(coin) ?? []), amount]);
  }
  const totals = [...taken].map(([coin, amounts]) => money(sum(amounts), coin, language));
  write('taken', totals.join(' + ') || text.nothingTaken);
  write('no-payments', payments.length === 0 ? text.noPayments : undefined);
  byId('payments').replaceChildren(...payments.map(paymentLine));
}

/** @param {any} request */
function paymentLine(request) {
  const { id, amount, coin_code, currency, created_at, reference_id } = request;
  const isSeen = request.status === 'processing';
  const state = isSeen ? 'seen' : stateOf({ request }, serviceNow());
  const time = new Date(created_at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  const button = element('button', { type: 'button', className: `payment ${toneOf(state)}` }, [
    element('span', { textContent: time }),
    element('strong', {
      className: 'amount',
      translate: false,
      textContent: money(amount, coin_code ?? currency, language),
    }),
    element('span', { className: 'status', textContent: isSeen ? text.someSeen : text.states[state] }),
    element('span', { className: 'note', textContent: reference_id ?? '' }),
  ]);
  button.addEventListener('click', () => openPayment(id));
  return element('li', {}, [button]);
}

/** @param {string} id */
async function openPayment(id) {
  await look(id).catch((error) =>
    write('today-problem', error instanceof Refused ? error.message : text.noAnswer),
  );
  if (now.looked && shown() === 'today') screens.payment?.();
}
