import { describe, expect, it } from '@jest/globals';
import { BlockMissingAtEndpoint, findOtherFork } from './other-fork.js';
import { EndpointFailure } from './rpc-failures.js';

const LACKING = new BlockMissingAtEndpoint('sandbox', 10);
const READING = { network: 'sandbox' };

/**
 * @param there hash that the endpoint read from has at the head of the other one @returns the head of the other fork or
 * the error, and the number of failures
 */
async function found(head: number, there: string | null, endpoint: object = { network: 'sandbox' }) {
  const failed: unknown[] = [];
  const pool = {
    asking: (of: object, work: (of: object) => unknown) => work(of),
    currentReadingEndpoint: () => READING,
    recordFailure: (of: unknown) => failed.push(of),
  };
  const queries = {
    head: async () => ({ number: head, hash: '0xother' }),
    block: async () => there && { hash: there },
  };
  const fork = findOtherFork(pool as never, endpoint as never, LACKING, queries as never);
  return [await fork.catch((error: Error) => error), failed.length];
}

describe('An endpoint that does not know a block', () => {
  it('is on another fork if its newest block is older and differs', async () => {
    expect(await found(9, '0xours')).toEqual([{ number: 9, hash: '0xother' }, 0]);
    expect(await found(9, null)).toEqual([LACKING, 0]);
  });

  it.each([
    ['its newest block is the same', 9, '0xother', undefined],
    ['its newest block has the number', 10, '0xours', undefined],
    ['it is the endpoint that is read from', 9, '0xours', READING],
  ])('has failed if %s', async (_, head, there, endpoint) => {
    expect(await found(head, there, endpoint)).toEqual([expect.any(EndpointFailure), 1]);
  });
});
