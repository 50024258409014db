// @ts-check
// What the point of sale sells by: coin, tips and products. Kept, so that the till opens without a network.
import { byId } from './page.browser.js';
import { call, pointOfSale } from './service.browser.js';
import { drop, keep, kept } from './store.browser.js';

/** @typedef {{ name: string, coin?: string, tips: number[], products: { name: string, amount: string }[] }} Shop */
/** @type {Shop} */
export const shop = { name: '', coin: undefined, tips: [], products: [] };

export async function readKeptShop() {
  use(await kept('shop'));
}

/** @throws what `call` throws */
export async function refreshShop() {
  const { name, config } = await call('GET', pointOfSale());
  const { coin_code: coin, tip_percentages: tips = [], products = [] } = config.till ?? {};
  use({ name: config.merchant?.name ?? name, coin, tips, products });
  await keep('shop', { ...shop });
}

/** Nothing is sold by the settings of a point of sale that the phone is not paired with any more. */
export async function forgetShop() {
  use({ name: '', coin: undefined, tips: [], products: [] });
  await drop('shop');
}

/** @param {Partial<Shop> | undefined} newest */
function use(newest) {
  Object.assign(shop, newest);
  if (shop.name) byId('till-name').textContent = shop.name;
}
