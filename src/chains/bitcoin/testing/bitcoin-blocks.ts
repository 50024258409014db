import { REGTEST_BITS, assembleBlock } from '../encoding/assemble-block.js';
import {
  type AssembledTransaction,
  type TransactionParts,
  assembleTransaction,
} from '../encoding/assemble-transaction.js';
import {
  compactSize,
  doubleSha256,
  bytesOfDisplayHash,
  merkleRoot,
  displayHashOf,
  uint32,
} from '../encoding/wire-bytes.js';

export interface NodeTransaction extends AssembledTransaction, TransactionParts {}

export interface NodeBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly stamp: number;
  /** Median of the timestamps of the last eleven blocks including this one, in Unix seconds. */
  readonly medianTime: number;
  readonly header: Buffer;
  readonly bytes: Buffer;
  readonly transactions: readonly NodeTransaction[];
}

export const SUBSIDY = 5_000_000_000n;
export const PAYER_SCRIPT = `0014${'a1'.repeat(20)}`;
const REGTEST_START_SECONDS = 1_296_688_602;
const MEDIAN_TIME_BLOCKS = 11;

const GENESIS_COINBASE = nodeTransaction({
  version: 1,
  inputs: [
    {
      txid: '00'.repeat(32),
      vout: 0xffffffff,
      sequence: 0xffffffff,
      signatureScript: Buffer.concat([
        Buffer.from('04ffff001d010445', 'hex'),
        Buffer.from('The Times 03/Jan/2009 Chancellor on brink of second bailout for banks'),
      ]),
    },
  ],
  outputs: [
    {
      script:
        '4104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb6' +
        '49f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac',
      amount: SUBSIDY,
    },
  ],
});

export function nodeTransaction(parts: TransactionParts): NodeTransaction {
  return { ...parts, ...assembleTransaction(parts) };
}

/** Creates the genesis block of regtest. Another timestamp creates another chain. */
export function genesis(stamp = REGTEST_START_SECONDS): NodeBlock {
  const parentHash = '00'.repeat(32);
  const root = merkleRoot([bytesOfDisplayHash(GENESIS_COINBASE.txid)]);
  const bits = uint32(REGTEST_BITS);
  const header = Buffer.concat([
    uint32(1),
    bytesOfDisplayHash(parentHash),
    root,
    uint32(stamp),
    bits,
    uint32(2),
  ]);
  const bytes = Buffer.concat([header, compactSize(1), GENESIS_COINBASE.bytes]);
  const times = { stamp, medianTime: stamp };
  const hash = displayHashOf(doubleSha256(header));
  return { height: 0, hash, parentHash, ...times, header, bytes, transactions: [GENESIS_COINBASE] };
}

let made = 0;

/**
 * @param stamps timestamps of the preceding blocks, newest last
 * @param fees total fees of all transactions
 */
export function nodeBlock(
  parent: NodeBlock,
  stamps: readonly number[],
  stamp: number,
  transactions: readonly NodeTransaction[],
  fees: bigint,
): NodeBlock {
  const height = parent.height + 1;
  const block = assembleBlock({
    ...{ parentHash: parent.hash, height, stamp, bits: REGTEST_BITS, transactions, mark: (made += 1) },
    payTo: { script: PAYER_SCRIPT, amount: SUBSIDY + fees },
  });
  const [coinbase] = block.transactions;
  const outputs = [{ script: PAYER_SCRIPT, amount: SUBSIDY + fees }];
  return {
    ...{ height, hash: block.hash, parentHash: parent.hash, stamp, header: block.header, bytes: block.bytes },
    medianTime: medianOf([...stamps.slice(1 - MEDIAN_TIME_BLOCKS), stamp]),
    transactions: [{ ...coinbase!, inputs: [], outputs }, ...transactions],
  };
}

function medianOf(stamps: readonly number[]): number {
  return stamps.toSorted((a, b) => a - b)[stamps.length >> 1]!;
}
