import { Injectable } from '@nestjs/common';
import { type Hex, decodeFunctionResult, encodeFunctionData } from 'viem';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, readBytes } from '../rpc/contract-calls.js';
import { fieldsOf } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';

/** Where code stands that only a simulation has; nobody's address. */
const BALANCE_READER = `0x${'ba1a'.repeat(10)}`;

export interface TransferTrial {
  readonly from: string;
  readonly recipient: string;
  /** Contract of the asset; null for the native coin. */
  readonly token: string | null;
  readonly call: { readonly to: string; readonly data: Hex; readonly value: bigint };
}

/**
 * The amount that a transfer brings its recipient upon the newest block, by the balances before and after it
 * (`eth_simulateV1`).
 */
@Injectable()
export class RpcTransferSimulation {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * @returns what the recipient has more of; null where the call fails, or the token answers `false`
   * @throws ChainUnavailable, also where the endpoint simulates nothing
   */
  async arrived(endpoint: Endpoint, { from, recipient, token, call }: TransferTrial): Promise<bigint | null> {
    const balance =
      token === null
        ? { from, to: BALANCE_READER }
        : {
            from,
            to: token,
            data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [recipient as Hex] }),
          };
    const transfer = { from, to: call.to, data: call.data, value: `0x${call.value.toString(16)}` };
    const stateOverrides = { [BALANCE_READER]: { code: balanceCode(recipient) } };
    const calls = [balance, transfer, balance];
    const simulated = await this.rpc.callOnce<readonly Outcome[] | string>(endpoint, {
      method: 'eth_simulateV1',
      params: [{ blockStateCalls: [{ calls, stateOverrides }], validation: false }, 'latest'],
      read: (answer) => readOutcomes(answer, calls.length),
      refused: ({ message }) => message,
    });
    if (typeof simulated === 'string')
      throw new ChainUnavailable(
        endpoint.network,
        `it simulated no transfer: eth_simulateV1 (${simulated}).`,
      );
    const [before, moved, after] = simulated as [Outcome, Outcome, Outcome];
    // Some tokens answer nothing; one that answers `false` may move nothing the next time.
    const isRefused = token !== null && /^0x0{64}/.test(moved.data);
    if (!moved.succeeded || isRefused) return null;
    return amountOf(after) - amountOf(before);
  }
}

interface Outcome {
  readonly succeeded: boolean;
  readonly data: Hex;
}

function readOutcomes(answer: unknown, expected: number): Outcome[] {
  const [block] = Array.isArray(answer) ? (answer as unknown[]) : [];
  const { calls } = fieldsOf(block, 'the simulated block');
  if (!Array.isArray(calls) || calls.length !== expected)
    throw new MalformedAnswer('other calls were simulated than were asked for');
  return calls.map((call) => {
    const { status, returnData } = fieldsOf(call, 'a simulated call');
    return { succeeded: status === '0x1', data: readBytes(returnData) };
  });
}

function amountOf({ succeeded, data }: Outcome): bigint {
  if (!succeeded || data.length < 66) throw new MalformedAnswer('a simulated balance is none');
  return decodeFunctionResult({ abi: ERC20_ABI, functionName: 'balanceOf', data });
}

/** PUSH20 account, BALANCE, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: answers what the account holds of the native coin. */
function balanceCode(account: string): Hex {
  return `0x73${account.slice(2)}3160005260206000f3`;
}
