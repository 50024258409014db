// @ts-check
// The cashier types an amount, takes products, or both.
/* global crypto */
import { element, filled, plain } from '#shared/web/script/elements.browser.js';
import { byId, language, screens, show, text, write } from './page.browser.js';
import {
  asAmount,
  hasPoint,
  isAboveZero,
  money,
  pointOf,
  pressed,
  sum,
  times,
  typedMoney,
  typedProblem,
} from './prices.browser.js';
import { begin, now } from './sale.browser.js';
import { refreshShop, shop } from './shop.browser.js';
import { wakeSound } from './signals.browser.js';

/** An order has 50 lines; one is the typed amount's, one the tip's. */
const MOST_PRODUCTS = 48;
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

let entry = '';
/** How many of each product, by its name and price. @type {Map<string, number>} */
const taken = new Map();
/** The products whose lines are drawn. @type {object | undefined} */
let linesOf;

const coin = () => shop.coin ?? '';
/** @param {{ name: string, amount: string }} product */
const keyOf = ({ name, amount }) => JSON.stringify([name, amount]);
const countOf = (/** @type {{ name: string, amount: string }} */ product) => taken.get(keyOf(product)) ?? 0;
const lines = () => shop.products.filter((product) => countOf(product) > 0);
const totalOf = () =>
  sum([asAmount(entry), ...lines().map((product) => times(product.amount, countOf(product)))]);

screens.pad = () => {
  show('pad');
  drawPad();
};

export function clearPad() {
  entry = '';
  taken.clear();
  pick(false);
}

function drawPad() {
  const isReady = shop.coin !== undefined;
  byId('no-settings').hidden = isReady;
  byId('register').hidden = !isReady;
  if (!isReady) return;
  const total = totalOf();
  const count = [...taken.values()].reduce((all, each) => all + each, 0);
  byId('point').textContent = pointOf(language);
  byId('point').disabled = !hasPoint(coin());
  const problem = typedProblem(entry, coin());
  write('pad-problem', problem ? problemText(problem) : now.problem && plain(now.problem));
  byId('typed').textContent =
    count > 0 && !problem ? money(total, coin(), language) : typedMoney(entry, coin(), language);
  const isTyped = isAboveZero(asAmount(entry));
  const note = filled(isTyped ? text.withProducts : text.productsOnly, {
    count: String(count),
    amount: money(asAmount(entry), coin(), language),
  });
  write('typed-note', count > 0 && !problem ? note : undefined);
  const charge = byId('charge');
  charge.disabled = problem !== undefined || !isAboveZero(total);
  charge.textContent = !charge.disabled
    ? filled(text.charge, { amount: money(total, coin(), language) })
    : text.chargeNothing;
  byId('open-products').hidden = byId('products').hidden = shop.products.length === 0;
  drawProducts();
}

/** @param {{ whole: string, fraction: string } | 'unreadable'} problem */
const problemText = (problem) =>
  problem === 'unreadable'
    ? filled(text.unreadableAmount, { coin: coin(), example: hasPoint(coin()) ? '12.50' : '1250' })
    : filled(text.ambiguousAmount, problem);

function drawProducts() {
  const wish = byId('find-product').value.trim().toLowerCase();
  byId('find-product').hidden = shop.products.length < 9;
  // A line stays the same element: a second press finds it, and the keyboard's place is not lost.
  if (linesOf !== shop.products) {
    linesOf = shop.products;
    byId('product-list').replaceChildren(...shop.products.map(productLine));
  }
  for (const [index, product] of shop.products.entries()) {
    const [line, count] = [byId('product-list').children[index], countOf(product)];
    line.hidden = !product.name.toLowerCase().includes(wish);
    line.classList.toggle('taken', count > 0);
    line.querySelector('.count').textContent = `${count}\u00a0\u00d7`;
    for (const part of line.querySelectorAll('.less, .count')) part.hidden = count === 0;
  }
}

/** @param {{ name: string, amount: string }} product */
function productLine(product) {
  const { name, amount } = product;
  const more = element('button', { type: 'button', className: 'product' }, [
    element('span', { textContent: plain(name) }),
    element('span', { className: 'amount', translate: false, textContent: money(amount, coin(), language) }),
  ]);
  more.addEventListener('click', () => takeProduct(product, 1));
  const less = element('button', { type: 'button', className: 'less', textContent: '\u2212' });
  less.setAttribute('aria-label', filled(text.less, { name }));
  less.addEventListener('click', () => takeProduct(product, -1));
  return element('li', {}, [less, element('strong', { className: 'count' }), more]);
}

/** @param {{ name: string, amount: string }} product @param {1 | -1} change */
function takeProduct(product, change) {
  const [key, count] = [keyOf(product), countOf(product) + change];
  if (count <= 0) taken.delete(key);
  else if (taken.has(key) || taken.size < MOST_PRODUCTS) taken.set(key, count);
  else now.problem = filled(text.mostProducts, { most: String(MOST_PRODUCTS) });
  drawPad();
}

/** @param {string} key */
function press(key) {
  now.problem = undefined;
  if (key === 'clear') clearPad();
  else entry = pressed(entry, key);
  drawPad();
}

/** @param {string} total @param {string} tip */
async function charge(total, tip) {
  const items = [
    ...lines().map((product) => {
      const [{ name, amount }, quantity] = [product, countOf(product)];
      return { description: name, amount: times(amount, quantity), unit_price: amount, quantity };
    }),
    ...(isAboveZero(asAmount(entry)) ? [{ description: text.typedAmount, amount: asAmount(entry) }] : []),
    ...(isAboveZero(tip) ? [{ description: text.tip, amount: tip }] : []),
  ];
  const isPlain = taken.size === 0 && !isAboveZero(tip);
  await begin({
    ...{ amount: sum([total, tip]), coin_code: coin(), reference_id: newReference() },
    ...(!isPlain && { order: { items } }),
  });
  screens.payment?.();
}

/** Short enough to be read aloud. */
const newReference = () =>
  `T-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

byId('keys').addEventListener('click', (/** @type {any} */ event) => {
  const key = event.target.closest('[data-key]')?.dataset.key;
  if (key) press(key);
});
byId('charge').addEventListener('click', () => {
  wakeSound();
  const total = totalOf();
  if (shop.tips.length === 0) return charge(total, '0');
  return screens.tip?.({ total, coin: coin(), done: (/** @type {string} */ tip) => charge(total, tip) });
});
byId('find-product').addEventListener('input', drawProducts);
byId('open-products').addEventListener('click', () => pick(!byId('register').classList.contains('picking')));

/** Shows the products in place of the pad, where there is room for one of them. @param {boolean} isOpen */
function pick(isOpen) {
  byId('register').classList.toggle('picking', isOpen);
  byId('open-products').setAttribute('aria-expanded', String(isOpen));
  byId('open-products').textContent = isOpen ? text.showPad : text.showProducts;
}
byId('read-settings').addEventListener('click', async () => {
  await refreshShop().catch(() => undefined);
  drawPad();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /** @type {Element} */ (event.target).closest('input, button, a');
  if (document.body.dataset.shown !== 'pad' || shop.coin === undefined || event.ctrlKey || event.metaKey)
    return;
  if (/^\d$/.test(event.key) && !isInput(event.target)) press(event.key);
  else if (['.', ','].includes(event.key) && !isInput(event.target)) press('point');
  else if (event.key === 'Backspace' && !isInput(event.target)) press('back');
  else if (event.key === 'Enter' && !isTyping) byId('charge').click();
});

/** @param {any} target */
const isInput = (target) => target.matches?.('input');
