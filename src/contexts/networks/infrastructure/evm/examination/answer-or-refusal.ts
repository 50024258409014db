import { orUnavailable } from '#contexts/networks/application/or-unavailable.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Answer } from '#contexts/networks/domain/finding.js';
import { EndpointFailure } from '../rpc/rpc-failures.js';

/** The endpoint's answer, or the reason why there is none. @throws what is no failure to answer */
export async function answerOrRefusal<T>(asked: Promise<T>): Promise<Answer<T>> {
  const answer = await orUnavailable(asked);
  if (!(answer instanceof ChainUnavailable)) return { answer };
  return { refused: answer instanceof EndpointFailure ? answer.reason : answer.message };
}
