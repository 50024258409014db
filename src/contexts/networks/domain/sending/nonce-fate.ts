/** What was seen of one stored attempt at one endpoint. */
export type AttemptSighting =
  | {
      readonly kind: 'mined';
      readonly blockHash: string;
      readonly isFinal: boolean;
      readonly succeeded: boolean;
    }
  | { readonly kind: 'not_mined' }
  /** No good answer: nothing is concluded from it. */
  | { readonly kind: 'unanswered' };

export type NonceFate =
  | { readonly kind: 'mined' | 'final' | 'reverted'; readonly attempt: number }
  | { readonly kind: 'waiting' | 'foreign' | 'unknown' };

/**
 * What became of a nonce. Silence never makes it somebody else's, and endpoints that contradict each other about a final block
 * decide nothing: a call that is given a new nonce while its old one can still be mined would be done twice.
 * @param sightings of each attempt, in their order, by each endpoint that was asked
 * @param finalCounts transactions of the account up to the final block, by each endpoint; null where it did not answer. To be
 *   asked before the sightings: one that is mined between the two would seem to be somebody else's
 */
export function nonceFate(
  nonce: number,
  sightings: readonly (readonly AttemptSighting[])[],
  finalCounts: readonly (number | null)[],
): NonceFate {
  const mined = sightings.flatMap((ofAttempt, attempt) =>
    ofAttempt.filter((sighting) => sighting.kind === 'mined').map((sighting) => ({ attempt, ...sighting })),
  );
  const [final, ...others] = mined.filter(({ isFinal }) => isFinal);
  if (final !== undefined) {
    const isAgreed = others.every(
      ({ attempt, blockHash, succeeded }) =>
        attempt === final.attempt && blockHash === final.blockHash && succeeded === final.succeeded,
    );
    if (!isAgreed) return { kind: 'unknown' };
    return { kind: final.succeeded ? 'final' : 'reverted', attempt: final.attempt };
  }
  if (mined[0] !== undefined) return { kind: 'mined', attempt: mined[0].attempt };
  const isSilent = sightings.flat().some(({ kind }) => kind === 'unanswered') || finalCounts.includes(null);
  const isUnasked = sightings.some((ofAttempt) => ofAttempt.length < finalCounts.length);
  if (isSilent || isUnasked || finalCounts.length === 0) return { kind: 'unknown' };
  return { kind: finalCounts.every((count) => count! > nonce) ? 'foreign' : 'waiting' };
}
