import type { Invariant } from '#shared/kernel/invariant.js';

export interface InvariantResult {
  readonly name: string;
  readonly promise: string;
  /** The first rows that violate the invariant. Empty if the invariant holds. */
  readonly breaches: readonly object[];
}

const SHOWN = 20;

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

/** True if archived events would look like violations of the invariant. */
export function needsWholeLog({ breaches, holdsWithoutArchive }: Invariant): boolean {
  return holdsWithoutArchive !== true && /\bplatform\.events\b/.test(breaches);
}
