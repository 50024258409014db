/**
 * How far a call is that was given to a key's account to send. It keeps one nonce from first to last.
 *
 * - `reserved`: it has its nonce.
 * - `signed`: an attempt is stored, and from then on may have been sent.
 * - `broadcast`: an endpoint took an attempt.
 * - `mined`: an attempt stands in a block that is not final yet.
 * - `final`, `reverted`: that block is final, and the call succeeded, or failed and moved nothing.
 * - `foreign`: another transaction used the nonce, so this call can never be mined; it may be given a new one.
 */
export type SendingState = 'reserved' | 'signed' | 'broadcast' | 'mined' | 'final' | 'reverted' | 'foreign';

/** A block that is reorganised away sets `mined` back; what never reached a block may be anybody's nonce. */
const NEXT: Readonly<Record<SendingState, readonly SendingState[]>> = {
  reserved: ['signed', 'foreign'],
  // A process may have ended between sending and noting it.
  signed: ['broadcast', 'mined', 'foreign'],
  broadcast: ['mined', 'foreign'],
  mined: ['broadcast', 'final', 'reverted'],
  final: [],
  reverted: [],
  foreign: [],
};

export function mayBecome(from: SendingState, to: SendingState): boolean {
  return NEXT[from].includes(to);
}

/** Nothing changes any more, and the nonce is used. */
export function isOver(state: SendingState): boolean {
  return NEXT[state].length === 0;
}
