// The screen on which the cashier types an amount, picks products, or both.
import { element, filled, plain } from '#shared/web/script/elements.browser.js';
import { appState, type Product } from './app-state.browser.js';
import { byId, language, screens, showScreen, pageTexts, setText } from './page.browser.js';
import {
  entryToAmount,
  coinHasDecimals,
  isAboveZero,
  formatPrice,
  decimalPointOf,
  entryAfterKey,
  sumPrices,
  multiplyPrice,
  formatPriceEntry,
  findPriceEntryProblem,
  type PriceEntryProblem,
} from './prices.browser.js';
import { startSale } from './sale.browser.js';
import { refreshShop } from './shop.browser.js';
import { unlockSound } from './signals.browser.js';

/** The service accepts 50 items per order. The typed amount and the tip take one each. */
const MOST_PRODUCTS = 48;
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

let entry = '';
const taken = new Map<string, number>();
let listed: Product[] | undefined;

const coin = () => appState.shop.coin ?? '';
const keyOf = ({ name, amount }: Product) => JSON.stringify([name, amount]);
const countOf = (product: Product) => taken.get(keyOf(product)) ?? 0;
const lines = () => appState.shop.products.filter((product) => countOf(product) > 0);
const totalOf = () =>
  sumPrices([
    entryToAmount(entry),
    ...lines().map((product) => multiplyPrice(product.amount, countOf(product))),
  ]);

screens.pad = () => {
  showScreen('pad');
  drawPad();
};

export function clearPad(): void {
  entry = '';
  taken.clear();
  pick(false);
}

function drawPad(): void {
  const isReady = appState.shop.coin !== undefined;
  byId('no-settings').hidden = isReady;
  byId('register').hidden = !isReady;
  if (!isReady) return;
  const total = totalOf();
  const count = [...taken.values()].reduce((all, each) => all + each, 0);
  byId('point').textContent = decimalPointOf(language);
  byId('point').disabled = !coinHasDecimals(coin());
  const problem = findPriceEntryProblem(entry, coin());
  setText('pad-problem', problem ? problemText(problem) : appState.problem && plain(appState.problem));
  byId('typed').textContent =
    count > 0 && !problem ? formatPrice(total, coin(), language) : formatPriceEntry(entry, coin(), language);
  const isTyped = isAboveZero(entryToAmount(entry));
  const note = filled(isTyped ? pageTexts.withProducts : pageTexts.productsOnly, {
    count: String(count),
    amount: formatPrice(entryToAmount(entry), coin(), language),
  });
  setText('typed-note', count > 0 && !problem ? note : undefined);
  const button = byId('charge');
  button.disabled = problem !== undefined || !isAboveZero(total);
  button.textContent = !button.disabled
    ? filled(pageTexts.charge, { amount: formatPrice(total, coin(), language) })
    : pageTexts.chargeNothing;
  byId('open-products').hidden = byId('products').hidden = appState.shop.products.length === 0;
  drawProducts();
}

const problemText = (problem: PriceEntryProblem) =>
  problem === 'unreadable'
    ? filled(pageTexts.unreadableAmount, {
        coin: coin(),
        example: coinHasDecimals(coin()) ? '12.50' : '1250',
      })
    : filled(pageTexts.ambiguousAmount, problem);

function drawProducts(): void {
  const { products } = appState.shop;
  const wish = byId('find-product').value.trim().toLowerCase();
  byId('find-product').hidden = products.length < 9;
  // Elements are kept between updates, so that fast repeated presses and the keyboard focus are not lost.
  if (listed !== products) {
    listed = products;
    byId('product-list').replaceChildren(...products.map(productLine));
  }
  for (const [index, product] of products.entries()) {
    const line = byId('product-list').children[index] as HTMLElement;
    const count = countOf(product);
    line.hidden = !product.name.toLowerCase().includes(wish);
    line.classList.toggle('taken', count > 0);
    line.querySelector('.count')!.textContent = `${count}\u00a0\u00d7`;
    for (const part of line.querySelectorAll<HTMLElement>('.less, .count')) part.hidden = count === 0;
  }
}

