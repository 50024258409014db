/** An open request of a physical point of sale that nobody has paid yet. */
export interface UnpaidRequest {
  /** A payer has opened it by the printed code and typed its amount. */
  readonly byPayer: boolean;
  /** Null for a request without a hosted page. */
  readonly sessionId: string | null;
  /** An authorization that its payer has signed is queued or sent: its transfer would come too late, and become a deposit. */
  readonly isSigned: boolean;
  readonly createdAt: Date;
}

/** A payer's request is not ended by another payer before it is so many seconds old. */
export const UNDISTURBED_SECONDS = 120;
/** Nobody's amount ends a request while its signed payment is under way. The payer is asked to try again after so many seconds. */
const SIGNED_SECONDS = 30;

/** Names whose request a payer may not end now; a payer's with the seconds to wait. */
export type Occupied = { readonly by: 'merchant' } | { readonly by: 'payer'; readonly seconds: number };

/**
 * A new request ends the open one of a physical point of sale. A payer's may not end one of the merchant, nor one that another
 * payer has just begun, to whose address money may be on its way.
 * @param replaces the session that the payer has opened before
 * @returns null where the payer may end it
 */
export function occupiedBy(open: UnpaidRequest, replaces: string | undefined, now: Date): Occupied | null {
  if (!open.byPayer) return { by: 'merchant' };
  if (open.isSigned) return { by: 'payer', seconds: SIGNED_SECONDS };
  if (open.sessionId === replaces) return null;
  const age = (now.getTime() - open.createdAt.getTime()) / 1_000;
  return age >= UNDISTURBED_SECONDS ? null : { by: 'payer', seconds: Math.ceil(UNDISTURBED_SECONDS - age) };
}
