import type { PricedSignedTransaction } from '#contexts/networks/application/outbound/outbound-chain.js';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import type { EndpointReceipt } from '#contexts/networks/domain/outbound/on-chain-status.js';
import { requirePresent, readHeaderAt, readTransactionHashes } from '../../ethereum-rpc/block-answers.js';
import {
  type JsonFields,
  readAddressField,
  readFields,
  toHexQuantity,
  readAmount,
  readQuantity,
  readWord,
} from '../../ethereum-rpc/hex-fields.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { gasLimitOf } from './transaction-bytes.js';

export interface IndexedReceipt extends Omit<EndpointReceipt, 'parentHash'> {
  readonly index: number;
}

type TransactionPlace = Pick<IndexedReceipt, 'hash' | 'blockHash' | 'index'>;

/** Rejects a receipt whose cost exceeds the maximum cost of the transaction. */
export function receiptCall({ hash, raw, fees }: PricedSignedTransaction): RpcCall<IndexedReceipt | null> {
  return {
    method: 'eth_getTransactionReceipt',
    isLong: true,
    params: [hash],
    read: (answer) => {
      if (answer === null) return null;
      const receipt = readFields(answer, 'a receipt');
      if (readWord(receipt.transactionHash, 'hash') !== hash)
        throw new MalformedAnswer('the receipt belongs to another transaction');
      const status = readQuantity(receipt.status, 'status');
      if (status > 1) throw new MalformedAnswer(`the status is ${status}, not 0 or 1`);
      return {
        hash,
        blockNumber: readQuantity(receipt.blockNumber, 'blockNumber'),
        blockHash: readWord(receipt.blockHash, 'blockHash'),
        index: readQuantity(receipt.transactionIndex, 'transactionIndex'),
        succeeded: status === 1,
        gasCost: gasCostOf(receipt, gasLimitOf(raw), fees.maxFee),
      };
    },
  };
}

export function previousHeaderCall(number: number): RpcCall<BlockHeader> {
  return headerCall(number - 1, (header) => header);
}

export function parentHashCall(
  { hash, blockNumber, blockHash, index }: TransactionPlace & { readonly blockNumber: number },
  before: string,
): RpcCall<string> {
  return headerCall(blockNumber, ({ parentHash }, answer) => {
    if (readTransactionHashes(blockHash, answer)[index] !== hash)
      throw new MalformedAnswer('the transaction is not at the position that its receipt states');
    if (parentHash !== before) throw new MalformedAnswer('the block does not follow its parent');
    return parentHash;
  });
}

function headerCall<T>(number: number, take: (header: BlockHeader, answer: unknown) => T): RpcCall<T> {
  return {
    method: 'eth_getBlockByNumber',
    isLong: true,
    params: [toHexQuantity(number), false],
    read: (answer) => take(requirePresent(readHeaderAt(number, answer), `block ${number}`), answer),
  };
}

/** Throws if the transaction is not in the block, or has another sender or nonce. */
export function transactionPositionCall(
  { hash, blockHash, index }: TransactionPlace,
  sender: string,
  nonce: number,
): RpcCall<void> {
  return {
    method: 'eth_getTransactionByHash',
    isLong: true,
    params: [hash],
    read: (answer) => {
      const transaction = readFields(answer, 'the transaction of a receipt');
      const isIt =
        readWord(transaction.hash, 'hash') === hash &&
        readWord(transaction.blockHash, 'blockHash') === blockHash &&
        readQuantity(transaction.transactionIndex, 'transactionIndex') === index &&
        readAddressField(transaction.from, 'from') === sender &&
        readQuantity(transaction.nonce, 'nonce') === nonce;
      if (!isIt) throw new MalformedAnswer('the transaction is not the one in its receipt');
    },
  };
}

/**
 * Calculates the cost of a transaction, including the separate charges that receipts of OP Stack and some other rollups
 * state.
 */
function gasCostOf(receipt: JsonFields, gasLimit: bigint, maxFee: bigint): bigint | null {
  const gasUsed = readAmount(receipt.gasUsed, 'gasUsed');
  if (gasUsed > gasLimit) throw new MalformedAnswer(`gasUsed is above the limit ${gasLimit}`);
  if (receipt.effectiveGasPrice == null) return null;
  const price = readAmount(receipt.effectiveGasPrice, 'effectiveGasPrice');
  if (price > maxFee) throw new MalformedAnswer(`effectiveGasPrice is above the offered ${maxFee}`);
  return gasUsed * price + amountOrNone(receipt, 'l1Fee') + operatorFeeOf(receipt, gasUsed);
}

/** Follows the rule of the Isthmus upgrade, or of the later Jovian upgrade, whose receipts have `daFootprintGasScalar`. */
function operatorFeeOf(receipt: JsonFields, gasUsed: bigint): bigint {
  const scaled = gasUsed * amountOrNone(receipt, 'operatorFeeScalar');
  const isJovian = receipt.daFootprintGasScalar != null;
  return (isJovian ? scaled * 100n : scaled / 1_000_000n) + amountOrNone(receipt, 'operatorFeeConstant');
}

function amountOrNone(receipt: JsonFields, name: string): bigint {
  return receipt[name] == null ? 0n : readAmount(receipt[name], name);
}
