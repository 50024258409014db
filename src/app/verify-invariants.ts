import type { Invariant } from '#shared/kernel/invariant.js';

export interface InvariantResult {
  readonly name: string;
  readonly promise: string;
  /** The first rows that break it; empty when it holds. */
  readonly breaches: readonly object[];
}

const SHOWN = 20;

/**
 * Checks invariants on the data as it is now, each by one query.
 * @param query runs one SQL text
 */
export async function verify(
  invariants: readonly Invariant[],
  query: (text: string) => Promise<object[]>,
): Promise<InvariantResult[]> {
  const verdicts: InvariantResult[] = [];
  for (const { name, promise, breaches } of invariants) {
    verdicts.push({
      name,
      promise,
      breaches: await query(`SELECT * FROM (${breaches}) breach LIMIT ${SHOWN}`),
    });
  }
  return verdicts;
}

/** True where it reads events that may be archived: it would find a breach for each of them. */
export function needsWholeLog({ breaches, holdsWithoutArchive }: Invariant): boolean {
  return holdsWithoutArchive !== true && /\bplatform\.events\b/.test(breaches);
}
