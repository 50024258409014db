import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_CREDENTIAL } from '#contexts/identity/infrastructure/credentials/persistence/credential-lookup.js';
import { isBackground, StatementCounter } from '../support/statement-counter.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { median, pairedDifferences, row, shown } from './measures.js';
import { ask, startProgram } from './programs.js';

const LONG = process.env['EVIDENCE'] === 'long';
const PAIRS = LONG ? 25 : 1;
/** Legs are short, so that other load on the machine affects neighboring legs equally. */
const REQUESTS = LONG ? 400 : 40;
const CONNECTIONS = 8;
const POOL = 4;

type Headers = Record<string, string>;

/** The most ranges that a credential may have. The last one contains the caller. */
const RANGES = [...Array.from({ length: 99 }, (_, n) => `203.0.113.${n}`), '127.0.0.0/8'];

let database: TestDatabase;
let counter: StatementCounter;
let server: ChildProcess;
let load: ChildProcess;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  counter = await StatementCounter.open(database.url);
  server = startProgram('authentication-server.ts');
  load = startProgram('full-load.mjs');
  const { port } = await say<{ port: number }>('open', { databaseUrl: counter.url, connections: POOL });
  url = `http://127.0.0.1:${port}`;
}, 120_000);

afterAll(async () => {
  for (const child of [server, load]) child?.kill();
  counter?.end();
  await database?.drop();
});

async function say<T>(what: string, asked: object = {}): Promise<T> {
  return (await ask<{ answer: T }>(server, { what, ...asked })).answer;
}

async function costOf(path: string, headers: Headers): Promise<number> {
  const before = await say<number>('cpu');
  const calls = [{ method: 'GET', path, headers }];
  const asked = { url, calls, connections: CONNECTIONS, count: REQUESTS };
  const { answers } = await ask<{ answers: Record<string, number> }>(load, asked);
  expect(answers).toEqual({ 200: REQUESTS });
  return ((await say<number>('cpu')) - before) / REQUESTS;
}

describe('Authentication', () => {
  it.each([
    ['any address', []],
    ['100 ranges', RANGES],
  ])(
    'sends one statement, and takes little CPU time with an allowlist of %s',
    async (name, ranges) => {
      const headers = await say<Headers>('credential', { allowedAddresses: ranges });
      const [bare, proven] = [() => costOf('/bare', headers), () => costOf('/proven', headers)];
      await bare();

      const texts = (await counter.during(proven)).filter((text) => !isBackground(text));
      const added = await pairedDifferences(PAIRS, bare, proven);
      const noise = await pairedDifferences(PAIRS, bare, bare);

      const hmac = await say<number>('hmac', {
        times: LONG ? 50_000 : 500,
        text: headers['authorization']!,
      });
      process.stdout.write(
        row('allowlist', 'µs added', 'without it beside without it', 'an HMAC') +
          row(name, shown(added, 0), shown(noise, 0), hmac.toFixed(1)),
      );
      expect([texts.length, new Set(texts)]).toEqual([REQUESTS, new Set([READ_CREDENTIAL])]);
      if (LONG) expect(median(added)).toBeLessThan(100);
    },
    900_000,
  );

  it('rejects a forged token without a statement', async () => {
    const headers = await say<Headers>('credential');
    const forged = { ...headers, authorization: `${headers['authorization']}A` };

    const texts = await counter.during(async () => {
      const { status } = await fetch(`${url}/proven`, { headers: forged });
      expect(status).toBe(401);
    });

    expect(texts.filter((text) => !isBackground(text))).toEqual([]);
  });
});
