import { InvalidPayment, readObject } from '../payer/read-payment.js';
import type { SandboxBitcoin } from './sandbox-bitcoin.js';

/** Consensus allows two hours; the difference allows for inaccurate clocks. */
export const MOST_AHEAD_MS = 110 * 60_000;
/** Deepest reorganization that the service is expected to handle. */
const MOST_BLOCKS = 128;

/**
 * @param text JSON: `{reorganize, keep}` replaces that many blocks, with or without their transactions; `{time}`
 * moves the chain's clock to an ISO 8601 time; `{}` reads the clock
 * @returns a function that does the work and returns the response body
 * @throws InvalidPayment
 */
export function readBlockRequest(text: string, chain: SandboxBitcoin | undefined): () => Promise<object> {
  if (chain === undefined)
    throw new InvalidPayment('This sandbox has no Bitcoin: start it with npm start -- --bitcoin.', 409);
  const { reorganize, keep, time } = readObject(text, 'Blocks are asked for by one JSON object.');
  if (time !== undefined) {
    const date = new Date(typeof time === 'string' ? time : NaN);
    if (!(date.getTime() - Date.now() <= MOST_AHEAD_MS))
      throw new InvalidPayment('time must be in ISO 8601, at most 110 minutes ahead of real time.');
    return async () => ({ blocks: await chain.advanceTo(date), chain_time: await chain.chainTime() });
  }
  if (reorganize === undefined) return async () => ({ chain_time: await chain.chainTime() });
  if (
    typeof reorganize !== 'number' ||
    !Number.isInteger(reorganize) ||
    reorganize < 1 ||
    reorganize > MOST_BLOCKS
  )
    throw new InvalidPayment(`reorganize must be a whole number from 1 to ${MOST_BLOCKS}.`);
  return () =>
    chain.reorganize(reorganize, keep === true).catch((error: unknown) => {
      throw error instanceof RangeError ? new InvalidPayment(error.message, 409) : error;
    });
}
