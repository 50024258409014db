import type { AgreedSubscriptions } from './hostile-tenants.js';

const DAY_MS = 86_400_000;

export const WALLET = 'wallet-7d1f';

export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString();
}

export async function agreeSubscriptions(
  posId: string,
  unique_asset_id: string,
  post: (path: string, body: object) => Promise<unknown>,
): Promise<AgreedSubscriptions> {
  const agreed = async () => {
    const terms = { amount: '1', unique_asset_id, interval: 'P1M', trial_until: inDays(300) };
    const { id } = (await post(`/v1/pos/${posId}/subscription`, terms)) as { id: string };
    await post(`/v1/wallets/v1/subscriptions/${id}/accept`, { wallet_external_id: WALLET });
    return id;
  };
  return { agreedId: await agreed(), endedId: await agreed() };
}
