import type { Random } from '../random.js';

/** @returns `{order}` now and then, with what may be left out there or not */
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
