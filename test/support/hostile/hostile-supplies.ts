import {
  newId,
  type AccountId,
  type CollaboratorId,
  type CredentialId,
  type OrganizationId,
  type PointOfSaleId,
} from '#shared/kernel/ids.js';
import { copyShop } from '../copied-shop.js';
import { LINES } from './hostile-exceptions.js';
import { HOSTILE_VALUES } from './hostile-values.js';
import type { Credential, Tenant } from './hostile-tenants.js';
import type { TestService } from '../service.js';
import { createHash } from 'node:crypto';
import { PairedDevices } from '#contexts/identity/application/devices/paired-devices.js';
import { Credentials } from '#contexts/identity/infrastructure/credentials/persistence/credentials.js';
import { Pairings } from '#contexts/identity/infrastructure/persistence/pairings.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { DatabaseClock } from '#shared/platform/clock/database-clock.js';
import type { IssueCredential } from '#contexts/identity/application/credentials/issue-credential.js';
import type { Database } from '#shared/platform/database/database.js';
import { signedIn } from '../dashboard-session.js';
import type { EventListDto } from '#contexts/webhooks/infrastructure/events/http/events.dto.js';
import { startReceiver } from '#contexts/webhooks/testing/receiver.js';
import { tokenOf } from '#sandbox/payer/payer-wallet.js';
import { eventually } from '../eventually.js';
import { NATIVE_COIN } from '#sandbox/chain/payer-contract.js';

const SPARE = 5_000;
const SPARE_TILLS = 2_000;

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
  const spares = await query<{ id: string; code: string }>(
    `INSERT INTO point_of_sale.points_of_sale
     SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'open_amount', true,
       'code', '0' || substr(md5(n::text), 1, 22)))).*
     FROM point_of_sale.points_of_sale p, generate_series(1, ${SPARE_TILLS}) n
     WHERE p.id = $1 AND p.organization_id = $2 RETURNING id, code`,
    [id, seed.organizationId],
  );
  return { code, spare: () => spares.pop()!.code, spareId: () => spares.pop()!.id };
}

const SPARE_REFUNDS = 1_000;
const REFUND_TO = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
/** In whole units: far more than all refunds come to. */
const PLENTY = 1_000n;
const COINS = 10n ** 19n;

