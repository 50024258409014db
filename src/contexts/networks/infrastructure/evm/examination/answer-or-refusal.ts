import { ChainUnavailable } from '../../../contract/chain-reader.js';
import type { Answer } from '../../../domain/finding.js';
import { EndpointFailure } from '../rpc/rpc-failures.js';

/** What the endpoint answered, or why it did not. @throws what is no failure to answer */
export async function answerOrRefusal<T>(ask: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { answer: await ask() };
  } catch (error) {
    if (error instanceof ChainUnavailable)
      return { refused: error instanceof EndpointFailure ? error.reason : error.message };
    throw error;
  }
}
