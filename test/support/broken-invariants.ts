import type { Invariant } from '#shared/kernel/invariant.js';
import { verifyInvariants, type InvariantResult } from '#app/verify-invariants.js';
import { invariantsByFile } from './source-invariants.js';

/** A table or view with its schema, after FROM or JOIN. No alias is as long as the name of a schema. */
const READ = /\b(?:FROM|JOIN)\s+(?:ONLY\s+)?([a-z_]{5,}\.[a-z_]+)\b(?!\()/g;

/**
 * Checks the invariants of each file by one statement: one by one they would take three times as long. A file that reads only tables
 * without rows is skipped, since nothing can be broken there. Only what is broken is read again, for its rows.
 * @param query runs one SQL text; the texts are the same after each test, so that each can be planned once
 * @param except names of those that need not hold
 * @returns the others that do not hold
 */
export async function brokenInvariants(
  query: (text: string) => Promise<object[]>,
  except: readonly string[] = [],
): Promise<InvariantResult[]> {
  const files = await invariantsByFile();
  const read = relationsOf(files.flat());
  const filled = `SELECT name FROM (VALUES ${[...read].map(isFilled).join(', ')}) relation (name, filled) WHERE filled`;
  const withRows = new Set(((await query(filled)) as { name: string }[]).map(({ name }) => name));
  const broken: Invariant[] = [];
  for (const invariants of files) {
    const relations = [...relationsOf(invariants)];
    if (relations.length > 0 && !relations.some((relation) => withRows.has(relation))) continue;
    const found = (await query(invariants.map(nameIfBroken).join('\nUNION ALL\n'))) as { name: string }[];
    broken.push(...invariants.filter(({ name }) => found.some((each) => each.name === name)));
  }
  return verifyInvariants(
    broken.filter(({ name }) => !except.includes(name)),
    query,
  );
}

function relationsOf(invariants: readonly Invariant[]): Set<string> {
  const names = invariants.map(({ breaches }) => [...breaches.matchAll(READ)].map(([, name]) => name!));
  return new Set(names.flat());
}

const isFilled = (relation: string) => `('${relation}', EXISTS (SELECT FROM ${relation}))`;

const nameIfBroken = ({ name, breaches }: Invariant) =>
  `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM (${breaches}) breach)`;

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
