import { Injectable } from '@nestjs/common';
import type { Endpoint } from '../../../domain/endpoint.js';
import type { EndpointView } from '../../../domain/sending/fate-on-chain.js';
import type { FeeMarket } from '../../../domain/sending/fees.js';
import type { AccountState } from '../../../domain/sending/gas-key.js';
import type { MinedAttempt } from '../../../domain/sending/sending.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { finalByConfirmations } from '../reading/finality-depth.js';
import { FINALIZED_HEADER, NEWEST_HEADER } from '../rpc/block-answers.js';
import { readBytes } from '../rpc/contract-calls.js';
import { type Fields, fieldsOf, readAmount, readQuantity, word } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import type { RpcCall } from '../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../rpc/rpc-failures.js';

/** Accounts, fees and receipts as one endpoint answers them. Each method throws `ChainUnavailable`. */
@Injectable()
export class EndpointAccounts {
  constructor(private readonly rpc: JsonRpc) {}

  async state(endpoint: Endpoint, address: string): Promise<AccountState> {
    const [latestCount, pooledCount, balance, code] = await Promise.all([
      this.rpc.call(endpoint, countOf(address, 'latest')),
      // Not every node has a pool that it speaks of.
      this.rpc.call<number>(endpoint, { ...countOf(address, 'pending'), refused: () => 0 }),
      this.rpc.call(endpoint, {
        method: 'eth_getBalance',
        params: [address, 'latest'],
        read: (answer) => readAmount(answer, 'the balance'),
      }),
      this.rpc.call(endpoint, { method: 'eth_getCode', params: [address, 'latest'], read: readBytes }),
    ]);
    const mostCount = Math.max(latestCount, pooledCount);
    return { latestCount, mostCount, balance, code: code.toLowerCase() };
  }

  async market(endpoint: Endpoint): Promise<FeeMarket> {
    const baseFee = await this.rpc.call(endpoint, {
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
      read: (answer) => baseFeeOf(fieldsOf(answer, 'a block').baseFeePerGas),
    });
    const suggested = await this.rpc.call(endpoint, {
      method: baseFee === null ? 'eth_gasPrice' : 'eth_maxPriorityFeePerGas',
      params: [],
      read: (answer) => readAmount(answer, 'the fee'),
    });
    return { baseFee, suggested };
  }

  /** The count before receipts: a receipt of ours that used the nonce is then there when it is asked for. */
  async view(
    endpoint: Endpoint,
    configuration: EvmNetworkConfiguration,
    address: string,
    hashes: readonly string[],
  ): Promise<EndpointView> {
    const finalNumber = await this.finalNumber(endpoint, configuration);
    const latestCount = await this.rpc.call(endpoint, countOf(address, 'latest'));
    const receipts = await this.rpc.batch(endpoint, hashes.map(receiptOf));
    return { latestCount, finalNumber, receipt: receipts.find((each) => each !== null) ?? null };
  }

  /** @returns null where no block is final yet */
  async finalNumber(endpoint: Endpoint, { finality }: EvmNetworkConfiguration): Promise<number | null> {
    if (finality.kind === 'finalized')
      return (await this.rpc.call(endpoint, FINALIZED_HEADER))?.number ?? null;
    const head = await this.rpc.call(endpoint, NEWEST_HEADER);
    return finalByConfirmations(head.number, finality.confirmations);
  }
}

function countOf(address: string, block: 'latest' | 'pending'): RpcCall<number> {
  return {
    method: 'eth_getTransactionCount',
    params: [address, block],
    read: (answer) => readQuantity(answer, 'the count'),
  };
}

function receiptOf(hash: string): RpcCall<MinedAttempt | null> {
  return {
    method: 'eth_getTransactionReceipt',
    params: [hash],
    read: (answer) => {
      if (answer === null) return null;
      const receipt = fieldsOf(answer, 'a receipt');
      const { transactionHash, blockNumber, status } = receipt;
      if (word(transactionHash, 'hash') !== hash)
        throw new MalformedAnswer('the receipt of another transaction came');
      return {
        hash,
        blockNumber: readQuantity(blockNumber, 'blockNumber'),
        succeeded: readQuantity(status, 'status') === 1,
        gasCost: gasCostOf(receipt),
      };
    },
  };
}

/** Rollups of the OP Stack, and some others, name what they charge for their base chain apart from the gas. */
function gasCostOf({ gasUsed, effectiveGasPrice, l1Fee }: Fields): bigint | null {
  if (effectiveGasPrice === undefined || effectiveGasPrice === null) return null;
  const gas = readAmount(gasUsed, 'gasUsed') * readAmount(effectiveGasPrice, 'effectiveGasPrice');
  return gas + (l1Fee === undefined || l1Fee === null ? 0n : readAmount(l1Fee, 'l1Fee'));
}

function baseFeeOf(value: unknown): bigint | null {
  return value === undefined || value === null ? null : readAmount(value, 'baseFeePerGas');
}
