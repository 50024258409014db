import { InvalidPayment, readObject } from '../payer/read-payment.js';

/** Bitcoin's consensus allows two hours; the difference allows for inaccurate clocks. */
export const MOST_AHEAD_MS = 110 * 60_000;
/** Deepest reorganization that the service is expected to handle. */
const MOST_BLOCKS = 128;

/** A chain whose blocks this process makes. */
interface MadeChain {
  readonly chainTime: () => Promise<Date>;
  advanceTo(time: Date): Promise<unknown>;
  /** @throws RangeError if so many blocks cannot be replaced */
  reorganize(depth: number, keep: boolean): Promise<object>;
}

interface MadeChains {
  readonly bitcoin?: MadeChain | undefined;
  readonly tron?: MadeChain | undefined;
}

/**
 * @param text JSON: `{reorganize, keep}` replaces that many blocks, with or without their transactions; `{time}`
 * moves the chain's clock to an ISO 8601 time; `{}` reads the clock. `chain` is bitcoin (default) or tron.
 * @returns a function that does the work and returns the response body
 * @throws InvalidPayment
 */
export function readBlockRequest(text: string, chains: MadeChains): () => Promise<object> {
  const request = readObject(text, 'Blocks are asked for by one JSON object.');
  const { reorganize, keep, time, chain: name = 'bitcoin' } = request;
  if (name !== 'bitcoin' && name !== 'tron') throw new InvalidPayment('chain must be bitcoin or tron.');
  const chain = chains[name];
  if (chain === undefined)
    throw new InvalidPayment(`This sandbox has no ${name} chain: start it with npm start -- --${name}.`, 409);
  if (time !== undefined) {
    const date = new Date(typeof time === 'string' ? time : NaN);
    if (Number.isNaN(date.getTime())) throw new InvalidPayment('time must be in ISO 8601.');
    if (name === 'bitcoin' && date.getTime() - Date.now() > MOST_AHEAD_MS)
      throw new InvalidPayment('time must be at most 110 minutes ahead of real time.');
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
