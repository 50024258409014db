import { type Abi, type Hex, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { JsonRpc } from '../rpc/json-rpc.js';
import type { RpcCall } from '../rpc/rpc-envelope.js';
import { MalformedAnswer, type RpcRefusal } from '../rpc/rpc-failures.js';

export const ERC20_ABI = parseAbi([
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
]);

export interface ContractQuery {
  readonly abi: Abi;
  readonly to: string;
  readonly functionName: string;
  readonly args?: readonly unknown[];
}

export interface CallOverrides {
  /** Block to call at: a tag, or a number in hex. Default: the newest block. */
  readonly block?: string;
  /** Only some nodes support this third parameter. */
  readonly state?: Readonly<Record<string, object>>;
  readonly blockFields?: object | undefined;
}

export function contractCall(
  to: string,
  data: Hex,
  { block = 'latest', state, blockFields }: CallOverrides = {},
): RpcCall<Hex | null> {
  const pretended = blockFields === undefined ? [state] : [state ?? {}, blockFields];
  return {
    method: 'eth_call',
    params: [{ to, data }, block, ...pretended.filter((part) => part !== undefined)],
    read: readBytes,
    refused: nullIfReverted,
  };
}

export function decodeResult(abi: Abi, functionName: string, data: Hex | null): unknown {
  if (data === null) return null;
  try {
    return decodeFunctionResult({ abi, functionName, data });
  } catch {
    return null;
  }
}

export async function queryContract(
  rpc: JsonRpc,
  endpoint: Endpoint,
  question: ContractQuery,
  surroundings?: CallOverrides,
): Promise<unknown> {
  const { abi, to, functionName, args = [] } = question;
  const data = encodeFunctionData({ abi, functionName, args });
  return decodeResult(abi, functionName, await rpc.callOnce(endpoint, contractCall(to, data, surroundings)));
}

export function readBytes(answer: unknown): Hex {
  if (typeof answer === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(answer)) return answer as Hex;
  throw new MalformedAnswer('the result is not bytes in hex');
}

/** Some contracts fail in ways that nodes do not call a revert. */
const CONTRACT_FAILURE_MESSAGE =
  /revert|out.?of.?gas|invalid (?:opcode|jump)|stack (?:under|over)flow|stack limit|return data|(?:evm|vm execution) error|vm exception|contract is not exist/i;

export function nullIfReverted(refusal: RpcRefusal): null {
  // geth uses code 3 for a revert with data. Other nodes report a revert only by message.
  if (refusal.code === 3 || CONTRACT_FAILURE_MESSAGE.test(refusal.details)) return null;
  throw refusal;
}
