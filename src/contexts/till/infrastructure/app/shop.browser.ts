// The settings of the point of sale: coin, tips and products.
import { byId } from './page.browser.js';
import { callApi } from './service.browser.js';
import { appState, type Shop } from './app-state.browser.js';
import { deleteStored, writeStored, readStored } from './store.browser.js';

export async function loadStoredShop(): Promise<void> {
  use(await readStored('shop'));
}

export async function refreshShop(): Promise<void> {
  const { name, config } = await callApi('GET', '/v1/pos/{posID}', {});
  const { coin_code: coin, tip_percentages: tips = [], products = [] } = config.till ?? {};
  use({ name: config.merchant?.name ?? name, coin, tips, products });
  await writeStored('shop', { ...appState.shop });
}

export async function forgetShop(): Promise<void> {
  use({ name: '', coin: undefined, tips: [], products: [] });
  await deleteStored('shop');
}

function use(newest: Shop | undefined): void {
  Object.assign(appState.shop, newest);
  if (appState.shop.name) byId('till-name').textContent = appState.shop.name;
}
