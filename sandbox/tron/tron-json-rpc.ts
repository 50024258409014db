import { type Hex, numberToHex } from 'viem';
import type { AnvilBlock, EvmLog, TronBlock } from './anvil-behind.js';
import type { Json } from './protobuf.js';
import { readTronAddress } from './tron-address.js';
import type { Inclusion } from './inclusion.js';
import {
  NO_BLOOM,
  ZERO_NONCE,
  energyOf,
  hashOf,
  logOf,
  receiptView,
  transactionView,
} from './json-rpc-views.js';
import type { TronChain } from './tron-chain.js';
import type { TronFaults } from './tron-http.js';
import { ENERGY_PRICE } from './tron-resources.js';
import { integer } from './tron-transaction.js';
import { messageOf } from './tron-views.js';

const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;
const MAX_BLOCK_RANGE = 5_000;
const INVALID_PARAMETERS = -32_602;
const EXECUTION_FAILED = -32_000;
const UNKNOWN_METHOD = -32_601;

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Hex,
  ) {
    super(message);
  }
}

interface LogFilter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: unknown;
  readonly topics?: unknown;
}

/** The JSON-RPC of a full node, which knows no `pending` and `safe`, and calls contracts only at `latest`. */
export class TronJsonRpc {
  constructor(
    private readonly chain: TronChain,
    private readonly faults: TronFaults,
  ) {}

  async answer(request: unknown): Promise<unknown> {
    if (Array.isArray(request)) return Promise.all(request.map((each) => this.answer(each)));
    const {
      id = null,
      method,
      params = [],
    } = request as { id?: unknown; method: string; params?: unknown[] };
    try {
      return { jsonrpc: '2.0', id, result: await this.result(method, params) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
    }
  }

  private async result(method: string, [first, second]: unknown[]): Promise<unknown> {
    const { chain } = this;
    switch (method) {
      case 'web3_clientVersion':
        return 'TRON/v4.8.1/Linux/Java1.8/GreatVoyage (sandbox)';
      case 'eth_chainId':
      case 'net_version':
        return numberToHex(chain.anvil.chainId);
      case 'eth_syncing':
        return false;
      case 'eth_gasPrice':
        return numberToHex(ENERGY_PRICE);
      case 'eth_blockNumber':
        return numberToHex(this.newest);
      case 'eth_getBlockByNumber':
        return this.block(await this.blockAt(this.heightOf(first)), second === true);
      case 'eth_getBlockByHash':
        return this.block(await this.blockOf(first), second === true);
      case 'eth_getTransactionReceipt': {
        const found = this.inclusion(first);
        return found === undefined ? null : this.receipt(found);
      }
      case 'eth_getTransactionByHash': {
        const found = this.inclusion(first);
        return found === undefined ? null : transactionView(found);
      }
      case 'eth_getBlockReceipts': {
        const block = isHash(first) ? await this.blockOf(first) : await this.blockAt(this.heightOf(first));
        return block === undefined ? null : chain.inclusionsOf(block).map((each) => this.receipt(each));
      }
      case 'eth_getLogs':
        return this.logs(first as LogFilter);
      case 'eth_getBalance':
        requireLatest(second);
        return numberToHex(await chain.anvil.balance(addressOf(first)));
      case 'eth_getCode':
        requireLatest(second);
        return chain.anvil.code(addressOf(first));
      case 'eth_call':
        requireLatest(second);
        return (await this.execute(first as Json)).output;
      case 'eth_estimateGas':
        return numberToHex((await this.execute(first as Json)).energy);
      default:
        throw new RpcError(UNKNOWN_METHOD, `the method ${method} does not exist/is not available`);
    }
  }

  private get newest(): number {
    return this.chain.newest.number - (this.faults.blocksBehind ?? 0);
  }

  private heightOf(tag: unknown): number {
    if (tag === undefined || tag === 'latest') return this.newest;
    if (tag === 'earliest') return 0;
    if (tag === 'finalized') return Math.min(this.chain.solidNumber, this.newest);
    if (typeof tag === 'string' && /^0x[0-9a-fA-F]+$/.test(tag)) return Number(tag);
    if (tag === 'pending' || tag === 'safe') throw invalid(`TAG ${tag} not supported`);
    throw invalid('invalid block number');
  }

  private async blockAt(number: number): Promise<TronBlock | undefined> {
    return number > this.newest ? undefined : this.chain.block(number);
  }

  private async blockOf(hash: unknown): Promise<TronBlock | undefined> {
    if (!isHash(hash)) throw invalid('invalid hash value');
    const digits = hash.replace(/^0x/, '').toLowerCase();
    const block = await this.blockAt(Number.parseInt(digits.slice(0, 16), 16));
    return block?.id === digits ? block : undefined;
  }

  private inclusion(hash: unknown): Inclusion | undefined {
    if (!isHash(hash)) throw invalid('invalid hash value');
    const found = this.chain.inclusion(hash.replace(/^0x/, '').toLowerCase());
    return found !== undefined && found.block.number <= this.newest ? found : undefined;
  }

  private async block(block: TronBlock | undefined, isFull: boolean): Promise<Json | null> {
    if (block === undefined) return null;
    const inclusions = this.chain.inclusionsOf(block);
    const { transactionsRoot } = await this.chain.anvil.rpc<AnvilBlock>('eth_getBlockByNumber', [
      numberToHex(block.number),
      false,
    ]);
    const sum = (of: (each: Inclusion) => number) =>
      numberToHex(inclusions.reduce((all, each) => all + of(each), 0));
    return {
      number: numberToHex(block.number),
      hash: `0x${block.id}`,
      parentHash: `0x${block.parentId}`,
      nonce: ZERO_NONCE,
      sha3Uncles: ZERO_WORD,
      logsBloom: NO_BLOOM,
      transactionsRoot,
      stateRoot: '0x',
      receiptsRoot: ZERO_WORD,
      miner: `0x${'57'.repeat(20)}`,
      difficulty: '0x0',
      totalDifficulty: '0x0',
      extraData: '0x',
      size: numberToHex(200),
      gasLimit: sum(({ transaction }) => integer(transaction.rawData['fee_limit'])),
      gasUsed: sum(energyOf),
      timestamp: numberToHex(block.timestamp / 1_000),
      transactions: inclusions.map((each) => (isFull ? transactionView(each) : hashOf(each))),
      uncles: [],
      baseFeePerGas: '0x0',
      mixHash: ZERO_WORD,
    };
  }

  private receipt(inclusion: Inclusion): Json {
    const { block, index } = inclusion;
    return receiptView(inclusion, this.chain.inclusionsOf(block).slice(0, index + 1));
  }

  private async logs({ fromBlock, toBlock, blockHash, ...filter }: LogFilter): Promise<Json[]> {
    if (blockHash !== undefined && (fromBlock !== undefined || toBlock !== undefined))
      throw invalid('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    const block = blockHash === undefined ? undefined : await this.blockOf(blockHash);
    if (blockHash !== undefined && block === undefined) throw invalid('invalid blockHash');
    const from = block?.number ?? this.heightOf(fromBlock);
    const to = Math.min(block?.number ?? this.heightOf(toBlock), this.newest);
    if (block === undefined && this.heightOf(toBlock) < from)
      throw invalid('please verify: fromBlock <= toBlock');
    if (to - from >= MAX_BLOCK_RANGE) throw invalid(`exceed max block range: ${MAX_BLOCK_RANGE}`);
    if (this.faults.emptyLogs === true || from > to) return [];
    const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) };
    const found = await this.chain.anvil.rpc<(EvmLog & { transactionHash: Hex })[]>('eth_getLogs', [
      { ...filter, ...range },
    ]);
    return found.flatMap((log) => {
      const inclusion = this.chain.inclusionBehind(log.transactionHash);
      return inclusion === undefined ? [] : [logOf(log, inclusion)];
    });
  }