export interface HostileRefunds {
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
    const spares = await copiedRefunds(service, id);
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
async function copiedRefunds({ query }: TestService, refundId: string): Promise<string[]> {
  const ids = Array.from({ length: SPARE_REFUNDS }, () => newId<string>());
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

export type HostileWebhooks = Awaited<ReturnType<typeof furnishWebhooks>>;

/** Webhooks of the home account: one at a receiver that acknowledges, an idle one, and one more each time. */
export async function furnishWebhooks(service: TestService) {
  const receiver = await startReceiver();
  try {
    const path = `/v1/account/${service.seed.accountId}/webhook`;
    const register = () =>
      service.api.post<{ id: string }>(path, { url: receiver.url, event_type: 'incoming_transfer' });
    const [{ id: webhookId }, { id: idleId }] = [await register(), await register()];
    const test = await service.api.post<{ delivery_id: string }>(`${path}/${webhookId}/test`, {});
    const eventId = await payOnce(service);
    const spares = await copiedWebhooks(service, idleId);
    return {
      ...{ webhookId, idleId, eventId, deliveryId: test.delivery_id },
      spare: () => spares.pop()!,
      stop: () => receiver.close(),
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

async function payOnce({ api, seed, assets, wallet }: TestService): Promise<string> {
  const { unique_asset_id, decimals } = assets[0]!;
  const body = { amount: '1', unique_asset_id };
  const { address } = await api.post<{ address: `0x${string}` }>(
    `/v1/pos/${seed.posId}/payment-request`,
    body,
  );
  await wallet.mined(await wallet.send(tokenOf(unique_asset_id), address, 10n ** BigInt(decimals)));
  const { data } = await eventually(
    () => api.get<EventListDto>('/v1/events'),
    (events) => events.data.length > 0,
  );
  return data[0]!.id;
}

async function copiedWebhooks({ query }: TestService, id: string): Promise<string[]> {
  const ids = Array.from({ length: SPARE }, () => newId<string>());
  await query(
    `INSERT INTO webhooks.webhooks
     SELECT (jsonb_populate_record(w, jsonb_build_object('id', copy.id))).*
     FROM webhooks.webhooks w, UNNEST($2::uuid[]) AS copy (id) WHERE w.id = $1`,
    [id, ids],
  );
  await query(
    `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
     SELECT created_at, 'test', 'webhook.registered', organization_id, id, to_jsonb(w)
     FROM webhooks.webhooks w WHERE id = ANY ($1)`,
    [ids],
  );
  return ids;
}

/** Nobody looks at how they are spelled, but that no character is left out as white space. */
const CODES = Array.from({ length: SPARE }, (_, n) => String(n).padStart(8, 'A'));

export type HostileDevices = Awaited<ReturnType<typeof furnishDevices>>;

export async function furnishDevices(
  service: TestService,
  database: Database,
  issue: IssueCredential,
  { organizationId, accountId, posId }: Tenant,
) {
  await signedIn(service.query, organizationId, 'admin');
  const [admin] = await service.query<{ id: CollaboratorId }>(
    `SELECT id FROM identity.collaborators WHERE organization_id = $1 AND role = 'admin' LIMIT 1`,
    [organizationId],
  );
  await service.query(
    `INSERT INTO identity.pairing_codes (code_digest, organization_id, account_id, point_of_sale_id, offered_by, expires_at)
     SELECT digest, $1, $2, $3, $4, platform.now() + interval '1 day' FROM UNNEST($5::bytea[]) AS code (digest)`,
    [organizationId, accountId, posId, admin!.id, CODES.map(digestOf)],
  );
  const spare = [...CODES];
  const devices = new PairedDevices(
    database,
    new DatabaseClock(database),
    issue,
    new Credentials(database),
    new Pairings(database),
    new PostgresAuditLog(database),
  );
  const owner = { organizationId: organizationId as OrganizationId, accountId: accountId as AccountId };
  return {
    revoke: ({ id }: Credential, point: string) =>
      devices.revoke({ ...owner, id: point as PointOfSaleId }, id as CredentialId, { actor: 'test' }),
    spareCode: () => spare.pop()!,
    /** A code that pairs no device before all others have. */
    lastCode: () => spare[0]!,
    /** A device of the point of sale, whoever owns it, that is made in the home account. */
    async of(pointOfSale: string): Promise<Credential> {
      const pairing = {
        pointOfSaleId: pointOfSale as PointOfSaleId,
        pairedBy: admin!.id,
        pairedAs: 'admin' as const,
      };
      const described = {
        ...owner,
        name: 'Phone',
        roles: ['read', 'write'] as const,
        allowedAddresses: [],
        pairing,
      };
      const { credential, secret } = await database.run(() =>
        issue.issue(described, 'credential.paired', { actor: 'test' }),
      );
      return { id: credential.id, organizationId, keyId: credential.keyId, secret };
    },
  };
}

function digestOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

export type HostileAccounts = Awaited<ReturnType<typeof furnishAccounts>>;

/**
 * Every hostile text that could be an external id is one already: an organization has each once, and a matrix that is drawn
 * could not know which it has used.
 */
export async function furnishAccounts(
  service: TestService,
  { organizationId, accountId }: Tenant,
  foreign: Tenant,
) {
  const foreignIds = [foreign.accountId, foreign.posId, foreign.paymentRequestId, foreign.credential.keyId];
  const texts = HOSTILE_VALUES.filter(({ name }) => LINES.includes(name)).flatMap(({ text }) => text ?? []);
  const idleId = newId<string>();
  await service.query(
    `INSERT INTO identity.accounts (id, organization_id, external_id, name, created_at, updated_at)
     SELECT id, $1, external_id, 'Idle', platform.now(), platform.now()
     FROM UNNEST($2::uuid[], $3::text[]) AS idle (id, external_id) ON CONFLICT DO NOTHING`,
    [
      organizationId,
      [idleId, ...texts.map(() => newId<string>()), ...foreignIds.map(() => newId<string>())],
      ['idle', ...texts.map((text) => text.normalize().trim()), ...foreignIds],
    ],
  );
  const idlePosId = await copyShop(service, {
    organization_id: organizationId,
    account_id: accountId,
    type: 'physical',
    // A worker would store one within a minute, which is no effect of what is sent.
    code: `0${'i'.repeat(22)}`,
  });
  const spares = Array.from({ length: SPARE }, () => newId<string>());
  await service.query(
    `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
     SELECT id, $1, 'Spare', platform.now(), platform.now() FROM UNNEST($2::uuid[]) AS spare (id)`,
    [organizationId, spares],
  );
  return { idleId, idlePosId, spare: () => spares.pop()! };
}
