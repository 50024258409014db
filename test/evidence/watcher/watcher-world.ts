import { fork, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import pg from 'pg';
import { getAddress } from 'viem';
import { MADE_UP_TERMS, MOVED_CLOCK } from '../../support/partial-worlds.js';
import { brokenInvariants } from '../../support/broken-invariants.js';
import { openTestDatabase, type TestPlatform } from '../../support/open-database.js';
import { answer, ask, PROGRAMS } from '../programs.js';
import { OPEN, TOKENS, type Measured, type Read, type ServedChain } from './watcher-chain.js';

const NETWORK = 'sandbox';
const SYMBOLS = ['USDA', 'USDB', 'USDC'];
const DOLLAR = `n${NETWORK}_t${getAddress(TOKENS[0] as `0x${string}`)}`;

export interface Watched extends Measured {
  readonly turns: number;
  /** The time of the database's processes; 0 where the system does not show it. */
  readonly databaseCpuMs: number;
  readonly statements: readonly string[];
  /** Milliseconds waited for each. */
  readonly spent: {
    readonly reading: number;
    readonly confirmationRead: number;
    readonly statements: number;
  };
}

/** Megabytes. */
export interface Peak {
  readonly peak: { readonly rss: number; readonly heap: number };
}

/** One in a hundred of the recipients was issued. */
export function recipientsOfBlocks(count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const digest = createHash('sha256').update(i % 100 === 0 ? `address ${i}` : `stranger ${i}`);
    return `0x${digest.digest('hex').slice(0, 40)}`;
  });
}

/** A watcher in a process of its own, on a database of its own with that many issued addresses. */
export class WatchedDatabase {
  private constructor(
    readonly platform: TestPlatform,
    readonly addresses: number,
    private readonly watcher: ChildProcess,
    private readonly chain: ServedChain,
  ) {}

  /** @param confirmations until a block is final */
  static async open(
    chain: ServedChain,
    addresses: number,
    confirmations: number,
    patience: object = {},
  ): Promise<WatchedDatabase> {
    const platform = await openTestDatabase();
    await fill(platform.url, addresses);
    const network = {
      finality: { confirmations },
      max_lag_seconds: 86_400,
      assets: TOKENS.map((token, i) => ({
        ...{ token, symbol: SYMBOLS[i], name: SYMBOLS[i], decimals: 6, minimum_amount: '0.01' },
      })).concat(
        chain.shape.native === true
          ? [{ token: 'ETH', symbol: 'ETH', name: 'Ether', decimals: 18, minimum_amount: '0.001' }]
          : [],
      ),
    };
    const urls = [`${chain.url}/one`, `${chain.url}/two`];
    const start = { databaseUrl: platform.url, urls, network, patience };
    const watcher = fork(join(PROGRAMS, 'watcher', 'watcher-program.ts'), [JSON.stringify(start)], {
      execArgv: [
        ...['--import', join(process.cwd(), 'test', 'support', 'typescript-loader.mjs')],
        ...[
          '--disable-warning=ExperimentalWarning',
          ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []),
        ],
      ],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await answer(watcher);
    return new WatchedDatabase(platform, addresses, watcher, chain);
  }

  /** Watches from the block at height 0, everything unread. @param to the head that the node shows */
  async watch(to: number): Promise<Watched> {
    await this.forget();
    await this.chain.moveTo(0);
    await this.turn();
    await this.chain.moveTo(to);
    const before = await this.databaseCpuMs();
    const watched = await ask<Watched>(this.watcher, { watch: 1_000_000 });
    const after = [...(await this.databaseCpuMs())];
    const databaseCpuMs = after.reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
    return { ...watched, databaseCpuMs };
  }

  /** The time is kept by process: the pool ends connections that were idle for long, and begins others. */
  private async databaseCpuMs(): Promise<ReadonlyMap<number, number>> {
    const rows = await this.platform.database.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bench'`,
    );
    return new Map(rows.map(({ pid }) => [pid, cpuMsOf(pid)]));
  }

  /** One turn, from where the last one ended. */
  turn(turns = 1): Promise<Watched> {
    return ask<Watched>(this.watcher, { watch: turns });
  }

  /** So many turns, and most of what the watcher had in memory. */
  sampledTurns(turns: number): Promise<Watched & { readonly failed?: string } & Peak> {
    return ask(this.watcher, { watch: turns, sample: true });
  }

  /** Reading alone. */
  async read(to: number, atATime: number): Promise<Read> {
    await this.chain.moveTo(this.chain.shape.blocks);
    return ask<Read>(this.watcher, { read: [1, to, atATime, this.addresses] });
  }

