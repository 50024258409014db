import { newId } from '#shared/kernel/ids.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../eventually.js';
import { type TestService } from '../service.js';
import type { Tenant } from './hostile-tenants.js';

const SPARE = 1_000;
const REFUND_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
/** In whole units: far more than all refunds come to. */
const PLENTY = 1_000n;
const COINS = 10n ** 19n;

export interface HostileRefunds {
  /** A payment request that has received plenty. */
  readonly requestId: string;
  readonly refundId: string;
  /** Another refund each time, that waits for approval; the float holds enough for all. */
  spare(): string;
}

export interface Refunder extends Pick<Tenant, 'posId'> {
  post(path: string, body: object): Promise<unknown>;
}

/** A paid request of each, refunds of it, and floats that can pay them. */
export async function furnishRefunds(
  service: TestService,
  tenants: readonly Refunder[],
): Promise<HostileRefunds[]> {
  const requests = await paidRequests(service, tenants);
  const refunds: HostileRefunds[] = [];
  for (const [index, { post }] of tenants.entries()) {
    const requestId = requests[index]!;
    const asked = { claim: {}, amount: '0.01' };
    const { id } = (await post(`/v1/refunds/payment-request/${requestId}`, asked)) as { id: string };
    const spares = await copies(service, id);
    refunds.push({ requestId, refundId: id, spare: () => spares.pop()! });
  }
  await fillFloats(service);
  return refunds;
}

async function paidRequests(
  { assets, wallet, chain, query }: TestService,
  tenants: readonly Refunder[],
): Promise<string[]> {
  const { unique_asset_id, decimals } = assets[0]!;
  const ids: string[] = [];
  for (const { posId, post } of tenants) {
    const body = { amount: '1', unique_asset_id };
    const request = (await post(`/v1/pos/${posId}/payment-request`, body)) as {
      id: string;
      address: `0x${string}`;
    };
    ids.push(request.id);
    const amount = PLENTY * 10n ** BigInt(decimals);
    await wallet.mined(await wallet.send(tokenOf(unique_asset_id), request.address, amount));
  }
  await chain.mine(6);
  const confirmed = 'SELECT FROM payments.payment_requests WHERE id = ANY ($1) AND confirmed_at IS NOT NULL';
  await eventually(
    () => query(confirmed, [ids]),
    (rows) => rows.length === ids.length,
  );
  return ids;
}

async function fillFloats({ assets, wallet, chain, query }: TestService): Promise<void> {
  const { unique_asset_id, decimals } = assets[0]!;
  const floats = await eventually(
    () => query<{ address: `0x${string}` | null }>('SELECT address FROM settlement.refund_floats'),
    (rows) => rows.every(({ address }) => address !== null),
  );
  for (const { address } of floats) {
    const amount = PLENTY * 10n ** BigInt(decimals);
    await wallet.mined(await wallet.send(tokenOf(unique_asset_id), address!, amount));
    await wallet.mined(await wallet.send(NATIVE_COIN, address!, COINS));
  }
  await chain.mine(6);
  await eventually(
    () => query('SELECT FROM settlement.refund_float_holdings WHERE topped_up > 0'),
    (rows) => rows.length === 2 * floats.length,
  );
}

/** With an address named, each with its own event. */
async function copies({ query }: TestService, refundId: string): Promise<string[]> {
  const ids = Array.from({ length: SPARE }, () => newId<string>());
  await query(
    `WITH copied AS (
       INSERT INTO settlement.refunds
       SELECT (jsonb_populate_record(r, jsonb_build_object('id', spare.id, 'to_address', lower($3), 'claimed_at',
         r.created_at, 'claim_digest', '\\x' || encode(sha256(spare.id::text::bytea), 'hex')))).*
       FROM settlement.refunds r, UNNEST($2::uuid[]) AS spare (id) WHERE r.id = $1 RETURNING *),
     published AS (
       INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT gen_random_uuid(), e.type, copied.id, e.organization_id, e.account_id, e.occurred_at, e.data
       FROM copied, platform.events e WHERE e.aggregate_id = $1 AND e.type = 'refund.status_changed')
     UPDATE settlement.refunded_sums s SET refunded = s.refunded + (SELECT sum(amount) FROM copied)
     FROM settlement.refunds r WHERE r.id = $1 AND s.payment_request_id = r.payment_request_id`,
    [refundId, ids, REFUND_TO],
  );
  return ids;
}
