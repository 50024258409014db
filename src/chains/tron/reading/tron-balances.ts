import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData } from 'viem';
import { BlockStateUnavailable, ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, contractCall } from '../../ethereum-rpc/contract-calls.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { requireLinked } from '../../rpc/other-fork.js';
import type { BalancesOfEndpoints } from '../../rpc/reading/endpoint-reading.js';
import { evmSpelling, hexOfTronAddress } from '../addresses/tron-address.js';
import { TronBlocks } from './tron-blocks.js';
import {
  NEWEST_BLOCK_CALL,
  SOLID_NUMBER_CALL,
  blockCall,
  hex21,
  httpCall,
  numberOfBlock,
  readInteger,
} from './tron-calls.js';
import { readFields } from '../../ethereum-rpc/hex-fields.js';
import { TronReceipts } from './tron-receipts.js';

const BALANCES_AT_ONCE = 100;
/** Twenty minutes, whose receipts are read for each list of balances. */
const MAX_BLOCKS_BACK = 400;
/** Blocks by which a node may be behind another one at the same URL. */
const MAX_BLOCKS_BEHIND = 5;

/** Nodes return balances only for their newest block, so the transfers since the requested block are subtracted. */
@Injectable()
export class TronBalances implements BalancesOfEndpoints {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly blocks: TronBlocks,
    private readonly receipts: TronReceipts,
  ) {}

  /**
   * Only for the newest solid block, whose state the solidity node has: a transfer of TRX is no event, so none can be
   * subtracted.
   */
  async nativeBalances(
    endpoint: Endpoint,
    blockHash: string,
    addresses: readonly string[],
  ): Promise<bigint[]> {
    const { network } = endpoint;
    const number = numberOfBlock(blockHash);
    const requireNewest = async () => {
      const solid = await this.rpc.call(endpoint, SOLID_NUMBER_CALL);
      if (solid !== number)
        throw new ChainUnavailable(
          network,
          `its nodes return TRX at the solid block ${solid}, not ${number}.`,
        );
    };
    await requireNewest();
    const balances = await Promise.all(
      addresses.map((address) => this.rpc.call(endpoint, solidBalanceCall(address))),
    );
    await requireNewest();
    const block = await this.rpc.call(endpoint, blockCall(number));
    if (block?.header.hash !== blockHash)
      throw new ChainUnavailable(network, `block ${blockHash} is not in the endpoint’s chain.`);
    return balances;
  }

  /** @throws ChainUnavailable also if an address was used in the blocks in which the balances may have been read */
  async tokenBalances(
    endpoint: Endpoint,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    const { network } = endpoint;
    const number = numberOfBlock(blockHash);
    const { header: before } = await this.rpc.call(endpoint, NEWEST_BLOCK_CALL);
    if (!(before.number - number <= MAX_BLOCKS_BACK))
      throw new BlockStateUnavailable(network, `its nodes do not return balances at block ${number}.`);
    const newest = await this.rpc.batch(
      endpoint,
      addresses.map((address) => balanceCall(token, address)),
      BALANCES_AT_ONCE,
    );
    const { header: after } = await this.rpc.call(endpoint, NEWEST_BLOCK_CALL);
    const from = Math.max(0, Math.min(number, before.number - MAX_BLOCKS_BEHIND));
    const numbers = Array.from({ length: Math.max(number, after.number) - from + 1 }, (_, i) => from + i);
    const blocks = await this.blocks.blocks(endpoint, numbers);
    const headers = requireLinked(
      endpoint,
      from,
      blocks.map((block) => block && block.header),
      null,
    );
    if (headers[number - from]?.hash !== blockHash)
      throw new ChainUnavailable(network, `block ${blockHash} is not in the endpoint’s chain.`);
    const selection = {
      tokens: new Set([hexOfTronAddress(token)!]),
      factories: new Set<string>(),
      native: null,
    };
    const read = await this.receipts.contents(
      endpoint,
      blocks.filter((block) => block !== null),
      null,
      selection,
    );
    const asked = new Set(addresses);
    const later = new Map<string, bigint>();
    read.forEach(({ transfers }, i) => {
      for (const { from: payer, to, amount } of transfers) {
        const at = from + i;
        const used = [payer, to].find((party) => asked.has(party));
        if (used !== undefined && at > before.number - MAX_BLOCKS_BEHIND)
          throw new ChainUnavailable(
            network,
            `${used} was used in block ${at}, too recently to read its balance.`,
          );
        if (at <= number) continue;
        later.set(to, (later.get(to) ?? 0n) + amount);
        later.set(payer, (later.get(payer) ?? 0n) - amount);
      }
    });
    return addresses.map((address, i) => {
      const balance = newest[i]!;
      return balance === null || balance.length !== 66 ? null : BigInt(balance) - (later.get(address) ?? 0n);
    });
  }
}

/** In sun. An account that never held TRX has none. */
function solidBalanceCall(address: string) {
  return httpCall('walletsolidity/getaccount', { address: hex21(address) }, (answer) =>
    BigInt(readInteger(readFields(answer, 'an account')['balance'], 'balance')),
  );
}

function balanceCall(token: string, address: string) {
  const args = [evmSpelling(address) as Hex] as const;
  return contractCall(
    evmSpelling(token),
    encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args }),
  );
}
