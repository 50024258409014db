import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestDto } from '../../src/contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import type { RegisteredWebhookDto } from '../../src/contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { startReceiver, type Receiver } from '../../src/contexts/webhooks/testing/receiver.js';
import { tokenOf } from '../../src/sandbox/payer/payer-wallet.js';
import { eventually } from '../support/eventually.js';
import { startTestService, type TestService } from '../support/service.js';

/** The long form is `npm run evidence -- payment-bytes`. */
const PAYMENTS = process.env['EVIDENCE'] === 'long' ? 1_000 : 5;
const CONFIRMATIONS = 5;
/** Rows of networks, of accounts and of processes, however many payments there are. */
const NOT_OF_PAYMENTS = [
  ...['payments.blocks', 'payments.chain_cursors', 'payments.chain_audits'],
  ...['ledger.balances', 'ledger.sequences', 'webhooks.webhooks', 'webhooks.attempt_totals'],
  ...['platform.leases', 'platform.subscriber_positions', 'platform.seals'],
];

interface Written {
  readonly walBytes: number;
  readonly tables: ReadonlyMap<string, Table>;
}

interface Table {
  readonly name: string;
  readonly rows: number;
  /** Of rows and of indexes, in whole pages of 8 KiB. */
  readonly table: number;
  readonly indexes: number;
}

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestService(), startReceiver()]);
  const path = `/v1/account/${service.seed.accountId}/webhook`;
  const body = { url: receiver.url, event_type: 'payment_request' };
  await service.api.post<RegisteredWebhookDto>(path, body);
}, 120_000);

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
});

async function written(): Promise<Written> {
  const names = await service.query<{ name: string }>(
    `SELECT schemaname || '.' || relname AS name FROM pg_stat_user_tables ORDER BY 1`,
  );
  const tables = await service.query<Table>(
    names
      .filter(({ name }) => !NOT_OF_PAYMENTS.includes(name))
      .map(
        ({ name }) =>
          `SELECT '${name}' AS name, (SELECT count(*) FROM ${name})::integer AS rows,
             pg_table_size('${name}')::integer AS table, pg_indexes_size('${name}')::integer AS indexes`,
      )
      .join(' UNION ALL '),
  );
  const [wal] = await service.query<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return { walBytes: Number(wal!.bytes), tables: new Map(tables.map((table) => [table.name, table])) };
}

const count = async (condition: string) =>
  (await service.query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${condition}`))[0]!.count;

async function createAll(): Promise<PaymentRequestDto[]> {
  const path = `/v1/pos/${service.seed.posId}/payment-request`;
  const body = { amount: '1', unique_asset_id: service.assets[0]!.unique_asset_id, reference_id: 'order-1' };
  const created: PaymentRequestDto[] = [];
  for (let n = 0; n < PAYMENTS; n += 1) created.push(await service.api.post<PaymentRequestDto>(path, body));
  return created;
}

/** All in one block, and until the merchant was told of each. */
async function payAll(requests: readonly PaymentRequestDto[]): Promise<void> {
  const token = tokenOf(service.assets[0]!.unique_asset_id);
  await service.chain.rpc('evm_setAutomine', [false]);
  for (const { address } of requests) await service.wallet.send(token, address as `0x${string}`, 1_000_000n);
  await service.chain.rpc('evm_setAutomine', [true]);
  await service.chain.mine(1);
  await eventually(
    () => count(`webhooks.deliveries WHERE status = 'delivered'`),
    (delivered) => delivered === PAYMENTS,
  );
}

/** Until each is in the ledger and its merchant was told of both statuses. */
async function finishAll(): Promise<void> {
  await service.chain.mine(CONFIRMATIONS);
  await eventually(
    async () => [
      await count('payments.payment_requests WHERE confirmed_at IS NOT NULL'),
      await count('ledger.transactions'),
      await count(`webhooks.deliveries WHERE status = 'delivered'`),
    ],
    ([confirmed, booked, delivered]) =>
      confirmed === PAYMENTS && booked === PAYMENTS && delivered === 2 * PAYMENTS,
  );
}

const perPayment = (value: number) => Math.round((value / PAYMENTS) * 100) / 100;

function grown(before: Written, after: Written, what: 'rows' | 'table' | 'indexes'): Record<string, number> {
  const differences = [...after.tables].map(
    ([name, table]) => [name, perPayment(table[what] - before.tables.get(name)![what])] as const,
  );
  return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

describe('A payment, from its request to the merchant’s acknowledgement', () => {
  it('writes so many rows, and so many bytes', async () => {
    const start = await written();
    const requests = await createAll();
    const created = await written();
    await payAll(requests);
    const seen = await written();
    await finishAll();
    const end = await written();

    const stages = [
      ['created', start, created],
      ['seen in a block, and told of', created, seen],
      ['final, booked and told of', seen, end],
      ['its whole life', start, end],
    ] as const;
    for (const [stage, from, to] of stages)
      print(`${stage}: ${perPayment(to.walBytes - from.walBytes).toFixed(0)} bytes of WAL`);
    const [ofRows, ofIndexes] = [grown(start, end, 'table'), grown(start, end, 'indexes')];
    for (const name of Object.keys({ ...ofRows, ...ofIndexes }))
      print(`${name}: ${ofRows[name] ?? 0} bytes of rows, ${ofIndexes[name] ?? 0} of indexes`);
    expect(grown(start, created, 'rows')).toEqual({
      'payments.deposit_addresses': 1,
      'payments.payment_requests': 1,
      'payments.status_history': 1,
      'platform.events': 1,
    });
    expect(grown(created, seen, 'rows')).toEqual({
      'payments.received_sums': 1,
      'payments.status_history': 1,
      'payments.transfers': 1,
      'platform.events': 1,
      'webhooks.deliveries': 1,
      'webhooks.delivery_attempts': 1,
      'webhooks.events': 1,
    });
    expect(grown(seen, end, 'rows')).toEqual({
      'ledger.entries': 3,
      'ledger.transactions': 1,
      'payments.status_history': 2,
      'platform.events': 2,
      'settlement.waiting': 1,
      'webhooks.deliveries': 1,
      'webhooks.delivery_attempts': 1,
      'webhooks.events': 1,
    });
  }, 600_000);
});
