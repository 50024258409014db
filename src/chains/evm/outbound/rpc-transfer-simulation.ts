import { Injectable } from '@nestjs/common';
import { type Hex, decodeFunctionResult, encodeFunctionData } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI } from '../../ethereum-rpc/contract-calls.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { type SimulatedCall, simulateCalls } from '../rpc/simulated-calls.js';

/** Unused address whose code exists only in the simulation. */
const BALANCE_READER = `0x${'ba1a'.repeat(10)}`;

export interface TransferToSimulate {
  readonly from: string;
  readonly recipient: string;
  readonly token: string | null;
  readonly call: {
    readonly to: string;
    readonly data: Hex;
    readonly value: bigint;
    readonly gasLimit?: bigint;
  };
}

/**
 * Simulates a transfer on the newest block and reads the recipient's balance before and after it (`eth_simulateV1`).
 */
@Injectable()
export class RpcTransferSimulation {
  constructor(private readonly rpc: JsonRpc) {}

  async simulateReceivedAmount(
    endpoint: Endpoint,
    { from, recipient, token, call }: TransferToSimulate,
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
    // Some tokens return nothing, which counts as success. A token that returns `false` may transfer nothing the next
    // time.
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

/**
 * Code that returns the native balance of the account: PUSH20 account, BALANCE, PUSH1 0, MSTORE, PUSH1 32, PUSH1 0,
 * RETURN.
 */
function balanceCode(account: string): Hex {
  return `0x73${account.slice(2)}3160005260206000f3`;
}
