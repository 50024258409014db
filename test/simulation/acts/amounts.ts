import { formatAmount, parseAmount } from '#shared/kernel/amount.js';
import type { Random } from '../random.js';
import type { SimulatedAsset, World } from './world.js';

export function assetOf(world: World, uniqueAssetId: string): SimulatedAsset {
  const found = world.network.assets.find((asset) => asset.uniqueAssetId === uniqueAssetId);
  if (found === undefined) throw new Error(`There is no asset ${uniqueAssetId}.`);
  return found;
}

/** @param text decimal text as the service answers it @returns smallest units */
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

/** @returns a price with two digits, as currencies have them */
export function somePrice(random: Random): string {
  const cents = random.chance(0.1) ? random.whole(1, 5) : random.whole(50, 500_000);
  return formatAmount(BigInt(cents), 2);
}