  private async execute({ from, to, data, input, value }: Json) {
    const call = {
      from: readTronAddress(from) ?? addressOf(`0x${'0'.repeat(40)}`),
      to: addressOf(to),
      data: (input ?? data ?? '0x') as string as Hex,
      value: integer(value),
    };
    const execution = await this.chain.anvil.execute(call);
    if (execution.succeeded) return execution;
    const result = execution.isExhausted ? 'OUT_OF_ENERGY' : 'REVERT';
    throw new RpcError(EXECUTION_FAILED, messageOf(result), execution.output);
  }
}

function isHash(text: unknown): text is string {
  return typeof text === 'string' && /^(?:0x)?[0-9a-fA-F]{64}$/.test(text);
}

function addressOf(text: unknown): string {
  const address = typeof text === 'string' && !text.startsWith('T') ? readTronAddress(text) : undefined;
  if (address === undefined) throw invalid('invalid address hash value');
  return address;
}

function requireLatest(tag: unknown): void {
  if (tag === 'latest' || (typeof tag === 'object' && tag !== null)) return;
  if (typeof tag === 'string' && /^0x/.test(tag))
    throw invalid('QUANTITY not supported, just support TAG as latest');
  throw invalid('TAG [earliest | pending | finalized | safe] not supported');
}

function invalid(message: string): RpcError {
  return new RpcError(INVALID_PARAMETERS, message);
}
