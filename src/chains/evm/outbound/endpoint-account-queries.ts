import { Injectable } from '@nestjs/common';
import type {
  GasFeeMarketAtHead,
  PricedSignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { type Endpoint, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import type {
  EndpointNonceObservation,
  EndpointReceipt,
} from '#contexts/networks/domain/outbound/on-chain-status.js';
import type { SenderAccountState } from '#contexts/networks/domain/outbound/gas-key.js';
import type { OutboundTransaction } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { EvmNetworkConfiguration } from '../evm-network.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { FINALIZED_HEADER_CALL, NEWEST_HEADER_CALL } from '../../ethereum-rpc/block-answers.js';
import { readBytes } from '../../ethereum-rpc/contract-calls.js';
import { readFields, readAmount, readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import {
  type IndexedReceipt,
  previousHeaderCall,
  parentHashCall,
  receiptCall,
  transactionPositionCall,
} from './attempt-receipts.js';

/** Each method throws `ChainUnavailable`. */
@Injectable()
export class EndpointAccountQueries {
  constructor(private readonly rpc: JsonRpc) {}

  async accountState(
    endpoint: Endpoint,
    address: string,
  ): Promise<SenderAccountState & { readonly latestCount: number }> {
    const [latestCount, pooledCount, balance, code] = await Promise.all([
      this.rpc.call(endpoint, transactionCountCall(address, 'latest')),
      // Not every node answers calls about its mempool.
      this.rpc.call<number>(endpoint, { ...transactionCountCall(address, 'pending'), refused: () => 0 }),
      this.rpc.call(endpoint, {
        method: 'eth_getBalance',
        params: [address, 'latest'],
        read: (answer) => readAmount(answer, 'the balance'),
      }),
      this.rpc.call(endpoint, {
        method: 'eth_getCode',
        isLong: true,
        params: [address, 'latest'],
        read: readBytes,
      }),
    ]);
    const mostCount = Math.max(latestCount, pooledCount);
    return { latestCount, mostCount, balance, code: code.toLowerCase() };
  }

  async gasFeeMarket(endpoint: Endpoint): Promise<GasFeeMarketAtHead> {
    const newest = await this.rpc.call(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', false],
      read: (answer) => {
        const { number, baseFeePerGas } = readFields(answer, 'a block');
        return {
          head: readQuantity(number, 'number'),
          baseFee: baseFeePerGas == null ? null : readAmount(baseFeePerGas, 'baseFeePerGas'),
        };
      },
    });
    const suggested = await this.rpc.call(endpoint, {
      method: newest.baseFee === null ? 'eth_gasPrice' : 'eth_maxPriorityFeePerGas',
      params: [],
      read: (answer) => readAmount(answer, 'the fee'),
    });
    return { ...newest, suggested };
  }

  blockGasLimit(endpoint: Endpoint): Promise<bigint> {
    return this.rpc.call(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', false],
      read: (answer) => readAmount(readFields(answer, 'a block').gasLimit, 'gasLimit'),
    });
  }

  selfTransferGas(endpoint: Endpoint, address: string): Promise<bigint> {
    return this.rpc.call(endpoint, {
      method: 'eth_estimateGas',
      params: [{ from: address, to: address, value: '0x0' }],
      read: (answer) => readAmount(answer, 'the estimate'),
    });
  }

  /**
   * The count is requested before the receipts, so that the receipt of a counted attempt exists. The head comes last,
   * so that it is never below the block of a receipt.
   */
  async nonceObservation(
    endpoint: Endpoint,
    configuration: EvmNetworkConfiguration,
    sending: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    attempts: readonly PricedSignedTransaction[],
  ): Promise<EndpointNonceObservation> {
    const finalNumber = await this.finalNumber(endpoint, configuration);
    const latestCount = await this.rpc.call(endpoint, transactionCountCall(sending.sender, 'latest'));
    const found =
      (await this.rpc.batch(endpoint, attempts.map(receiptCall))).find((each) => each !== null) ?? null;
    const head = await this.rpc.call(endpoint, headNumberCall(found?.blockNumber ?? 0));
    const receipt = found && (await this.inItsBlock(endpoint, sending, found));
    return { endpoint: endpointLabel(endpoint), latestCount, head, finalNumber, receipt };
  }

  private async inItsBlock(
    endpoint: Endpoint,
    { sender, nonce }: Pick<OutboundTransaction, 'sender' | 'nonce'>,
    { index, ...receipt }: IndexedReceipt,
  ): Promise<EndpointReceipt> {
    const { hash, blockNumber, blockHash } = receipt;
    const parent = await this.rpc.call(endpoint, previousHeaderCall(blockNumber));
    const parentHash = await this.rpc.call(
      endpoint,
      parentHashCall({ hash, blockNumber, blockHash, index }, parent.hash),
    );
    await this.rpc.call(endpoint, transactionPositionCall({ hash, blockHash, index }, sender, nonce));
    return { ...receipt, parentHash };
  }

  async finalNumber(endpoint: Endpoint, { finality }: EvmNetworkConfiguration): Promise<number | null> {
    if (finality.kind === 'finalized')
      return (await this.rpc.call(endpoint, FINALIZED_HEADER_CALL))?.number ?? null;
    const head = await this.rpc.call(endpoint, NEWEST_HEADER_CALL);
    return finalBlockByConfirmations(head.number, finality.confirmations);
  }
}

function transactionCountCall(address: string, block: 'latest' | 'pending'): RpcCall<number> {
  return {
    method: 'eth_getTransactionCount',
    params: [address, block],
    read: (answer) => readQuantity(answer, 'the count'),
  };
}

/** @param least number of a block that the endpoint has already returned, so the head cannot be lower */
function headNumberCall(least: number): RpcCall<number> {
  return {
    method: 'eth_blockNumber',
    params: [],
    read: (answer) => {
      const head = readQuantity(answer, 'the newest block');
      if (head >= least) return head;
      throw new MalformedAnswer(`the receipt is from block ${least}, above the newest block ${head}`);
    },
  };
}
