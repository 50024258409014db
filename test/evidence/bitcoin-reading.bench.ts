import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AssembledBlock, REGTEST_BITS, assembleBlock } from '#shared/bitcoin/assemble-block.js';
import { assembleTransaction } from '#shared/bitcoin/assemble-transaction.js';
import {
  BITCOIN_NETWORK as NETWORK,
  bitcoinLayer,
  ownOf,
  recipient,
} from '#contexts/networks/testing/bitcoin/bitcoin-layer.js';
import { PostgresRecordedTransfers } from '#contexts/payments/infrastructure/watching/persistence/postgres-recorded-transfers.js';
import { Database } from '#shared/platform/database/database.js';
import { PlanDatabase } from '../support/plan-database.js';
import { executed } from '../support/plans.js';
import { comparedWith, row, shown } from './measures.js';
import { readBare } from './bitcoin-reading/bare-loop.js';

/** The long form is `npm run evidence -- bitcoin-reading`. */
const LONG = process.env['EVIDENCE'] === 'long';
const PAIRS = LONG ? 9 : 1;
const BLOCKS = LONG ? 20 : 3;
const TRANSACTIONS = LONG ? 3_000 : 300;
/** Readings before the first that counts. */
const WARM = LONG ? 2 : 0;
const AT_ONCE = 10;
/** Issued addresses of two networks, and the recipients of one block, one in a hundred of which is issued. */
const ISSUED = LONG ? { few: 10_000, many: 1_000_000 } : { few: 10_000, many: 20_000 };
const RECIPIENTS = 7_000;
/** The index of a million addresses has three; half a block more is read for what is found. */
const LEVELS = 3.5;
const OWN = recipient('01');
const PATIENCE_MS = 600_000;

let worker: Worker;
let url: string;

/** Digits that look like those of a hash. */
const digits = (of: string, bytes: number) =>
  createHash('sha512')
    .update(of)
    .digest('hex')
    .slice(0, 2 * bytes);

/** The kinds of outputs in about the shares that blocks have. */
function scriptOf(number: string): string {
  const kind = Number.parseInt(digits(number, 1), 16) % 10;
  if (kind < 5) return `0014${digits(number, 20)}`;
  if (kind < 8) return `5120${digits(number, 32)}`;
  return kind === 8 ? `76a914${digits(number, 20)}88ac` : `a914${digits(number, 20)}87`;
}

function blockAfter(parentHash: string, height: number): AssembledBlock {
  const witness = [Buffer.alloc(71, 0x30), Buffer.alloc(33, 2)];
  const transactions = Array.from({ length: TRANSACTIONS }, (_, i) => {
    const name = `${height} ${i}`;
    // One transaction of a block pays us.
    const scripts = [i === height ? OWN.script : scriptOf(`${name} 0`), scriptOf(`${name} 1`)];
    if (i % 3 === 0) scripts.push(scriptOf(`${name} 2`));
    return assembleTransaction({
      inputs: [0, 1].map((vout) => ({ txid: digits(name, 32), vout, witness })),
      outputs: scripts.map((script) => ({ script, amount: 5_000n })),
    });
  });
  return assembleBlock({
    ...{ parentHash, height, stamp: 1_900_000_000 + height * 600, bits: REGTEST_BITS, transactions },
    payTo: { script: scriptOf(`${height}`), amount: 5n },
  });
}

beforeAll(async () => {
  const blocks: AssembledBlock[] = [];
  for (let height = 0; height < BLOCKS; height += 1)
    blocks.push(blockAfter(blocks.at(-1)?.hash ?? '00'.repeat(32), height));
  const known = blocks.map(({ hash, header, bytes }) => ({
    ...{ hash, header: header.toString('hex'), bytes: bytes.toString('hex') },
  }));
  worker = new Worker(new URL('bitcoin-reading/block-server.mjs', import.meta.url), {
    workerData: { blocks: known },
  });
  const [port] = (await once(worker, 'message')) as [number];
  url = `http://127.0.0.1:${port}`;
}, PATIENCE_MS);
afterAll(() => worker?.terminate());

