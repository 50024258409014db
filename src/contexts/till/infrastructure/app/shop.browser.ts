// The settings of the point of sale: coin, tips and products.
import { byId } from './page.browser.js';
import { call } from './service.browser.js';
import { app, type Shop } from './app-state.browser.js';
import { drop, keep, kept } from './store.browser.js';

export async function readKeptShop(): Promise<void> {
  use(await kept('shop'));
}

export async function refreshShop(): Promise<void> {
  const { name, config } = await call('GET', '/v1/pos/{posID}', {});
  const { coin_code: coin, tip_percentages: tips = [], products = [] } = config.till ?? {};
  use({ name: config.merchant?.name ?? name, coin, tips, products });
  await keep('shop', { ...app.shop });
}

export async function forgetShop(): Promise<void> {
  use({ name: '', coin: undefined, tips: [], products: [] });
  await drop('shop');
}

function use(newest: Shop | undefined): void {
  Object.assign(app.shop, newest);
  if (app.shop.name) byId('till-name').textContent = app.shop.name;
}
