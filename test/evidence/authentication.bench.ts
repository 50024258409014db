import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/postgres-credential-proofs.js';
import { executed } from '../support/plans.js';
import { isBackground, StatementCounter } from '../support/statement-counter.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { median, pairedDifferences, row, shown } from './measures.js';
import { ask, startProgram } from './programs.js';

/** The long form is `npm run evidence -- authentication`. */
const LONG = process.env['EVIDENCE'] === 'long';
const PAIRS = LONG ? 25 : 1;
/** A leg has few requests, so that what else the machine does strikes neighbouring legs alike. */
const REQUESTS = LONG ? 400 : 40;
const [FEW, MANY] = LONG ? [100, 100_000] : [100, 5_000];
/** More tokens than a process remembers as proven, so that each is proven anew. */
const NEW_TOKENS = LONG ? 12_000 : REQUESTS;
const CONNECTIONS = 8;
const POOL = 4;

type Headers = Record<string, string>;

/** The last of as many ranges as a credential may have is the caller's. */
const RANGES = [...Array.from({ length: 99 }, (_, n) => `203.0.113.${n}`), '127.0.0.0/8'];
const KINDS: readonly { readonly name: string; readonly headers: () => Promise<Headers[]> }[] = [
  { name: 'a token that this process has seen', headers: () => newCredential() },
  { name: 'the same, with an allowlist of 100 ranges', headers: () => newCredential(RANGES) },
  { name: 'a token that it has not seen', headers: () => tokensOf(NEW_TOKENS) },
];

let database: TestDatabase;
let client: pg.Client;
let counter: StatementCounter;
let server: ChildProcess;
let load: ChildProcess;
let url: string;
let owner: { organizationId: string; accountId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  counter = await StatementCounter.open(database.url);
  server = startProgram('authentication-server');
  load = startProgram('full-load');
  const opened = { databaseUrl: counter.url, connections: POOL };
  const { port, ...ids } = await say<{ port: number } & typeof owner>('open', opened);
  owner = ids;
  url = `http://127.0.0.1:${port}`;
}, 120_000);

afterAll(async () => {
  for (const child of [server, load]) child?.kill();
  counter?.end();
  await client?.end();
  await database?.drop();
});

async function say<T>(what: string, asked: object = {}): Promise<T> {
  return (await ask<{ answer: T }>(server, { what, ...asked })).answer;
}

async function newCredential(allowedAddresses: readonly string[] = []): Promise<Headers[]> {
  const { organizationId } = owner;
  return [await say<Headers>('credential', { organizationId, allowedAddresses })];
}

/** Takes the tokens of so many of the credentials that are stored. */
async function tokensOf(count: number): Promise<Headers[]> {
  const { rows } = await client.query<{ id: string; keyId: string }>(
    'SELECT id, key_id AS "keyId" FROM identity.credentials ORDER BY id LIMIT $1',
    [count],
  );
  return say<Headers[]>('tokens', { credentials: rows });
}

/** @returns microseconds of the server's processor time for a request */
async function costOf(path: string, headers: readonly Headers[]): Promise<number> {
  const before = await say<number>('cpu');
  const calls = headers.map((each) => ({ method: 'GET', path, headers: each }));
  const asked = { url, calls, connections: CONNECTIONS, count: REQUESTS };
  const { answers } = await ask<{ answers: Record<string, number> }>(load, asked);
  expect(answers).toEqual({ 200: REQUESTS });
  return ((await say<number>('cpu')) - before) / REQUESTS;
}

describe('The statement that reads a credential', () => {
  /** To so many in all, half of them of one account; with the last one's key id. */
  async function fill(count: number): Promise<string> {
    await client.query(
      `INSERT INTO identity.credentials (id, key_id, secret_digest, organization_id, account_id, name, roles, created_at, updated_at)
       SELECT id, 'svc.dev.' || id, sha256(id::text::bytea), $1, CASE WHEN n % 2 = 0 THEN $2::uuid END, 'Till', '{read}', now(), now()
       FROM generate_series((SELECT count(*) FROM identity.credentials) + 1, $3) n, LATERAL (SELECT gen_random_uuid() AS id OFFSET 0 * n) made`,
      [owner.organizationId, owner.accountId, count],
    );
    await client.query('VACUUM ANALYZE identity.credentials');
    const { rows } = await client.query<{ key: string; count: string }>(
      'SELECT max(key_id) AS key, count(*) FROM identity.credentials',
    );
    expect(Number(rows[0]!.count)).toBe(count);
    return rows[0]!.key;
  }

  it('reads no more blocks with many credentials than with few, but for the levels of its index', async () => {
    const blocks: number[] = [];
    for (const count of [FEW, MANY]) {
      const key = await fill(count);
      const read = () => executed(client, READ_CREDENTIAL, ['text'], [`'${key}'`]);
      // The first of a connection also reads the catalogue.
      await read();
      blocks.push((await read()).blocks);
    }

    process.stdout.write(`Blocks of ${FEW} and of ${MANY} credentials: ${blocks.join(', ')}\n`);
    // 100,000 key ids make an index of three levels, a hundred one of one.
    expect(blocks[1]! - blocks[0]!).toBeLessThanOrEqual(2);
  }, 300_000);
});

describe('Proving who calls', () => {
  it.each(KINDS)(
    'takes one statement and little beside it: $name',
    async ({ name, headers: issue }) => {
      const headers = await issue();
      // By turns: a leg goes on where the last one of its path ended.
      const turns = { '/bare': 0, '/proven': 0 };
      const leg = (path: keyof typeof turns) => () => {
        const from = (turns[path] * REQUESTS) % headers.length;
        turns[path] += 1;
        return costOf(path, [...headers, ...headers].slice(from, from + Math.min(REQUESTS, headers.length)));
      };
      const [bare, proven] = [leg('/bare'), leg('/proven')];
      await bare();

      const texts = (await counter.during(proven)).filter((text) => !isBackground(text));
      const added = await pairedDifferences(PAIRS, bare, proven);
      const noise = await pairedDifferences(PAIRS, bare, bare);

      const text = headers[0]!['authorization']!;
      const hmac = await say<number>('hmac', { times: LONG ? 50_000 : 500, text });
      process.stdout.write(
        row('request with', 'µs added', 'without it beside without it', 'an HMAC') +
          row(name, shown(added, 0), shown(noise, 0), hmac.toFixed(1)),
      );
      expect([texts.length, new Set(texts)]).toEqual([REQUESTS, new Set([READ_CREDENTIAL])]);
      if (LONG) expect(median(added)).toBeLessThan(headers.length === 1 ? 100 : 400);
    },
    900_000,
  );

  it('asks nothing of the database for a token that is not this service’s', async () => {
    const [headers] = await newCredential();
    const forged = { ...headers, authorization: `${headers!['authorization']}A` };

    const texts = await counter.during(async () => {
      const { status } = await fetch(`${url}/proven`, { headers: forged });
      expect(status).toBe(401);
    });

    expect(texts.filter((text) => !isBackground(text))).toEqual([]);
  });
});
