import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { MIGRATIONS } from '#app/migrate.js';
import { schemaDump } from '../support/schema-dump.js';
import { createTestDatabase } from '../support/test-database.js';

/** The last commit with the sixteen migrations. */
const BEFORE = '74f7683';
const LIST = new URL('../../docs/schema-renames.md', import.meta.url);

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Not so in a shallow clone. */
function historyIsHere(): boolean {
  try {
    return git('cat-file', '-t', BEFORE).trim() === 'commit';
  } catch {
    return false;
  }
}
const compared = historyIsHere() || process.env['EVIDENCE'] === 'long' ? it : it.skip;

function migrationsBefore(): string[] {
  const files = git('ls-tree', '--name-only', BEFORE, 'migrations/').trim().split('\n');
  return files.sort().map((file) => git('show', `${BEFORE}:${file}`));
}

function baseline(): string[] {
  return readdirSync(MIGRATIONS)
    .filter((file) => /^17638\d+-/.test(file))
    .sort()
    .map((file) => readFileSync(new URL(file, MIGRATIONS), 'utf8'));
}

async function dumpOf(migrations: readonly string[]): Promise<string[]> {
  const database = await createTestDatabase('template0');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    for (const sql of migrations) await client.query(sql);
    return await schemaDump(async (text) => (await client.query<{ line: string }>(text)).rows);
  } finally {
    await client.end();
    await database.drop();
  }
}

/** The cells of each row of a section's table, without their backticks. */
function rows(section: string): string[][] {
  const text = readFileSync(LIST, 'utf8').split(`## ${section}\n`)[1]!.split('\n## ')[0]!;
  return text
    .split('\n')
    .filter((line) => /^\|.*`/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) =>
      cells.map((cell) =>
        cell
          .trim()
          .replace(/^`(.*)`$/, '$1')
          .replaceAll('\\|', '|'),
      ),
    );
}

/** The dump of before as the list says that it is afterwards. @throws where a row of the list applies to nothing */
function asListed(before: readonly string[]): string[] {
  let lines = [...before];
  for (const [, from, to] of rows('Renamed')) {
    const word = new RegExp(`\\b${from}\\b`, 'g');
    if (!lines.some((line) => line.search(word) >= 0)) throw new Error(`Nothing is named ${from}.`);
    lines = lines.map((line) => line.replace(word, to!));
  }
  for (const [from, to] of [...rows('Other differences'), ...rows('For chain families')]) {
    if (from !== '-' && !lines.includes(from!)) throw new Error(`There is no such object: ${from}`);
    lines = lines.filter((line) => line !== from);
    if (to !== '-') lines.push(to!);
  }
  return lines.sort();
}

describe('The baseline', () => {
  compared('is the schema of the sixteen migrations before it, but for the listed differences', async () => {
    const [before, after] = [await dumpOf(migrationsBefore()), await dumpOf(baseline())];

    const listed = asListed(before);
    process.stdout.write(`${before.length} objects before, ${after.length} after.\n`);

    expect(after.filter((line) => !listed.includes(line))).toEqual([]);
    expect(listed.filter((line) => !after.includes(line))).toEqual([]);
  });
});
