import { type Hex, numberToHex } from 'viem';
import { chainRpc } from '../chain/chain-rpc.js';
import { evmAddress } from './tron-address.js';

export interface TronBlock {
  readonly number: number;
  /** 32 bytes in hexadecimal, of which the first 8 are the number. */
  readonly id: string;
  readonly parentId: string;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
}

export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly logIndex: Hex;
}

/** Result of a transaction or a call in the virtual machine. */
export interface Execution {
  readonly succeeded: boolean;
  /** The transaction used all that it could. */
  readonly isExhausted: boolean;
  readonly output: Hex;
  readonly energy: number;
  readonly logs: readonly EvmLog[];
}

/** Hexadecimal quantities and hashes, as on the wire. */
export interface AnvilBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: Hex;
  readonly transactionsRoot: Hex;
}

export interface EvmCall {
  readonly from: string;
  readonly to: string;
  readonly data: Hex;
  readonly value: number;
}

const CALL_TRACER = { tracer: 'callTracer', tracerConfig: { withLog: true } };
const TRANSACTION_GAS = 21_000;
const ZERO_BYTE_GAS = 4;
const BYTE_GAS = 16;
const CODE_BYTE_ENERGY = 200;
/** More than `fee_limit` can pay for, and what a read-only call may use. */
const BLOCK_GAS = 2_000_000_000;
const CALL_ENERGY = 100_000_000;
const HASH_TAIL = 18;

/** The node that executes what the façade includes. Mines only when it is told to. */
export class AnvilBehind {
  private constructor(
    readonly url: string,
    readonly chainId: number,
  ) {}

  static async open(url: string): Promise<AnvilBehind> {
    const anvil = new AnvilBehind(url, Number(await chainRpc<Hex>(url, 'eth_chainId')));
    await anvil.rpc('evm_setAutomine', [false]);
    await anvil.rpc('evm_setIntervalMining', [0]);
    await anvil.rpc('anvil_autoImpersonateAccount', [true]);
    await anvil.rpc('evm_setBlockGasLimit', [numberToHex(BLOCK_GAS)]);
    return anvil;
  }

  rpc<Result>(method: string, params: unknown[] = []): Promise<Result> {
    return chainRpc<Result>(this.url, method, params);
  }

  async block(at: number | 'latest'): Promise<TronBlock> {
    const number = at === 'latest' ? at : numberToHex(at);
    return this.tronBlock(await this.rpc<AnvilBlock>('eth_getBlockByNumber', [number, false]));
  }

  tronBlock({ number, hash, parentHash, timestamp }: AnvilBlock): TronBlock {
    const height = Number(number);
    return {
      number: height,
      id: this.blockId(height, hash),
      parentId: height === 0 ? '0'.repeat(64) : this.blockId(height - 1, parentHash),
      timestamp: Number(timestamp) * 1_000,
    };
  }

  /** A block's id begins with its number. The id of the first block ends with the chain id, as on TRON. */
  private blockId(number: number, hash: Hex): string {
    const id = number.toString(16).padStart(16, '0') + hash.slice(HASH_TAIL);
    return number > 0 ? id : id.slice(0, -8) + this.chainId.toString(16).padStart(8, '0');
  }

  async mine(timestamp: number): Promise<TronBlock> {
    // Another miner, so that a block that replaces one has another hash.
    await this.rpc('anvil_setCoinbase', [randomAddress()]);
    await this.rpc('anvil_setNextBlockBaseFeePerGas', ['0x0']);
    await this.rpc('evm_setNextBlockTimestamp', [timestamp / 1_000]);
    await this.rpc('evm_mine');
    return this.block('latest');
  }

  async rollBack(depth: number): Promise<void> {
    await this.rpc('anvil_rollback', [depth]);
    await this.rpc('anvil_dropAllTransactions');
  }

  async balance(address: string, block?: number): Promise<number> {
    const at = block === undefined ? 'latest' : numberToHex(block);
    return Number(await this.rpc<Hex>('eth_getBalance', [evmAddress(address), at]));
  }

  async setBalance(address: string, sun: number): Promise<void> {
    await this.rpc('anvil_setBalance', [evmAddress(address), numberToHex(sun)]);
  }

  code(address: string): Promise<Hex> {
    return this.rpc<Hex>('eth_getCode', [evmAddress(address), 'latest']);
  }

  async putCode(address: string, code: Hex): Promise<void> {
    await this.rpc('anvil_setCode', [evmAddress(address), code]);
  }

  /** @returns the hash of a transaction that the next block includes */
  async send({ from, to, data, value }: EvmCall, energy: number): Promise<Hex> {
    await this.rpc('anvil_setNextBlockBaseFeePerGas', ['0x0']);
    const call = { from: evmAddress(from), to: evmAddress(to), data, value: numberToHex(value) };
    const gas = numberToHex(energy + intrinsicGas(data));
    return this.rpc<Hex>('eth_sendTransaction', [{ ...call, gas, gasPrice: '0x0' }]);
  }

  async executionOf(hash: Hex): Promise<Execution> {
    type Receipt = { status: Hex; gasUsed: Hex; logs: EvmLog[] };
    const { status, gasUsed, logs } = (await this.rpc<Receipt | null>('eth_getTransactionReceipt', [hash]))!;
    const { input, gas } = await this.rpc<{ input: Hex; gas: Hex }>('eth_getTransactionByHash', [hash]);
    const { output } = await this.rpc<{ output?: Hex }>('debug_traceTransaction', [hash, CALL_TRACER]);
    return {
      succeeded: status === '0x1',
      isExhausted: status !== '0x1' && gasUsed === gas,
      output: output ?? '0x',
      energy: Number(gasUsed) - intrinsicGas(input),
      logs,
    };
  }

  async execute({ from, to, data, value }: EvmCall): Promise<Execution> {
    const call = { from: evmAddress(from), to: evmAddress(to), data, value: numberToHex(value) };
    const gas = numberToHex(CALL_ENERGY + intrinsicGas(data));
    type Trace = { gasUsed: Hex; output?: Hex; error?: string; logs?: EvmLog[]; calls?: Trace[] };
    const trace = await this.rpc<Trace>('debug_traceCall', [{ ...call, gas }, 'latest', CALL_TRACER]);
    const logsOf = ({ error, logs = [], calls = [] }: Trace): EvmLog[] =>
      error === undefined ? [...logs, ...calls.flatMap(logsOf)] : [];
    return {
      succeeded: trace.error === undefined,
      isExhausted: trace.gasUsed === gas,
      output: trace.output ?? '0x',
      energy: Number(trace.gasUsed) - intrinsicGas(data),
      logs: logsOf(trace),
    };
  }
}

/** Energy to store the code of a contract. */
export function codeEnergy(code: Hex): number {
  return ((code.length - 2) / 2) * CODE_BYTE_ENERGY;
}

/** Gas that a transaction costs before it runs. Energy has no such part. */
function intrinsicGas(data: Hex): number {
  return Buffer.from(data.slice(2), 'hex').reduce(
    (sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS),
    TRANSACTION_GAS,
  );
}

function randomAddress(): Hex {
  return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(20))).toString('hex')}`;
}
