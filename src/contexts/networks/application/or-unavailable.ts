import { ChainUnavailable } from '../contract/chain-reader.js';

/** The answer, or the failure of an endpoint to give one as a value. @throws what is no such failure */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T | ChainUnavailable> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ChainUnavailable) return error;
    throw error;
  }
}
