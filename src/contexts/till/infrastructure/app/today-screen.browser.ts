// Lists today's payments, by the service's clock in the phone's time zone.
import { element } from '#shared/web/script/elements.browser.js';
import { appState } from './app-state.browser.js';
import {
  byId,
  language,
  screens,
  showScreen,
  currentScreenName,
  pageTexts,
  setText,
} from './page.browser.js';
import { coinOf, saleStateOf, toneOf } from './payment-state.browser.js';
import { formatPrice, sumPrices } from './prices.browser.js';
import { PAYMENT_REQUESTS_PATH, viewPayment } from './sale.browser.js';
import { callApi, RequestRefused, serviceNow, Unpaired } from './service.browser.js';

type ListedPayment = Awaited<ReturnType<typeof paymentsFrom>>[number];

const PAGE_SIZE = 100;
const MOST_PAGES = 10;

screens.today = async () => {
  appState.viewed = undefined;
  showScreen('today');
  setText('today-problem', undefined);
  try {
    drawToday(await paymentsOfToday());
  } catch (error) {
    if (error instanceof Unpaired) screens.pairing?.(pageTexts.unpaired);
    else writeProblem(error);
  }
};

const writeProblem = (error: unknown) =>
  setText('today-problem', error instanceof RequestRefused ? error.message : pageTexts.noAnswer);

async function paymentsOfToday() {
  const from = midnight();
  const all = await paymentsFrom(from);
  return midnight() === from ? all : paymentsFrom(midnight());
}

function midnight(): string {
  const today = new Date(serviceNow());
  today.setHours(0, 0, 0, 0);
  return today.toISOString();
}

async function paymentsFrom(created_from: string) {
  const all = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data } = await callApi('GET', PAYMENT_REQUESTS_PATH, {
      query: { created_from, page, page_size: PAGE_SIZE },
    });
    all.push(...data);
    if (data.length < PAGE_SIZE) break;
  }
  return all;
}

function drawToday(payments: ListedPayment[]): void {
  const taken = new Map<string, string[]>();
  for (const payment of payments) {
    const coin = coinOf(payment);
    if (payment.fulfilled) taken.set(coin, [...(taken.get(coin) ?? []), payment.amount]);
  }
  const totals = [...taken].map(([coin, amounts]) => formatPrice(sumPrices(amounts), coin, language));
  setText('taken', totals.join(' + ') || pageTexts.nothingTaken);
  setText('no-payments', payments.length === 0 ? pageTexts.noPayments : undefined);
  byId('payments').replaceChildren(...payments.map(paymentLine));
}

function paymentLine(request: ListedPayment): HTMLElement {
  const { id, amount, created_at, reference_id } = request;
  const isSeen = request.status === 'processing';
  const state = isSeen ? 'seen' : saleStateOf({ request }, serviceNow());
  const time = new Date(created_at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  const button = element('button', { type: 'button', className: `payment ${toneOf(state)}` }, [
    element('span', { textContent: time }),
    element('strong', {
      className: 'amount',
      translate: false,
      textContent: formatPrice(amount, coinOf(request), language),
    }),
    element('span', {
      className: 'status',
      textContent: isSeen ? pageTexts.someSeen : pageTexts.states[state],
    }),
    element('span', { className: 'note', textContent: reference_id ?? '' }),
  ]);
  button.addEventListener('click', () => openPayment(id));
  return element('li', {}, [button]);
}

async function openPayment(id: string): Promise<void> {
  await viewPayment(id).catch(writeProblem);
  if (appState.viewed && currentScreenName() === 'today') screens.payment?.();
}