function productLine(product: Product): HTMLElement {
  const { name, amount } = product;
  const more = element('button', { type: 'button', className: 'product' }, [
    element('span', { textContent: plain(name) }),
    element('span', {
      className: 'amount',
      translate: false,
      textContent: formatPrice(amount, coin(), language),
    }),
  ]);
  more.addEventListener('click', () => takeProduct(product, 1));
  const less = element('button', { type: 'button', className: 'less', textContent: '\u2212' });
  less.setAttribute('aria-label', filled(pageTexts.less, { name }));
  less.addEventListener('click', () => takeProduct(product, -1));
  return element('li', {}, [less, element('strong', { className: 'count' }), more]);
}

function takeProduct(product: Product, change: 1 | -1): void {
  const [key, count] = [keyOf(product), countOf(product) + change];
  if (count <= 0) taken.delete(key);
  else if (taken.has(key) || taken.size < MOST_PRODUCTS) taken.set(key, count);
  else appState.problem = filled(pageTexts.mostProducts, { most: String(MOST_PRODUCTS) });
  drawPad();
}

function press(key: string): void {
  appState.problem = undefined;
  if (key === 'clear') clearPad();
  else entry = entryAfterKey(entry, key);
  drawPad();
}

async function charge(total: string, tip: string): Promise<void> {
  const items = [
    ...lines().map((product) => {
      const [{ name, amount }, quantity] = [product, countOf(product)];
      return { description: name, amount: multiplyPrice(amount, quantity), unit_price: amount, quantity };
    }),
    ...(isAboveZero(entryToAmount(entry))
      ? [{ description: pageTexts.typedAmount, amount: entryToAmount(entry) }]
      : []),
    ...(isAboveZero(tip) ? [{ description: pageTexts.tip, amount: tip }] : []),
  ];
  const isPlain = taken.size === 0 && !isAboveZero(tip);
  await startSale({
    ...{ amount: sumPrices([total, tip]), coin_code: coin(), reference_id: newReference() },
    ...(!isPlain && { order: { items } }),
  });
  screens.payment?.();
}

const newReference = () =>
  `T-${[...crypto.getRandomValues(new Uint8Array(8))].map((byte) => LETTERS[byte % LETTERS.length]).join('')}`;

byId('keys').addEventListener('click', ({ target }) => {
  const key = (target as Element).closest<HTMLElement>('[data-key]')?.dataset.key;
  if (key) press(key);
});
byId('charge').addEventListener('click', () => {
  unlockSound();
  const total = totalOf();
  if (appState.shop.tips.length === 0) return charge(total, '0');
  return screens.tip?.({ total, coin: coin(), done: (tip) => charge(total, tip) });
});
byId('find-product').addEventListener('input', drawProducts);
byId('open-products').addEventListener('click', () => pick(!byId('register').classList.contains('picking')));

/** On a screen too small for pad and list. */
function pick(isOpen: boolean): void {
  byId('register').classList.toggle('picking', isOpen);
  byId('open-products').setAttribute('aria-expanded', String(isOpen));
  byId('open-products').textContent = isOpen ? pageTexts.showPad : pageTexts.showProducts;
}
byId('read-settings').addEventListener('click', async () => {
  await refreshShop().catch(() => undefined);
  drawPad();
});
document.addEventListener('keydown', ({ key, target, ctrlKey, metaKey }) => {
  const focused = target as Element;
  if (document.body.dataset.shown !== 'pad' || appState.shop.coin === undefined || ctrlKey || metaKey) return;
  if (key === 'Enter') {
    if (!focused.closest('input, button, a')) byId('charge').click();
  } else if (focused.matches('input')) return;
  else if (/^\d$/.test(key)) press(key);
  else if (key === '.' || key === ',') press('point');
  else if (key === 'Backspace') press('back');
});
