// Displays the sale: a QR code for the payer, and a state that the cashier can read from a distance.
import { element, filled } from '#shared/web/script/elements.browser.js';
import type { SaleCodes } from '../http/sale-codes.js';
import { app, type Payment } from './app-state.browser.js';
import { codesOf } from './codes.browser.js';
import { clearPad } from './pad-screen.browser.js';
import { byId, language, qrPicture, say, screens, show, shown, text, write } from './page.browser.js';
import {
  coinOf,
  isEnded,
  isPaid,
  isPayable,
  missingOf,
  toneOf,
  type SaleState,
} from './payment-state.browser.js';
import { money } from './prices.browser.js';
import { cancel, goOn, poll, stateNow } from './sale.browser.js';
import { ask, Refused, serviceNow } from './service.browser.js';
import { keepAwake, wakeSound } from './signals.browser.js';

/** Also a checkout that is not created yet. */
type Draft = Pick<Payment, 'amount' | 'coin_code' | 'currency' | 'reference_id' | 'session_id'> &
  Partial<Pick<Payment, 'id' | 'expires_at' | 'received_amount' | 'receipt_url' | 'selected'>>;
type Codes = NonNullable<ReturnType<typeof codesOf>>;
type Way = 'page' | 'transfer' | 'token';

const MARKS = { calm: '', care: '\u2026', good: '\u2713', bad: '\u2715' };
let way: Way = 'page';
/** The codes are redrawn only if this data changes. */
let drawnCodes = '';

screens.payment = () => {
  show('payment');
  keepAwake(true);
  drawPayment();
};

screens.redraw = drawPayment;

function drawPayment(): void {
  const sale = app.viewed ?? app.sale;
  if (shown() !== 'payment') return drawLeft();
  if (sale === undefined) return screens.pad?.();
  const request: Draft = 'body' in sale ? (sale.request ?? sale.body) : sale.request;
  const state = stateNow(sale);
  const price = priceOf(request);
  const facts = {
    missing: `${missingOf(request)}\u00a0${symbolOf(request)}`,
    received: `${request.received_amount}\u00a0${symbolOf(request)}`,
  };
  document.body.dataset.tone = toneOf(state);
  write('price', price);
  write('mark', MARKS[toneOf(state)]);
  write('state', text.states[state]);
  write('state-note', filled(text.notes[state] ?? '', facts));
  write('sale-problem', app.problem ?? app.trouble);
  say(`${text.states[state]}. ${price}`);
  drawTime(state, request);
  write('steps', state === 'seen' ? steps(request) : undefined);
  write(
    'sale-reference',
    request.reference_id && filled(text.reference, { reference: request.reference_id }),
  );
  drawCodes(state, request);
  drawActions(state, request);
}

const priceOf = (request: Draft) => money(request.amount, coinOf(request), language);

const symbolOf = ({ selected, currency }: Draft) => selected?.symbol ?? currency ?? '';

const steps = ({ selected }: Draft) =>
  selected &&
  filled(text.confirmations, {
    done: String(selected.confirmations),
    needed: String(selected.required_confirmations),
  });

function drawTime(state: SaleState, { expires_at = '' }: Draft): void {
  const left = Math.max(0, Math.ceil((Date.parse(expires_at) - serviceNow()) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  write('time-left', isPayable(state) ? filled(text.timeLeft, { time }) : undefined);
}

function drawActions(state: SaleState, request: Draft): void {
  const isViewed = app.viewed !== undefined;
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
  const codes = codesOf(request);
  byId('ways').hidden = !isPayable(state) || codes === undefined;
  byId('receipt-code').hidden = !isPaid(state) || !codes?.receipt;
  const input = JSON.stringify([way, codes, state, window.innerWidth]);
  if (codes === undefined || input === drawnCodes) return;
  drawnCodes = input;
  if (codes.receipt) byId('receipt-picture').replaceChildren(qrPicture(codes.receipt, text.receiptQr));
  for (const tab of byId('ways').querySelectorAll<HTMLElement>('[data-way]'))
    tab.setAttribute('aria-pressed', String(tab.dataset.way === way));
  const isChoice = way === 'transfer' && state === 'waiting';
  const image = way === 'transfer' ? codes.transfer?.code : codes[way];
  byId('code').replaceChildren(...(image ? [qrPicture(image, text.qr)] : []));
  write('code-note', noteOf(codes));
  byId('assets').replaceChildren(...(isChoice ? codes.options.map(optionLine(codes)) : []));
}

function noteOf({ transfer }: Codes): string | undefined {
  if (way !== 'transfer') return text.wayNotes[way];
  if (!transfer) return text.chooseAsset;
  const { missing_amount: amount, symbol, network_name: network } = transfer;
  return filled(text.sendExactly, { amount: `${amount}\u00a0${symbol}`, network });
}

const optionLine =
  ({ session, transfer }: Codes) =>
  ({ unique_asset_id: id, symbol, network_name: network, amount }: SaleCodes['options'][number]) => {
    const button = element('button', { type: 'button', className: 'option', disabled: !amount }, [
      element('strong', { textContent: `${symbol} \u00b7 ${network}` }),
      element('span', {
        className: 'amount',
        translate: false,
        textContent: amount ? `${amount}\u00a0${symbol}` : text.noRate,
      }),
    ]);
    button.setAttribute('aria-pressed', String(transfer?.unique_asset_id === id));
    button.addEventListener('click', () => choose(session, id));
    return element('li', {}, [button]);
  };

async function choose(session: string, unique_asset_id: string): Promise<void> {
  app.problem = undefined;
  const options = { id: session, body: { unique_asset_id } };
  await ask('POST', '/public/checkout/{sessionId}/select-asset', options).catch((error) => {
    app.problem = error instanceof Refused ? error.message : text.noAnswer;
  });
  await poll();
}

function drawLeft(): void {
  const amounts = app.left.map(({ request }) => priceOf(request)).join(', ');
  write('left', amounts && filled(text.left, { amounts }));
}

byId('ways').addEventListener('click', ({ target }) => {
  const wish = (target as Element).closest<HTMLElement>('[data-way]')?.dataset.way;
  if (!wish) return;
  way = wish as Way;
  drawPayment();
});
byId('cancel').addEventListener('click', () => cancel());
byId('next-sale').addEventListener('click', async () => {
  wakeSound();
  keepAwake(false);
  clearPad();
  await goOn();
  screens.pad?.();
});
byId('share').addEventListener('click', () => {
  navigator.share({ title: text.receipt, url: byId('receipt-link').href }).catch(() => undefined);
});
byId('back').addEventListener('click', () => screens.today?.());

setInterval(() => shown() === 'payment' && drawPayment(), 1000);
window.addEventListener('resize', () => shown() === 'payment' && drawPayment());
