import type { Invariant } from '#shared/kernel/invariant.js';
import { verify, type Verdict } from '#app/verify-invariants.js';
import { sourceInvariants } from './source-invariants.js';

/**
 * Every invariant by one statement, for a database whose data nearly always keeps all: one by one they would take three
 * times as long. Only what is broken is asked for again, for its rows.
 * @param query runs one SQL text; the first is the same whatever is excepted, and may be planned once
 * @param except names of those that need not hold
 * @returns the others that do not hold
 */
export async function brokenInvariants(
  query: (text: string) => Promise<object[]>,
  except: readonly string[] = [],
): Promise<Verdict[]> {
  const invariants = await sourceInvariants();
  const broken = await query(
    invariants
      .map(({ name, breaches }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT FROM (${breaches}) breach)`)
      .join('\nUNION ALL\n'),
  );
  const names = new Set((broken as { name: string }[]).map(({ name }) => name));
  return verify(
    invariants.filter(({ name }) => names.has(name) && !except.includes(name)),
    query,
  );
}

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
