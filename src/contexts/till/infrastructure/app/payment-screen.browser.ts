// Displays the sale: a QR code for the payer, and a state that the cashier can read from a distance.
import { element, filled } from '#shared/web/script/elements.browser.js';
import type { SaleQrCodes } from '../http/sale-qr-codes.js';
import { appState, type Payment } from './app-state.browser.js';
import { qrCodesOf } from './codes.browser.js';
import { clearPad } from './pad-screen.browser.js';
import {
  byId,
  language,
  qrPicture,
  announceUpdate,
  screens,
  showScreen,
  currentScreenName,
  pageTexts,
  setText,
} from './page.browser.js';
import {
  coinOf,
  isEnded,
  isPaid,
  isPayable,
  missingAmountOf,
  toneOf,
  type SaleState,
} from './payment-state.browser.js';
import { formatPrice } from './prices.browser.js';
import { cancelSale, leaveSale, poll, saleStateNow } from './sale.browser.js';
import { callApiWithoutToken, RequestRefused, serviceNow } from './service.browser.js';
import { keepAwake, unlockSound } from './signals.browser.js';

/** Also a checkout that is not created yet. */
type Draft = Pick<Payment, 'amount' | 'coin_code' | 'currency' | 'reference_id' | 'session_id'> &
  Partial<Pick<Payment, 'id' | 'expires_at' | 'received_amount' | 'receipt_url' | 'selected'>>;
type Codes = NonNullable<ReturnType<typeof qrCodesOf>>;
type Way = 'page' | 'transfer' | 'token';

const MARKS = { calm: '', care: '\u2026', good: '\u2713', bad: '\u2715' };
let way: Way = 'page';
/** The codes are redrawn only if this data changes. */
let drawnCodes = '';

screens.payment = () => {
  showScreen('payment');
  keepAwake(true);
  drawPayment();
};

screens.redraw = drawPayment;

function drawPayment(): void {
  const sale = appState.viewed ?? appState.sale;
  if (currentScreenName() !== 'payment') return drawLeft();
  if (sale === undefined) return screens.pad?.();
  const request: Draft = 'body' in sale ? (sale.request ?? sale.body) : sale.request;
  const state = saleStateNow(sale);
  const price = priceOf(request);
  const facts = {
    missing: `${missingAmountOf(request)}\u00a0${symbolOf(request)}`,
    received: `${request.received_amount}\u00a0${symbolOf(request)}`,
  };
  document.body.dataset.tone = toneOf(state);
  setText('price', price);
  setText('mark', MARKS[toneOf(state)]);
  setText('state', pageTexts.states[state]);
  setText('state-note', filled(pageTexts.notes[state] ?? '', facts));
  setText('sale-problem', appState.problem ?? appState.trouble);
  announceUpdate(`${pageTexts.states[state]}. ${price}`);
  drawTime(state, request);
  setText('steps', state === 'seen' ? steps(request) : undefined);
  setText(
    'sale-reference',
    request.reference_id && filled(pageTexts.reference, { reference: request.reference_id }),
  );
  drawCodes(state, request);
  drawActions(state, request);
}

const priceOf = (request: Draft) => formatPrice(request.amount, coinOf(request), language);

const symbolOf = ({ selected, currency }: Draft) => selected?.symbol ?? currency ?? '';

const steps = ({ selected }: Draft) =>
  selected &&
  filled(pageTexts.confirmations, {
    done: String(selected.confirmations),
    needed: String(selected.required_confirmations),
  });

