import type { Random } from '../random.js';
import { somePrice } from './amounts.js';
import { hex } from './calls.js';
import type { KnownConfig, KnownPointOfSale } from './memory.js';
import type { World } from './world.js';

const TRADES = ['Café', 'Books & more', 'Garden <centre>', 'Ферма', '花屋', 'Taxi'];
const CURRENCY = 'USD';

export function someName(random: Random): string {
  return `${random.oneOf(TRADES)} ${random.whole(1, 999)}`;
}

/** @returns a configuration that the service takes: one to all assets, and each other field now and then */
export function someConfig(world: World, random: Random, type: KnownPointOfSale['type']): KnownConfig {
  const assets = random.shuffled(world.network.assets.map(({ uniqueAssetId }) => uniqueAssetId));
  return {
    merchant: someMerchant(random),
    payment_options: assets.slice(0, random.whole(1, assets.length)),
    ...(random.chance(0.4) && { return_url: `https://shop-${hex(random, 2)}.example/thanks?from=pay` }),
    ...(random.chance(0.2) && { frame_origins: [`https://shop-${hex(random, 2)}.example`] }),
    ...(random.chance(0.3) && { checkout_first: random.oneOf(['address', 'code']) }),
    ...(type === 'physical' && { open_amount: random.chance(0.6) }),
    ...(type === 'physical' && random.chance(0.5) && { till: someTill(random) }),
  };
}

function someMerchant(random: Random): object {
  return {
    name: someName(random),
    ...(random.chance(0.3) && { description: 'Everything, every day' }),
    ...(random.chance(0.3) && { tax_id: `DE${random.whole(100_000_000, 999_999_999)}` }),
    ...(random.chance(0.2) && { mcc: '5732' }),
  };
}

function someTill(random: Random): NonNullable<KnownConfig['till']> {
  const products = Array.from({ length: random.whole(0, 3) }, (_, at) => ({
    name: `Dish ${at}`,
    amount: somePrice(random),
  }));
  return { coin_code: CURRENCY, tip_percentages: [5, 10], ...(products.length > 0 && { products }) };
}
