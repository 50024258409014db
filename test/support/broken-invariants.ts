import type { Invariant } from '#shared/kernel/invariant.js';
import { verify, type Verdict } from '#app/verify-invariants.js';
import { invariantsByFile } from './source-invariants.js';

/** A table or view behind FROM or JOIN. Aliases of tables are shorter than schemas. */
const READ = /\b(?:FROM|JOIN)\s+(?:ONLY\s+)?([a-z_]{5,}\.[a-z_]+)\b(?!\()/g;

/**
 * The invariants of a file by one statement, for a database whose data nearly always keeps all: one by one they would take three
 * times as long. Files that read only relations without rows are passed over: nothing can be broken there. Only what is
 * broken is asked for again, for its rows.
 * @param query runs one SQL text; each is one of few, and may be planned once
 * @param except names of those that need not hold
 * @returns the others that do not hold
 */
export async function brokenInvariants(
  query: (text: string) => Promise<object[]>,
  except: readonly string[] = [],
): Promise<Verdict[]> {
  const files = await invariantsByFile();
  const read = relationsOf(files.flat());
  const filled = `SELECT name FROM (VALUES ${[...read].map(isFilled).join(', ')}) relation (name, filled) WHERE filled`;
  const withRows = new Set(((await query(filled)) as { name: string }[]).map(({ name }) => name));
  const broken: Invariant[] = [];
  for (const invariants of files) {
    if (![...relationsOf(invariants)].some((relation) => withRows.has(relation))) continue;
    const found = (await query(invariants.map(nameIfBroken).join('\nUNION ALL\n'))) as { name: string }[];
    broken.push(...invariants.filter(({ name }) => found.some((each) => each.name === name)));
  }
  return verify(
    broken.filter(({ name }) => !except.includes(name)),
    query,
  );
}

/** The tables and views that these invariants read. */
function relationsOf(invariants: readonly Invariant[]): Set<string> {
  const names = invariants.map(({ breaches }) => [...breaches.matchAll(READ)].map(([, name]) => name!));
  return new Set(names.flat());
}

const isFilled = (relation: string) => `('${relation}', EXISTS (SELECT FROM ${relation}))`;

const nameIfBroken = ({ name, breaches }: Invariant) =>
  `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM (${breaches}) breach)`;

/** The rows of each of these invariants that does not hold, by its name. */
export async function breachesOf(
  database: { query(text: string): Promise<object[]> },
  invariants: readonly Invariant[],
): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const { name, breaches } of invariants) {
    const rows = await database.query(breaches);
    if (rows.length > 0) found[name] = rows;
  }
  return found;
}