/** Processor time of this thread, in milliseconds a block: what else the machine does is not in it. */
async function costOf(work: () => Promise<number>): Promise<number> {
  const before = process.threadCpuUsage();
  expect(await work()).toBe(BLOCKS);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / BLOCKS;
}

/** The service reads them in a process that knows none of them yet. @returns how many of our outputs it finds */
async function readByService(): Promise<number> {
  const { reader } = bitcoinLayer([url]);
  const { head } = await reader.head(NETWORK);
  let found = 0;
  for (let from = 0; from <= head.number; from += AT_ONCE) {
    const blocks = await reader.blocks(NETWORK, from, head.number, null, ownOf([OWN.address]));
    for (const { transfers } of blocks) found += transfers.length;
  }
  return found;
}

const bare = () => costOf(() => readBare(url, BLOCKS, new Set([OWN.script])));
const service = () => costOf(readByService);

describe(`Blocks of ${TRANSACTIONS} transactions`, () => {
  it(
    'are read and proven for a multiple of what a bare loop takes that hashes them too',
    async () => {
      for (let i = 0; i < WARM; i += 1) await bare().then(service);
      const { ratios, noise, limits, ours } = await comparedWith(PAIRS, bare, service);
      process.stdout.write(
        row('times a bare loop', 'that beside itself', 'ms a block', 'of the bare loop') +
          row(shown(ratios), shown(noise), shown(ours, 1), shown(limits, 1)),
      );
    },
    PATIENCE_MS,
  );
});

/** Notes the statement and finds nothing. */
class Noted extends Database {
  text = '';
  values: readonly unknown[] = [];

  override query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    [this.text, this.values] = [text, values];
    return Promise.resolve([]);
  }
}

const addressAt = (prefix: string) =>
  `'bcrt1' || left(encode(sha256(('${prefix} ' || n)::bytea), 'hex'), 39)`;

describe(`A question about ${RECIPIENTS} recipients`, () => {
  const database = new PlanDatabase(async (client) => {
    for (const [network, count] of Object.entries(ISSUED))
      await client.query(
        `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id,
           unique_asset_id, derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
         SELECT '${network}', ${addressAt('issued')}, id, id, id, 'coin', '{}', id, 'wpkh()', '', 0, platform.now()
         FROM (SELECT n, md5('${network} ' || n)::uuid AS id FROM generate_series(1, ${count}) n) r`,
      );
    await client.query('VACUUM (ANALYZE) payments.deposit_addresses');
  });

  it('reads as many rows among many issued addresses as among few, by one way down an index each', async () => {
    const { client } = database;
    const { rows } = await client.query<{ address: string }>(
      `SELECT CASE WHEN n % 100 = 0 THEN ${addressAt('issued')} ELSE ${addressAt('stranger')} END AS address
       FROM generate_series(1, ${RECIPIENTS}) n`,
    );
    const read = async (network: string) => {
      const noted = new Noted(undefined as never);
      await new PostgresRecordedTransfers(noted).owners(network, rows);
      const [, addresses, tags] = noted.values as [string, string[], string[]];
      const values = [
        `'${network}'`,
        `'{${addresses.join()}}'`,
        `'{${tags.map((tag) => `"${tag}"`).join()}}'`,
      ];
      const types = ['text', 'text[]', 'text[]'];
      return executed(client, noted.text, types, values, 'force_generic_plan');
    };
    const [few, many] = [await read('few'), await read('many')];
    const rowsOf = ({ scans }: Awaited<ReturnType<typeof read>>) =>
      scans.reduce((sum, scan) => sum + scan.rows, 0);
    process.stdout.write(
      row('addresses issued', 'rows read', 'blocks read') +
        row(`${ISSUED.few}`, `${rowsOf(few)}`, `${few.blocks}`) +
        row(`${ISSUED.many}`, `${rowsOf(many)}`, `${many.blocks}`),
    );

    expect([rowsOf(few), rowsOf(many)]).toEqual([RECIPIENTS / 100, RECIPIENTS / 100]);
    // Each recipient costs at most the way down one tree, among however many.
    expect(many.blocks).toBeLessThan(RECIPIENTS * LEVELS);
  });
});
