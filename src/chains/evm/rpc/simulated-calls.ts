import type { Hex } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { readFields } from '../../ethereum-rpc/hex-fields.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';

export interface SimulatedCall {
  readonly succeeded: boolean;
  readonly data: Hex;
}

/** Simulates calls one after the other in one block on top of the newest, without charging gas (`eth_simulateV1`). */
export async function simulateCalls(
  rpc: JsonRpc,
  endpoint: Endpoint,
  calls: readonly object[],
  stateOverrides: Readonly<Record<string, object>> = {},
): Promise<readonly SimulatedCall[]> {
  const simulated = await rpc.callOnce<readonly SimulatedCall[] | string>(endpoint, {
    method: 'eth_simulateV1',
    isLong: true,
    params: [{ blockStateCalls: [{ calls, stateOverrides }], validation: false }, 'latest'],
    read: (answer) => readOutcomes(answer, calls.length),
    refused: ({ message }) => message,
  });
  if (typeof simulated !== 'string') return simulated;
  throw new ChainUnavailable(
    endpoint.network,
    `the endpoint could not simulate the transfer: eth_simulateV1 (${simulated}).`,
  );
}

function readOutcomes(answer: unknown, expected: number): SimulatedCall[] {
  const [block] = Array.isArray(answer) ? (answer as unknown[]) : [];
  const { calls } = readFields(block, 'the simulated block');
  if (!Array.isArray(calls) || calls.length !== expected)
    throw new MalformedAnswer('the simulated calls are not the requested ones');
  return calls.map((call) => {
    const { status, returnData } = readFields(call, 'a simulated call');
    return { succeeded: status === '0x1', data: readBytes(returnData) };
  });
}
