import { type Hex, numberToHex } from 'viem';
import type { EvmLog } from './anvil-behind.js';
import type { Inclusion } from './inclusion.js';
import type { Json } from './protobuf.js';
import { evmAddress } from './tron-address.js';
import { ENERGY_PRICE } from './tron-resources.js';
import { createdAddress, integer } from './tron-transaction.js';

export const NO_BLOOM: Hex = `0x${'0'.repeat(512)}`;
export const ZERO_NONCE: Hex = '0x0000000000000000';

/** @param before the inclusions of its block, up to this one */
export function receiptView(inclusion: Inclusion, before: readonly Inclusion[]): Json {
  const { transaction, result, execution } = inclusion;
  const { type } = transaction;
  const { from, to } = transactionView(inclusion);
  return {
    ...placeOf(inclusion),
    ...{ from, to },
    transactionHash: hashOf(inclusion),
    cumulativeGasUsed: numberToHex(before.reduce((sum, each) => sum + energyOf(each), 0)),
    gasUsed: numberToHex(energyOf(inclusion)),
    effectiveGasPrice: numberToHex(ENERGY_PRICE),
    contractAddress: type === 'CreateSmartContract' ? evmAddress(createdAddress(transaction)) : null,
    logs: result === 'SUCCESS' ? execution.logs.map((log) => logOf(log, inclusion)) : [],
    logsBloom: NO_BLOOM,
    root: null,
    status: result === 'SUCCESS' ? '0x1' : '0x0',
    type: '0x0',
  };
}

export function energyOf({ energy }: Inclusion): number {
  return energy.usage + energy.fee / ENERGY_PRICE;
}

export function hashOf({ transaction }: Inclusion): Hex {
  return `0x${transaction.id}`;
}

function placeOf({ block, index }: Inclusion): Json {
  return {
    blockHash: `0x${block.id}`,
    blockNumber: numberToHex(block.number),
    transactionIndex: numberToHex(index),
  };
}

export function logOf({ address, topics, data, logIndex }: EvmLog, inclusion: Inclusion): Json {
  return {
    ...{ address, topics, data, logIndex },
    ...placeOf(inclusion),
    blockTimestamp: numberToHex(inclusion.block.timestamp / 1_000),
    transactionHash: hashOf(inclusion),
    removed: false,
  };
}

export function transactionView(inclusion: Inclusion): Json {
  const { transaction } = inclusion;
  const { contract, signatures, owner } = transaction;
  const to = contract['contract_address'] ?? contract['to_address'];
  const signature = signatures[0]!;
  return {
    ...placeOf(inclusion),
    hash: hashOf(inclusion),
    from: evmAddress(owner),
    to: to === undefined ? null : evmAddress(String(to)),
    value: numberToHex(integer(contract['call_value'] ?? contract['amount'])),
    gas: numberToHex(energyOf(inclusion)),
    gasPrice: numberToHex(ENERGY_PRICE),
    input: `0x${String(contract['data'] ?? '')}`,
    type: '0x0',
    nonce: ZERO_NONCE,
    v: `0x${signature.slice(128)}`,
    r: `0x${signature.slice(0, 64)}`,
    s: `0x${signature.slice(64, 128)}`,
  };
}
