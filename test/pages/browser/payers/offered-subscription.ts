import type { AnswerOf } from '#test/support/api-client.js';
import type { TestService } from '#test/support/service.js';

/** 5 USDC a month on the demonstration shop; its worker does what is due. */
export async function offerSubscription({ query, api, seed, assets }: TestService) {
  const { unique_asset_id } = assets.find(({ symbol }) => symbol === 'USDC')!;
  const path = `/v1/pos/${seed.posId}/subscription`;
  const { id, url } = await api.post<AnswerOf<'createSubscription'>>(path, {
    ...{ amount: '5', unique_asset_id, interval: 'P1M' },
  });
  return {
    url: url!,
    status: async () => (await api.get<AnswerOf<'readSubscription'>>(`${path}/${id}`)).status,
    /** A wallet accepts: the first charge is due at once. */
    async accept(): Promise<void> {
      await api.post(`/v1/wallets/v1/subscriptions/${id}/accept`, { wallet_external_id: `wallet of ${id}` });
    },
    requests: () =>
      query(
        `SELECT FROM subscriptions.charge_requests r JOIN payments.payment_requests p ON p.id = r.payment_request_id
         WHERE r.subscription_id = $1`,
        [id],
      ),
  };
}
