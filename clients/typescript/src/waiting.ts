import { setTimeout as pause } from 'node:timers/promises';
import type { CallOptions } from './api-types.js';
import { PaymentCollectionError } from './payment-collection-error.js';

export interface PollOptions extends CallOptions {
  /** Maximum total wait, in milliseconds. Default: 900,000 (15 minutes). */
  timeout?: number;
  /** Polling interval, in milliseconds. Default: 3,000, as the API recommends. */
  interval?: number;
}

const FIFTEEN_MINUTES = 900_000;
const POLL_INTERVAL_MS = 3_000;
const WAIT_TIMED_OUT = 'The wait timed out without a result.';

/**
 * Polls until a response meets the condition. Continues through outages of the service.
 * @throws PaymentCollectionError `wait_timed_out`, with the last response as `cause`, or a permanent error; the signal's reason if the
 * signal aborts
 */
export async function pollUntil<Answer>(
  read: (options: CallOptions) => Promise<Answer>,
  isEnd: (answer: Answer) => boolean,
  { timeout = FIFTEEN_MINUTES, interval = POLL_INTERVAL_MS, signal: given }: PollOptions,
): Promise<Answer> {
  const over = AbortSignal.timeout(timeout);
  const signal = AbortSignal.any([over, ...(given === undefined ? [] : [given])]);
  let last: unknown;
  try {
    for (;;) {
      const answer = await read({ signal }).catch((error: unknown) => {
        if (!isTemporary(error)) throw error;
        last ??= error;
      });
      if (answer !== undefined && isEnd(answer)) return answer;
      last = answer ?? last;
      await pause(interval, undefined, { signal });
    }
  } catch (error) {
    given?.throwIfAborted();
    if (!over.aborted) throw error;
    throw new PaymentCollectionError(WAIT_TIMED_OUT, {
      code: 'wait_timed_out',
      nextStep: 'Wait for the webhook, or read the payment later.',
      cause: last,
    });
  }
}

/** @returns whether the error is temporary, so that polling continues */
function isTemporary(error: unknown): boolean {
  if (!(error instanceof PaymentCollectionError)) return false;
  const { status, code } = error;
  return code === 'unreachable' || status === 408 || status === 429 || (status ?? 0) >= 500;
}
