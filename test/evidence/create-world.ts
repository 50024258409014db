import type { ChildProcess } from 'node:child_process';
import type { PaymentRequestEvent } from '#contexts/payments/contract/payment-request-events.js';
import { startTestService, type TestService } from '../support/service.js';
import { cpuMs } from './process-cpu.js';
import { ask, startProgram } from './programs.js';

/** Connections of the load, and of each server to PostgreSQL. */
const CONNECTIONS = 8;
const POOL = 4;

export interface Cost {
  readonly node: number;
  readonly postgres: number;
  readonly rate: number;
}

export type Target = 'api' | 'bare';

/** The service and a bare server on one database, and a load that creates payment requests on either. */
export class CreateWorld {
  private constructor(
    readonly service: TestService,
    private readonly load: ChildProcess,
    private readonly bare: ChildProcess,
    private readonly bareUrl: string,
    private readonly headers: Record<string, string>,
    readonly whose: Owner,
  ) {}

  static async open(): Promise<CreateWorld> {
    const service = await startTestService({
      settings: { DATABASE_POOL_SIZE: String(POOL), LOG_LEVEL: 'info' },
    });
    const load = startProgram('full-load.mjs');
    const bare = startProgram('bare-create.ts');
    try {
      const { token } = await tokenOf(service);
      const headers = { Authorization: `Bearer ${token}`, 'x-service-api-key': service.seed.apiKey };
      const whose = await ownerOf(service);
      const start = { databaseUrl: service.databaseUrl, connections: POOL, whose };
      const { port } = await ask<{ port: number }>(bare, start);
      return new CreateWorld(service, load, bare, `http://127.0.0.1:${port}`, headers, whose);
    } catch (error) {
      for (const child of [load, bare]) child.kill();
      await service.stop();
      throw error;
    }
  }

  /** Creates so many. @throws unless each was answered with 200 @returns seconds */
  async create(target: Target, posts: number): Promise<number> {
    const path = `/v1/pos/${this.service.seed.posId}/payment-request`;
    const url = target === 'api' ? this.service.apiUrl : this.bareUrl;
    const headers = { ...this.headers, 'content-type': 'application/json' };
    const calls = [{ method: 'POST', path, headers, body: BODY(this.service) }];
    const asked = { url, calls, connections: CONNECTIONS, count: posts };
    const { ms, answers } = await ask<{ ms: number; answers: Record<string, number> }>(this.load, asked);
    if (answers['200'] !== posts)
      throw new Error(
        `Of ${posts} creations: ${JSON.stringify(answers)} ${this.service.log('api').slice(-800)}`,
      );
    return ms / 1_000;
  }

  async measure(target: Target, posts: number): Promise<Cost> {
    const before = { node: this.nodeCpu(target), postgres: await this.postgresCpu(target) };
    const seconds = await this.create(target, posts);
    return {
      node: (this.nodeCpu(target) - before.node) / posts,
      postgres: ((await this.postgresCpu(target)) - before.postgres) / posts,
      rate: posts / seconds,
    };
  }

  private nodeCpu(target: Target): number {
    return cpuMs(target === 'api' ? this.service.processes.api.pid : this.bare.pid!);
  }

  private async postgresCpu(name: Target): Promise<number> {
    const rows = await this.service.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [name],
    );
    return rows.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  }

  async close(): Promise<void> {
    for (const child of [this.load, this.bare]) child.kill();
    await this.service.stop();
  }
}

const BODY = ({ assets }: TestService) =>
  JSON.stringify({
    amount: '12.50',
    unique_asset_id: assets[0]!.unique_asset_id,
    reference_id: 'order-1042',
    order: { total: '12.50', coin_code: 'USD', description: 'Table 7' },
  });

async function tokenOf({ apiUrl, seed }: TestService): Promise<{ token: string }> {
  const response = await fetch(`${apiUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ api_key: seed.apiKey, api_secret: seed.apiSecret }),
  });
  return ((await response.json()) as { data: { token: string } }).data;
}

/** `buildAddPaymentRequestSql` takes these, besides what is a request's own. */
export interface Owner {
  readonly keyId: string;
  readonly version: string;
  readonly merchant: { readonly name: string };
  readonly facts: object;
  readonly selected: {
    readonly uniqueAssetId: string;
    readonly amount: string;
    readonly depositAddress: object;
  };
  readonly event: PaymentRequestEvent;
}

async function ownerOf(service: TestService): Promise<Owner> {
  const { id } = await service.api.post<{ id: string }>(
    `/v1/pos/${service.seed.posId}/payment-request`,
    JSON.parse(BODY(service)) as object,
  );
  const [row] = await service.query<{ whose: Owner }>(
    `SELECT json_build_object(
       'keyId', $2::text, 'version', v.version, 'merchant', json_build_object('name', 'Demonstration shop'),
       'facts', json_build_object('organizationId', r.organization_id, 'accountId', r.account_id,
         'pointOfSaleId', r.point_of_sale_id),
       'selected', json_build_object('network', r.network, 'uniqueAssetId', r.unique_asset_id,
         'currency', r.currency, 'decimals', r.decimals, 'amount', r.amount::text, 'minimumAmount', r.minimum_amount::text,
         'depositAddress', json_build_object('derivation', a.derivation, 'settlementTermsId', a.settlement_terms_id,
           'settlementAddress', a.settlement_address, 'feeRecipient', a.fee_recipient,
           'feeBasisPoints', a.fee_basis_points)),
       'event', json_build_object('type', e.type, 'data', e.data)) AS whose
     FROM payments.payment_requests r
     JOIN payments.deposit_addresses a ON a.payment_request_id = r.id
     JOIN platform.events e ON e.aggregate_id = r.id
     JOIN point_of_sale.public_point_of_sale_versions v ON v.id = r.point_of_sale_id
     WHERE r.id = $1`,
    [id, service.seed.apiKey],
  );
  return row!.whose;
}
