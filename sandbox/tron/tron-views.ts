import { stringToHex } from 'viem';
import type { TronBlock } from './anvil-behind.js';
import type { Json } from './protobuf.js';
import { PREFIX, readTronAddress, toBase58 } from './tron-address.js';
import type { Inclusion } from './inclusion.js';
import type { TronChain } from './tron-chain.js';
import { createdAddress, transactionJson } from './tron-transaction.js';

const WITNESS = `${PREFIX}${'57'.repeat(20)}`;
const BLOCK_VERSION = 34;

/** Omits what is zero or empty, as the node's JSON does. */
function present(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== 0 && value !== undefined && value !== ''),
  );
}

export function blockView(chain: TronChain, block: TronBlock): Json {
  const transactions = chain
    .inclusionsOf(block)
    .map(({ transaction, result, anvilHash }) =>
      transactionJson(transaction, anvilHash === null ? 'SUCCESS' : result),
    );
  return {
    blockID: block.id,
    block_header: {
      raw_data: present({
        number: block.number,
        txTrieRoot: '0'.repeat(64),
        witness_address: WITNESS,
        parentHash: block.parentId,
        version: BLOCK_VERSION,
        timestamp: block.timestamp,
      }),
      witness_signature: '',
    },
    ...(transactions.length > 0 && { transactions }),
  };
}

/** The answer of `wallet/gettransactioninfobyid`. */
export function transactionInfo(inclusion: Inclusion): Json {
  const { transaction, block, result, execution, energy, bandwidth, fee, anvilHash } = inclusion;
  const { id, type, contract } = transaction;
  const isCall = anvilHash !== null;
  const address = type === 'CreateSmartContract' ? createdAddress(transaction) : contract['contract_address'];
  const total = energy.usage + energy.fee / 100;
  return present({
    id,
    fee,
    blockNumber: block.number,
    blockTimeStamp: block.timestamp,
    contractResult: [isCall && type === 'TriggerSmartContract' ? execution.output.slice(2) : ''],
    contract_address: address,
    receipt: present({
      energy_usage: energy.usage,
      energy_fee: energy.fee,
      energy_usage_total: total,
      net_usage: bandwidth.usage,
      net_fee: bandwidth.fee,
      energy_penalty_total: energy.penalty,
      result: isCall ? result : undefined,
    }),
    ...(execution.succeeded && execution.logs.length > 0 && { log: execution.logs.map(logView) }),
    ...(result !== 'SUCCESS' && { result: 'FAILED', resMessage: hexOfText(messageOf(result)) }),
  });
}

export function logView({ address, topics, data }: Inclusion['execution']['logs'][number]): Json {
  return present({
    address: address.slice(2),
    topics: topics.map((topic) => topic.slice(2)),
    data: data.slice(2),
  });
}

export function messageOf(result: Inclusion['result']): string {
  return result === 'REVERT' ? 'REVERT opcode executed' : 'Not enough energy for operation executing';
}

export function hexOfText(text: string): string {
  return stringToHex(text).slice(2);
}

/** Spells addresses in Base58Check, as for requests with `visible`. */
export function visible(json: unknown, key = ''): unknown {
  if (Array.isArray(json)) return json.map((each) => visible(each, key));
  if (typeof json === 'object' && json !== null)
    return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, visible(value, name)]));
  if (typeof json !== 'string' || !/(?:^|_)address$/.test(key)) return key === 'visible' ? true : json;
  const address = readTronAddress(json);
  return address === undefined ? json : toBase58(address);
}
