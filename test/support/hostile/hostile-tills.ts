import type { TestService } from '../service.js';

const SPARE = 2_000;

type Post = (target: string, body: object) => Promise<unknown>;

export type HostileTills = Awaited<ReturnType<typeof furnishTills>>;

/** Printed codes of the home account: one with a request of the cashier, and others where payers type the amount. */
export async function furnishTills({ query, seed, assets }: TestService, accountId: string, post: Post) {
  const config = {
    merchant: { name: 'Corner Coffee' },
    payment_options: [assets[0]!.unique_asset_id],
    till: { coin_code: 'USD' },
  };
  const described = { name: 'Till', type: 'physical', account_id: accountId, config };
  const { id, code } = (await post('/v1/pos', described)) as { id: string; code: string };
  await post(`/v1/pos/${id}/payment-request-checkout`, { amount: '1', coin_code: 'USD' });
  const spares = await query<{ code: string }>(
    `INSERT INTO point_of_sale.points_of_sale
     SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'open_amount', true,
       'code', '0' || substr(md5(n::text), 1, 22)))).*
     FROM point_of_sale.points_of_sale p, generate_series(1, ${SPARE}) n
     WHERE p.id = $1 AND p.organization_id = $2 RETURNING code`,
    [id, seed.organizationId],
  );
  return { code, spare: () => spares.pop()!.code };
}
