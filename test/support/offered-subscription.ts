import { newPageCode } from '../../src/contexts/subscriptions/application/page-code.js';
import { newId } from '../../src/shared/kernel/ids.js';
import type { TestService } from './service.js';

export type OfferedSubscription = Awaited<ReturnType<typeof offerSubscription>>;

/** 5 USDC a month on the demonstration shop, stored as an offer of a day; its worker does what is due. */
export async function offerSubscription({ query, seed, assets, apiUrl }: TestService) {
  const [id, walletId, code] = [newId(), newId(), newPageCode()];
  const { unique_asset_id: asset } = assets.find(({ symbol }) => symbol === 'USDC')!;
  const owner = 'SELECT organization_id, account_id FROM point_of_sale.points_of_sale WHERE id = $1';
  const [{ organization_id: organization, account_id: account } = {} as never] = await query<
    Record<'organization_id' | 'account_id', string>
  >(owner, [seed.posId]);
  await query(
    `INSERT INTO subscriptions.subscriptions (id, organization_id, account_id, point_of_sale_id, code, merchant_name, network,
       unique_asset_id, currency, decimals, amount, "interval", status, offered_until, next_step_at, created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, 'Corner Coffee', 'sandbox', $6, 'USDC', 6, 5000000, 'P1M', 'pending', t + interval '1 day',
       t + interval '1 day', t, t FROM platform.now() t`,
    [id, organization, account, seed.posId, code, asset],
  );
  const status = async () => {
    const text = 'SELECT status FROM subscriptions.subscriptions WHERE id = $1';
    return (await query<{ status: string }>(text, [id]))[0]!.status;
  };
  return {
    url: `${apiUrl}/subscription/${code}`,
    status,
    /** By a wallet: the first charge is due at once. */
    async accept(): Promise<void> {
      const wallet =
        'INSERT INTO subscriptions.wallets (id, organization_id, external_id) VALUES ($1, $2, $3)';
      await query(wallet, [walletId, organization, `wallet ${walletId}`]);
      await query(
        `UPDATE subscriptions.subscriptions SET status = 'active', wallet_id = $2, accepted_at = t, first_due_at = t,
           next_number = 0, next_charge_at = t, next_step_at = t FROM platform.now() t WHERE id = $1`,
        [id, walletId],
      );
    },
    /** Of its charges, that payments has opened. */
    requests: () =>
      query(
        `SELECT FROM subscriptions.charge_requests r JOIN payments.payment_requests p ON p.id = r.payment_request_id
         WHERE r.subscription_id = $1`,
        [id],
      ),
  };
}
