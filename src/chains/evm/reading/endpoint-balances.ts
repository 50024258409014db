import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData } from 'viem';
import { StateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, nullIfReverted, readBytes } from '../rpc/contract-calls.js';
import { readAmount } from '../rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcRefusal } from '../../rpc/rpc-failures.js';

/** Addresses whose balances one batch asks for. */
const BALANCES_AT_ONCE = 1_000;
/** Many times what any balance costs: a token that burns all it gets must not keep the node from the other calls. */
const BALANCE_GAS = '0x1e8480';

/** Balances as one endpoint answers them, in smallest units. Throws `ChainUnavailable` only. */
@Injectable()
export class EndpointBalances {
  constructor(private readonly rpc: JsonRpc) {}

  /** Native balances right after that block (EIP-1898). @throws StateUnavailable where it is pruned */
  native(endpoint: Endpoint, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    const calls = addresses.map((address) => ({
      method: 'eth_getBalance',
      params: [address, { blockHash }],
      read: (answer: unknown) => readAmount(answer, 'the balance'),
      refused: stateRefusal(endpoint),
    }));
    return this.rpc.batch(endpoint, calls, BALANCES_AT_ONCE);
  }

  /** The balance of an ERC-20 token; null where its contract answers none. @throws StateUnavailable where it is pruned */
  ofToken(
    endpoint: Endpoint,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    const refusedState = stateRefusal(endpoint);
    const calls = addresses.map((address) => {
      const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [address as Hex] });
      return {
        method: 'eth_call',
        params: [{ to: token, data, gas: BALANCE_GAS }, { blockHash }],
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

/** @throws StateUnavailable where the refusal says that the state is pruned, or else the refusal */
function stateRefusal({ network }: Endpoint) {
  return (refusal: RpcRefusal): never => {
    if (isPruned(refusal)) throw new StateUnavailable(network, refusal.message);
    throw refusal;
  };
}

/** In the words of the nodes in use, which have no code of their own for it. */
function isPruned({ details }: RpcRefusal): boolean {
  return /missing trie node|prun(?:ed|ing)|(?:historical|world)? ?state\b.{0,120}\b(?:not available|unavailable|not found|missing)|no (?:historical )?state|(?:old|historical) data (?:is )?(?:not available|unavailable)|archive (?:node|request|data)|block height is \d+ but requested was \d+/i.test(
    details,
  );
}