function drawTime(state: SaleState, { expires_at = '' }: Draft): void {
  const left = Math.max(0, Math.ceil((Date.parse(expires_at) - serviceNow()) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  setText('time-left', isPayable(state) ? filled(pageTexts.timeLeft, { time }) : undefined);
}

function drawActions(state: SaleState, request: Draft): void {
  const isViewed = appState.viewed !== undefined;
  byId('cancel').hidden = isViewed || !['sending', 'waiting'].includes(state);
  byId('next-sale').hidden = isViewed || ['sending', 'waiting', 'cancelling'].includes(state);
  byId('back').hidden = !isViewed;
  const hasMoney = request.received_amount !== undefined && request.received_amount !== '0';
  link('receipt-link', request.receipt_url);
  link(
    'dashboard-link',
    hasMoney || isEnded(state) ? `${document.body.dataset.dashboard}/payments/${request.id}` : undefined,
  );
  byId('dashboard-note').hidden = byId('dashboard-link').hidden;
  byId('share').hidden = request.receipt_url === undefined || navigator.share === undefined;
}

function link(id: 'receipt-link' | 'dashboard-link', href: string | undefined): void {
  byId(id).hidden = href === undefined;
  if (href !== undefined) byId(id).href = href;
}

function drawCodes(state: SaleState, request: Draft): void {
  const codes = qrCodesOf(request);
  byId('ways').hidden = !isPayable(state) || codes === undefined;
  byId('receipt-code').hidden = !isPaid(state) || !codes?.receipt;
  const input = JSON.stringify([way, codes, state, window.innerWidth]);
  if (codes === undefined || input === drawnCodes) return;
  drawnCodes = input;
  if (codes.receipt) byId('receipt-picture').replaceChildren(qrPicture(codes.receipt, pageTexts.receiptQr));
  for (const tab of byId('ways').querySelectorAll<HTMLElement>('[data-way]'))
    tab.setAttribute('aria-pressed', String(tab.dataset.way === way));
  const isChoice = way === 'transfer' && state === 'waiting';
  const image = way === 'transfer' ? codes.transfer?.code : codes[way];
  byId('code').replaceChildren(...(image ? [qrPicture(image, pageTexts.qr)] : []));
  setText('code-note', noteOf(codes));
  byId('assets').replaceChildren(...(isChoice ? codes.options.map(optionLine(codes)) : []));
}

function noteOf({ transfer }: Codes): string | undefined {
  if (way !== 'transfer') return pageTexts.wayNotes[way];
  if (!transfer) return pageTexts.chooseAsset;
  const { missing_amount: amount, symbol, network_name: network } = transfer;
  return filled(pageTexts.sendExactly, { amount: `${amount}\u00a0${symbol}`, network });
}

const optionLine =
  ({ session, transfer }: Codes) =>
  ({ unique_asset_id: id, symbol, network_name: network, amount }: SaleQrCodes['options'][number]) => {
    const button = element('button', { type: 'button', className: 'option', disabled: !amount }, [
      element('strong', { textContent: `${symbol} \u00b7 ${network}` }),
      element('span', {
        className: 'amount',
        translate: false,
        textContent: amount ? `${amount}\u00a0${symbol}` : pageTexts.noRate,
      }),
    ]);
    button.setAttribute('aria-pressed', String(transfer?.unique_asset_id === id));
    button.addEventListener('click', () => choose(session, id));
    return element('li', {}, [button]);
  };

async function choose(session: string, unique_asset_id: string): Promise<void> {
  appState.problem = undefined;
  const options = { id: session, body: { unique_asset_id } };
  await callApiWithoutToken('POST', '/public/checkout/{sessionId}/select-asset', options).catch((error) => {
    appState.problem = error instanceof RequestRefused ? error.message : pageTexts.noAnswer;
  });
  await poll();
}

function drawLeft(): void {
  const amounts = appState.left.map(({ request }) => priceOf(request)).join(', ');
  setText('left', amounts && filled(pageTexts.left, { amounts }));
}

byId('ways').addEventListener('click', ({ target }) => {
  const wish = (target as Element).closest<HTMLElement>('[data-way]')?.dataset.way;
  if (!wish) return;
  way = wish as Way;
  drawPayment();
});
byId('cancel').addEventListener('click', () => cancelSale());
byId('next-sale').addEventListener('click', async () => {
  unlockSound();
  keepAwake(false);
  clearPad();
  await leaveSale();
  screens.pad?.();
});
byId('share').addEventListener('click', () => {
  navigator.share({ title: pageTexts.receipt, url: byId('receipt-link').href }).catch(() => undefined);
});
byId('back').addEventListener('click', () => screens.today?.());

setInterval(() => currentScreenName() === 'payment' && drawPayment(), 1000);
window.addEventListener('resize', () => currentScreenName() === 'payment' && drawPayment());
