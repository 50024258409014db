import { ChainUnavailable } from '../contract/chain-reader.js';

/** The answer, or as a value the failure of an endpoint to answer. @throws what is no such failure */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T | ChainUnavailable> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ChainUnavailable) return error;
    throw error;
  }
}
