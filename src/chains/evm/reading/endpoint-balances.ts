import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData } from 'viem';
import { BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, nullIfReverted, readBytes } from '../../ethereum-rpc/contract-calls.js';
import { readAmount } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcRefusal } from '../../rpc/rpc-failures.js';

const BALANCES_AT_ONCE = 1_000;
/** A token that burns all gas must not delay the node's other calls. */
const BALANCE_CALL_GAS_LIMIT = '0x1e8480';

/** Throws only `ChainUnavailable`. */
@Injectable()
export class EndpointBalances {
  constructor(private readonly rpc: JsonRpc) {}

  /**
   * Returns native balances as of the end of the block (EIP-1898).
   * @throws BlockStateUnavailable if the state is pruned
   */
  nativeBalances(endpoint: Endpoint, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    const calls = addresses.map((address) => ({
      method: 'eth_getBalance',
      params: [address, { blockHash }],
      read: (answer: unknown) => readAmount(answer, 'the balance'),
      refused: throwStateRefusal(endpoint),
    }));
    return this.rpc.batch(endpoint, calls, BALANCES_AT_ONCE);
  }

  /**
   * Null for an account whose balance the contract does not return.
   * @throws BlockStateUnavailable if the state is pruned
   */
  tokenBalances(
    endpoint: Endpoint,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    const refusedState = throwStateRefusal(endpoint);
    const calls = addresses.map((address) => {
      const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [address as Hex] });
      return {
        method: 'eth_call',
        params: [{ to: token, data, gas: BALANCE_CALL_GAS_LIMIT }, { blockHash }],
        read: (answer: unknown) => {
          const bytes = readBytes(answer);
          return bytes.length === 66 ? BigInt(bytes) : null;
        },
        refused: (refusal: RpcRefusal) =>
          isPruned(refusal) ? refusedState(refusal) : nullIfReverted(refusal),
      };
    });
    return this.rpc.batch<bigint | null>(endpoint, calls, BALANCES_AT_ONCE);
  }
}

function throwStateRefusal({ network }: Endpoint) {
  return (refusal: RpcRefusal): never => {
    if (isPruned(refusal)) throw new BlockStateUnavailable(network, refusal.message);
    throw refusal;
  };
}

/** Matches the error messages of common nodes, which have no error code for pruned state. */
function isPruned({ details }: RpcRefusal): boolean {
  return /missing trie node|prun(?:ed|ing)|(?:historical|world)? ?state\b.{0,120}\b(?:not available|unavailable|not found|missing)|no (?:historical )?state|(?:old|historical) data (?:is )?(?:not available|unavailable)|archive (?:node|request|data)|block height is \d+ but requested was \d+/i.test(
    details,
  );
}
