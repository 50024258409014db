import { type Abi, type Hex, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer, type RpcRefusal } from '../../rpc/rpc-failures.js';

export const ERC20_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
]);

export interface ContractQuestion {
  readonly abi: Abi;
  readonly to: string;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

export interface CallSurroundings {
  /** A tag or a number in hex; the newest by default. */
  readonly block?: string;
  /** Code and storage to pretend, by account; nodes that support it take it as a third parameter. */
  readonly state?: Readonly<Record<string, object>>;
  /** Fields of the block to pretend, as a fourth parameter. */
  readonly blockFields?: object | undefined;
}

/** An `eth_call`, answered with bytes; null where the contract failed. */
export function contractCall(
  to: string,
  data: Hex,
  { block = 'latest', state, blockFields }: CallSurroundings = {},
): RpcCall<Hex | null> {
  const pretended = blockFields === undefined ? [state] : [state ?? {}, blockFields];
  return {
    method: 'eth_call',
    params: [{ to, data }, block, ...pretended.filter((part) => part !== undefined)],
    read: readBytes,
    refused: nullIfReverted,
  };
}

/** @returns null for no data, or for data of another shape */
export function decoded(abi: Abi, functionName: string, data: Hex | null): unknown {
  if (data === null) return null;
  try {
    return decodeFunctionResult({ abi, functionName, data });
  } catch {
    return null;
  }
}

/**
 * Asks a function of a contract in one `eth_call`.
 * @returns null where there is no such contract: no code, a revert, or an answer of another shape
 * @throws ChainUnavailable
 */
export async function askContract(
  rpc: JsonRpc,
  endpoint: Endpoint,
  question: ContractQuestion,
  surroundings?: CallSurroundings,
): Promise<unknown> {
  const { abi, to, functionName, args = [] } = question;
  const data = encodeFunctionData({ abi, functionName, args });
  return decoded(abi, functionName, await rpc.callOnce(endpoint, contractCall(to, data, surroundings)));
}

/** @throws MalformedAnswer */
export function readBytes(answer: unknown): Hex {
  if (typeof answer === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(answer)) return answer as Hex;
  throw new MalformedAnswer('the result is not bytes in hex');
}

/** A contract of another kind may also fail otherwise, which nodes do not call a revert. */
const FAILED =
  /revert|out.?of.?gas|invalid (?:opcode|jump)|stack (?:under|over)flow|stack limit|return data|(?:evm|vm execution) error|vm exception/i;

/** The failure of a contract as its answer. @throws RpcRefusal where it is the node that refused */
export function nullIfReverted(refusal: RpcRefusal): null {
  // Code 3 is geth's for a revert with data; others only say so in words.
  if (refusal.code === 3 || FAILED.test(refusal.details)) return null;
  throw refusal;
}
