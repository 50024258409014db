// @ts-check
// The sale as the payer scans it and the cashier sees it from afar.
import { element, filled } from '#shared/web/script/elements.browser.js';
import { codesOf, selectAsset } from './codes.browser.js';
import { clearPad } from './pad-screen.browser.js';
import { byId, language, qrPicture, say, screens, show, shown, text, write } from './page.browser.js';
import { isEnded, isPaid, isPayable, missingOf, toneOf } from './payment-state.browser.js';
import { money } from './prices.browser.js';
import { cancel, goOn, now, stateNow, turn } from './sale.browser.js';
import { Refused, serviceNow } from './service.browser.js';
import { keepAwake, wakeSound } from './signals.browser.js';

/** @type {Record<string, string>} */
const MARKS = { calm: '', care: '\u2026', good: '\u2713', bad: '\u2715' };
let way = 'page';
/** What the codes on the screen were made of. */
let drawnCodes = '';

const shownSale = () => now.looked ?? now.sale;

screens.payment = () => {
  show('payment');
  keepAwake(true);
  drawPayment();
};

function drawPayment() {
  const sale = /** @type {any} */ (shownSale());
  if (shown() !== 'payment') return drawLeft();
  if (sale === undefined) return screens.pad?.();
  const { request = sale.body } = sale;
  const state = stateNow(sale);
  const [amount, coin] = [request.amount, request.coin_code ?? request.currency];
  const facts = {
    missing: `${missingOf(request)}\u00a0${symbolOf(request)}`,
    received: `${request.received_amount}\u00a0${symbolOf(request)}`,
  };
  document.body.dataset.tone = toneOf(state);
  write('price', money(amount, coin, language));
  write('mark', MARKS[toneOf(state)]);
  write('state', text.states[state]);
  write('state-note', filled(text.notes[state] ?? '', facts));
  write('sale-problem', now.problem ?? now.trouble);
  say(`${text.states[state]}. ${money(amount, coin, language)}`);
  drawTime(state, request);
  write('steps', state === 'seen' && request.selected ? steps(request.selected) : undefined);
  write(
    'sale-reference',
    request.reference_id && filled(text.reference, { reference: request.reference_id }),
  );
  drawCodes(state, request);
  drawActions(state, request);
}

/** @param {any} request */
const symbolOf = ({ selected, currency }) => selected?.symbol ?? currency ?? '';

/** @param {any} selected */
const steps = ({ confirmations, required_confirmations: required }) =>
  filled(text.confirmations, { done: String(confirmations), needed: String(required) });

/** @param {any} state @param {any} request */
function drawTime(state, request) {
  const left = Math.max(0, Math.ceil((Date.parse(request.expires_at) - serviceNow()) / 1000));
  const shownTime = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  write('time-left', isPayable(state) ? filled(text.timeLeft, { time: shownTime }) : undefined);
}

/** @param {any} state @param {any} request */
function drawActions(state, request) {
  const isLook = now.looked !== undefined;
  byId('cancel').hidden = isLook || !['sending', 'waiting'].includes(state);
  byId('next-sale').hidden = isLook || ['sending', 'waiting', 'cancelling'].includes(state);
  byId('back').hidden = !isLook;
  const hasMoney = request.received_amount !== undefined && request.received_amount !== '0';
  link('receipt-link', request.receipt_url);
  link(
    'dashboard-link',
    hasMoney || isEnded(state) ? `${document.body.dataset.dashboard}/payments/${request.id}` : undefined,
  );
  byId('dashboard-note').hidden = byId('dashboard-link').hidden;
  byId('share').hidden = request.receipt_url === undefined || navigator.share === undefined;
}

/** @param {string} id @param {string | undefined} href */
function link(id, href) {
  byId(id).hidden = href === undefined;
  if (href !== undefined) byId(id).href = href;
}

/** @param {any} state @param {any} request */
function drawCodes(state, request) {
  const codes = codesOf(request);
  byId('ways').hidden = !isPayable(state) || codes === undefined;
  byId('receipt-code').hidden = !isPaid(state) || !codes?.receipt;
  const made = JSON.stringify([way, codes, state, window.innerWidth]);
  if (codes === undefined || made === drawnCodes) return;
  drawnCodes = made;
  if (codes.receipt) byId('receipt-picture').replaceChildren(qrPicture(codes.receipt, text.receiptQr));
  for (const tab of byId('ways').querySelectorAll('[data-way]'))
    tab.setAttribute('aria-pressed', String(tab.dataset.way === way));
  const isChoice = way === 'transfer' && state === 'waiting';
  const image = way === 'transfer' ? codes.transfer?.code : codes[way];
  byId('code').replaceChildren(...(image ? [qrPicture(image, text.qr)] : []));
  write('code-note', noteOf(codes.transfer));
  byId('assets').replaceChildren(...(isChoice ? codes.options.map(optionLine(request, codes)) : []));
}

/** @param {any} transfer */
function noteOf(transfer) {
  if (way !== 'transfer') return text.wayNotes[way];
  if (!transfer) return text.chooseAsset;
  const { missing_amount: amount, symbol, network_name: network } = transfer;
  return filled(text.sendExactly, { amount: `${amount}\u00a0${symbol}`, network });
}

/** @param {any} request @param {any} codes */
const optionLine =
  (request, codes) =>
  (/** @type {any} */ { unique_asset_id: id, symbol, network_name: network, amount }) => {
    const isChosen = codes.transfer?.unique_asset_id === id;
    const button = element('button', { type: 'button', className: 'option', disabled: !amount }, [
      element('strong', { textContent: `${symbol} \u00b7 ${network}` }),
      element('span', {
        className: 'amount',
        translate: false,
        textContent: amount ? `${amount}\u00a0${symbol}` : text.noRate,
      }),
    ]);
    button.setAttribute('aria-pressed', String(isChosen));
    button.addEventListener('click', () => choose(request, id));
    return element('li', {}, [button]);
  };

/** @param {any} request @param {string} asset */
async function choose(request, asset) {
  now.problem = undefined;
  await selectAsset(request, asset).catch((error) => {
    now.problem = error instanceof Refused ? error.message : text.noAnswer;
  });
  await turn();
}

/** Sales that are confirmed while the cashier goes on. */
function drawLeft() {
  const shownLeft = now.left
    .map(({ request }) => money(request.amount, request.coin_code, language))
    .join(', ');
  write('left', shownLeft && filled(text.left, { amounts: shownLeft }));
}

byId('ways').addEventListener('click', (/** @type {any} */ event) => {
  const wish = event.target.closest('[data-way]')?.dataset.way;
  if (!wish) return;
  way = wish;
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

now.draw = drawPayment;
setInterval(() => shown() === 'payment' && drawPayment(), 1000);
window.addEventListener('resize', () => shown() === 'payment' && drawPayment());
