import { Injectable } from '@nestjs/common';
import { type Hex, decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI } from '../rpc/contract-calls.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { type SimulatedCall, simulateCalls } from '../rpc/simulated-calls.js';

/** Where code stands that only a simulation has; nobody's address. */
const BALANCE_READER = `0x${'ba1a'.repeat(10)}`;

export interface SimulatedTransfer {
  readonly from: string;
  readonly recipient: string;
  /** Contract of the asset; null for the native coin. */
  readonly token: string | null;
  readonly call: {
    readonly to: string;
    readonly data: Hex;
    readonly value: bigint;
    readonly gasLimit?: bigint;
  };
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
  async arrived(
    endpoint: Endpoint,
    { from, recipient, token, call }: SimulatedTransfer,
  ): Promise<bigint | null> {
    const balance =
      token === null
        ? { from, to: BALANCE_READER }
        : {
            from,
            to: token,
            data: encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [recipient as Hex] }),
          };
    const { to, data, value, gasLimit } = call;
    const gas = gasLimit === undefined ? {} : { gas: quantity(gasLimit) };
    const transfer = { from, to, data, value: quantity(value), ...gas };
    const stateOverrides = { [BALANCE_READER]: { code: balanceCode(recipient) } };
    const calls = [balance, transfer, balance];
    const simulated = await simulateCalls(this.rpc, endpoint, calls, stateOverrides);
    const [before, moved, after] = simulated as [SimulatedCall, SimulatedCall, SimulatedCall];
    // Some tokens answer nothing; one that answers `false` may move nothing the next time.
    const isRefused = token !== null && /^0x0{64}/.test(moved.data);
    if (!moved.succeeded || isRefused) return null;
    return amountOf(after) - amountOf(before);
  }
}

function quantity(amount: bigint): string {
  return `0x${amount.toString(16)}`;
}

function amountOf({ succeeded, data }: SimulatedCall): bigint {
  if (!succeeded || data.length < 66) throw new MalformedAnswer('a simulated balance is not valid');
  return decodeFunctionResult({ abi: ERC20_ABI, functionName: 'balanceOf', data });
}

/** PUSH20 account, BALANCE, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN: answers what the account holds of the native coin. */
function balanceCode(account: string): Hex {
  return `0x73${account.slice(2)}3160005260206000f3`;
}
