import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import type { Random } from '../random.js';
import type { SimulatedAsset, World } from './world.js';

export function assetOf(world: World, uniqueAssetId: string): SimulatedAsset {
  const found = world.network.assets.find((asset) => asset.uniqueAssetId === uniqueAssetId);
  if (found === undefined) throw new Error(`There is no asset ${uniqueAssetId}.`);
  return found;
}

export function unitsOf(text: string, decimals: number): bigint {
  const units = parseAmount(text, decimals);
  return typeof units === 'bigint' ? units : 0n;
}

export function leastOf({ minimumAmount, decimals }: SimulatedAsset): bigint {
  return unitsOf(minimumAmount, decimals);
}

/** @returns what a request is made of: from the least that may be asked for to very much, with all digits or few */
export function someUnits(random: Random, asset: SimulatedAsset): bigint {
  const least = leastOf(asset);
  switch (random.whole(0, 8)) {
    case 0:
      return least;
    case 1:
      return least + BigInt(random.whole(0, 9));
    case 2:
      return least * BigInt(random.whole(1_000_000, 100_000_000));
    case 3:
      return least * BigInt(random.whole(1, 50_000)) + (BigInt(random.bits()) % least);
    default:
      return least * BigInt(random.whole(100, 20_000));
  }
}

export function textOf(units: bigint, { decimals }: SimulatedAsset): string {
  return formatAmount(units, decimals);
}

export function somePrice(random: Random): string {
  const cents = random.chance(0.1) ? random.whole(1, 5) : random.whole(50, 500_000);
  return formatAmount(BigInt(cents), 2);
}

export function someOrder(random: Random, total: string, coinCode: string): { readonly order?: object } {
  if (random.chance(0.75)) return {};
  const items = Array.from({ length: random.whole(1, 3) }, (_, at) => ({
    description: `Item ${at} “${random.whole(1, 99)}”`,
    amount: random.chance(0.2) ? '0' : total,
    ...(random.chance(0.3) && { quantity: random.whole(1, 5) }),
  }));
  return {
    order: {
      ...(random.chance(0.5) && { total, coin_code: coinCode }),
      ...(random.chance(0.4) && { description: 'Thank you' }),
      ...(random.chance(0.2) && { merchant: { name: 'A brand of the house' } }),
      ...(random.chance(0.7) && { items }),
    },
  };
}

/** @returns `{reference_id}` mostly: of its own, or one that others have too */
export function someReference(random: Random): { readonly reference_id?: string } {
  if (random.chance(0.3)) return {};
  const number = random.chance(0.2) ? random.whole(1, 5) : random.whole(1, 1_000_000);
  return { reference_id: random.chance(0.1) ? `№ ${number} / ä` : `order-${number}` };
}
