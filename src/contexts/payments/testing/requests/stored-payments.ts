import { randomBytes } from 'node:crypto';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { Database } from '#shared/platform/database/database.js';

export interface Tenant {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

export function newTenant(): Tenant {
  return { organizationId: newId(), accountId: newId() };
}

export function randomHex(bytes: number): string {
  return `0x${randomBytes(bytes).toString('hex')}`;
}

export const NOON = new Date('2026-01-31T12:00:00.000Z');

export function afterNoon(seconds: number): Date {
  return new Date(NOON.getTime() + seconds * 1_000);
}

/** Rows as they might have come about, stored one by one: for what only reads them. */
export class StoredPayments {
  constructor(private readonly database: Database) {}

  /** A request for 10 USDX on the sandbox at noon, with its address, but for these columns. */
  async request(tenant: Tenant, fields: Record<string, unknown> = {}, address = randomHex(20)) {
    const row = {
      id: newId(),
      organization_id: tenant.organizationId,
      account_id: tenant.accountId,
      point_of_sale_id: newId(),
      type: 'fixed',
      status: 'created',
      token: 'naspip;…',
      network: 'sandbox',
      unique_asset_id: 'nsandbox_tUSDX',
      currency: 'USDX',
      decimals: 6,
      amount: '10000000',
      received_amount: '0',
      reference_id: 'order-1042',
      confirmed_at: null,
      created_at: NOON,
      expires_at: afterNoon(480),
      counts_until: afterNoon(540),
      ...fields,
    };
    await this.insert('payment_requests', row);
    await this.insert('status_history', { payment_request_id: row.id, step: 1, status: 'created', at: NOON });
    if (row.network !== null) await this.address(tenant, row.id, row.network, row.unique_asset_id, address);
    return { id: row.id, posId: row.point_of_sale_id, address, tenant };
  }

  async address(
    tenant: Tenant,
    requestId: string,
    network: string,
    assetId: string,
    address: string,
    tag = '',
  ) {
    const someone = randomHex(20);
    await this.insert('deposit_addresses', {
      network,
      address,
      tag,
      payment_request_id: requestId,
      unique_asset_id: assetId,
      organization_id: tenant.organizationId,
      account_id: tenant.accountId,
      derivation: '{}',
      settlement_terms_id: newId(),
      settlement_address: someone,
      fee_recipient: someone,
      fee_basis_points: 100,
      created_at: NOON,
    });
  }

  /** 10 USDX to the request, in block 12 of the sandbox, but for these columns. @returns its transaction's hash */
  async transfer(
    to: { id: string; address: string; tenant: Tenant },
    fields: Record<string, unknown> = {},
  ): Promise<string> {
    const row = {
      id: newId(),
      network: 'sandbox',
      kind: 'log',
      transaction_hash: randomHex(32),
      index: 3,
      block_number: 12,
      block_hash: randomHex(32),
      block_time: afterNoon(120),
      currency: 'USDX',
      unique_asset_id: 'nsandbox_tUSDX',
      from_address: randomHex(20),
      to_address: to.address,
      amount: '10000000',
      decimals: 6,
      required_confirmations: 5,
      payment_request_id: to.id,
      organization_id: to.tenant.organizationId,
      account_id: to.tenant.accountId,
      canonical: true,
      counted: true,
      final: false,
      detected_at: afterNoon(125),
      ...fields,
    };
    await this.insert('transfers', row);
    return String(row.transaction_hash);
  }

  /** The network was read up to that block, whose timestamp is the clock's less `behind` seconds. */
  async read(network: string, head: number, behind = 0, fields: Record<string, unknown> = {}): Promise<void> {
    await this.insert('chain_cursors', {
      network,
      head_number: head,
      head_hash: randomHex(32),
      head_time: NOON,
      ...fields,
    });
    await this.database.query(
      `UPDATE payments.chain_cursors SET head_time = platform.now() - make_interval(secs => $2) WHERE network = $1`,
      [network, behind],
    );
  }

  async insert(table: string, row: Record<string, unknown>): Promise<void> {
    const columns = Object.keys(row);
    await this.database.query(
      `INSERT INTO payments.${table} (${columns.join(', ')})
       VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    );
  }
}
