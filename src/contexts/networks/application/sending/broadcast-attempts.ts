import { isWithNodes } from '../../domain/sending/broadcast-response.js';
import type { BroadcastOutcome, SendingChain } from './sending-chain.js';
import type { Attempt } from './sendings.js';

/** Sends the last attempt, and where no endpoint takes it, the ones before it: a pool may have forgotten them. */
export async function broadcastAttempts(
  chain: SendingChain,
  network: string,
  attempts: readonly Attempt[],
): Promise<BroadcastOutcome> {
  const [last, ...earlier] = attempts.toReversed() as [Attempt, ...Attempt[]];
  const outcome = await chain.broadcast(network, last);
  if (isWithNodes(outcome.response) || outcome.response === 'unreachable') return outcome;
  for (const attempt of earlier) {
    const { response, responses } = await chain.broadcast(network, attempt);
    if (isWithNodes(response))
      return {
        response,
        responses: `${outcome.responses}; attempt ${attempt.number} again: ${responses}`,
      };
  }
  return outcome;
}