  /** Reads what is recorded: transfers, how many of them final, requests that ended paid, and where the cursor stands. */
  async recorded(): Promise<
    Record<'transfers' | 'final' | 'completed' | 'blocks' | 'head' | 'finalNumber', number>
  > {
    const [row] = await this.platform.database.query<Record<string, string>>(
      `SELECT (SELECT count(*) FROM payments.transfers WHERE counted) AS transfers,
         (SELECT count(*) FROM payments.transfers WHERE final) AS final,
         (SELECT count(*) FROM payments.payment_requests WHERE status = 'completed') AS completed,
         (SELECT count(*) FROM payments.blocks) AS blocks,
         (SELECT head_number FROM payments.chain_cursors) AS head,
         (SELECT final_number FROM payments.chain_cursors) AS final_number`,
    );
    return Object.fromEntries(Object.entries(row!).map(([name, value]) => [name, Number(value)])) as never;
  }

  /** Nothing is read yet, and the tables are as if nothing ever had been. */
  async forget(): Promise<void> {
    await onServer(this.platform.url, [
      `BEGIN`,
      // History, events and receipts are append-only for everybody else.
      `SET LOCAL session_replication_role = replica`,
      `CREATE TEMP TABLE paid ON COMMIT DROP AS SELECT DISTINCT payment_request_id AS id FROM payments.transfers`,
      `TRUNCATE payments.transfers, payments.receipts, payments.settlement_holds, payments.blocks, payments.chain_cursors`,
      `DELETE FROM payments.status_history WHERE step > 1 AND payment_request_id IN (SELECT id FROM paid)`,
      `DELETE FROM platform.events WHERE aggregate_id IN (SELECT id FROM paid) AND data ->> 'status' IS DISTINCT FROM 'created'`,
      `UPDATE payments.payment_requests SET status = 'created', received_amount = 0, confirmed_at = NULL, version = 1
       WHERE id IN (SELECT id FROM paid)`,
      `COMMIT`,
      `VACUUM (ANALYZE) payments.payment_requests`,
      `VACUUM (ANALYZE) payments.status_history`,
      `VACUUM (ANALYZE) platform.events`,
      `VACUUM (ANALYZE) payments.transfers`,
    ]);
  }

  /** Only where every issued address is open: the others have no history. */
  async expectInvariants(): Promise<void> {
    // No ledger reads here what was confirmed, and the events of made-up requests say nothing of their addresses.
    const except = [
      'ledger-confirmed-posted-once',
      'addresses-match-events',
      ...MADE_UP_TERMS,
      ...MOVED_CLOCK,
    ];
    expect(await brokenInvariants((text) => this.platform.database.rows(text), except)).toEqual([]);
  }

  async close(): Promise<void> {
    const gone = once(this.watcher, 'exit');
    this.watcher.disconnect();
    await gone;
    await this.platform.close('any');
  }
}

/** The first are open, the others ended long ago, as of a service that has run for years. */
async function fill(url: string, addresses: number): Promise<void> {
  const requests = `SELECT i, md5('request ' || i)::uuid AS id,
      '0x' || substr(encode(sha256(('address ' || i)::bytea), 'hex'), 1, 40) AS address
    FROM generate_series(0, ${addresses - 1}) AS i`;
  const tenant = `md5('organization')::uuid, md5('account')::uuid`;
  const someone = `'0x' || repeat('5e', 20)`;
  await onServer(url, [
    `INSERT INTO identity.organizations (id, name, created_at, updated_at)
     VALUES (md5('organization')::uuid, 'Organization', platform.now(), platform.now())`,
    `INSERT INTO identity.accounts (id, organization_id, name, created_at, updated_at)
     VALUES (md5('account')::uuid, md5('organization')::uuid, 'Account', platform.now(), platform.now())`,
    `INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
       unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
     SELECT id, ${tenant}, md5('pos')::uuid, 'fixed', CASE WHEN i < ${OPEN} THEN 'created' ELSE 'expired' END,
       '${NETWORK}', '${DOLLAR}', 'USDA', 6, 10000000, 'naspip;none', '2026-01-01', '2036-01-01', '2036-01-02'
     FROM (${requests}) r`,
    `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
       unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient,
       fee_basis_points, created_at)
     SELECT '${NETWORK}', address, id, ${tenant}, '${DOLLAR}', '{}', md5('terms')::uuid,
       ${someone}, ${someone}, 100, '2026-01-01' FROM (${requests}) r`,
    `INSERT INTO payments.status_history (payment_request_id, step, status, at)
     SELECT id, 1, 'created', '2026-01-01' FROM (${requests}) r WHERE i < ${OPEN}`,
    `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     SELECT gen_random_uuid(), 'payment_request.status_changed', id, ${tenant}, '2026-01-01', '{"status": "created"}'
     FROM (${requests}) r WHERE i < ${OPEN}`,
    `VACUUM (ANALYZE)`,
  ]);
}

/** Linux's `/proc` counts in hundredths of a second. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}

/** @returns the rows of each */
async function onServer(url: string, statements: readonly string[]): Promise<object[][]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const answers: object[][] = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows);
    return answers;
  } finally {
    await client.end();
  }
}
