import type { Invariant } from '#shared/kernel/invariant.js';

export interface InvariantResult {
  readonly name: string;
  readonly promise: string;
  readonly breaches: readonly object[];
}

const MAX_SHOWN_BREACHES = 20;

export async function verifyInvariants(
  invariants: readonly Invariant[],
  query: (text: string) => Promise<object[]>,
): Promise<InvariantResult[]> {
  const verdicts: InvariantResult[] = [];
  for (const { name, promise, breaches } of invariants) {
    verdicts.push({
      name,
      promise,
      breaches: await query(`SELECT * FROM (${breaches}) breach LIMIT ${MAX_SHOWN_BREACHES}`),
    });
  }
  return verdicts;
}

export function needsCompleteEventLog({ breaches, holdsWithoutArchive }: Invariant): boolean {
  return holdsWithoutArchive !== true && /\bplatform\.events\b/.test(breaches);
}
