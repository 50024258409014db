import {
  type AssembledTransaction,
  type TransactionOutput,
  assembleTransaction,
} from './assemble-transaction.js';
import {
  compactSize,
  doubleSha256,
  bytesOfDisplayHash,
  merkleRoot,
  displayHashOf,
  uint32,
} from './wire-bytes.js';

/** The difficulty of regtest as header bits: every second nonce is valid. */
export const REGTEST_BITS = 0x207fffff;

export interface BlockParts {
  readonly parentHash: string;
  readonly height: number;
  /** Unix seconds. */
  readonly stamp: number;
  readonly bits: number;
  readonly payTo: TransactionOutput;
  /** Transactions without the coinbase, each after the transactions whose outputs it spends. */
  readonly transactions: readonly AssembledTransaction[];
  readonly mark?: number;
  readonly version?: number;
}

export interface AssembledBlock {
  readonly hash: string;
  readonly header: Buffer;
  readonly transactions: readonly AssembledTransaction[];
  readonly bytes: Buffer;
}

export function assembleBlock(parts: BlockParts): AssembledBlock {
  const transactions = [assembleCoinbase(parts), ...parts.transactions];
  const root = merkleRoot(transactions.map(({ txid }) => bytesOfDisplayHash(txid)));
  const header = Buffer.concat([
    uint32(parts.version ?? 0x20000000),
    bytesOfDisplayHash(parts.parentHash),
    root,
    uint32(parts.stamp),
    uint32(parts.bits),
    uint32(0),
  ]);
  const hash = findProofOfWork(header, targetOfBits(parts.bits));
  const bytes = Buffer.concat([
    header,
    compactSize(transactions.length),
    ...transactions.map((each) => each.bytes),
  ]);
  return { hash, header, transactions, bytes };
}

export function targetOfBits(bits: number): bigint {
  const mantissa = BigInt(bits & 0x7fffff);
  const shift = 8n * (BigInt(bits >>> 24) - 3n);
  return shift >= 0n ? mantissa << shift : mantissa >> -shift;
}

/** Pays the miner, states the height (BIP-34) and commits to the witnesses (BIP-141). */
function assembleCoinbase({ height, payTo, transactions, mark = 0 }: BlockParts): AssembledTransaction {
  const reserved = Buffer.alloc(32);
  const witnesses = merkleRoot([reserved, ...transactions.map(({ wtxid }) => bytesOfDisplayHash(wtxid))]);
  const commitment = doubleSha256(Buffer.concat([witnesses, reserved])).toString('hex');
  const input = {
    txid: '00'.repeat(32),
    vout: 0xffffffff,
    sequence: 0xffffffff,
    signatureScript: Buffer.concat([heightScript(height), Buffer.from([4]), uint32(mark)]),
    witness: [reserved],
  };
  const outputs = [payTo, { script: `6a24aa21a9ed${commitment}`, amount: 0n }];
  return assembleTransaction({ inputs: [input], outputs });
}

/** Pushes the height as a script number: one opcode up to 16, otherwise its bytes with a cleared sign bit. */
function heightScript(height: number): Buffer {
  if (height <= 16) return Buffer.from([height === 0 ? 0 : 0x50 + height]);
  const bytes: number[] = [];
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256);
  if (bytes.at(-1)! >= 0x80) bytes.push(0);
  return Buffer.from([bytes.length, ...bytes]);
}

function findProofOfWork(header: Buffer, target: bigint): string {
  for (let nonce = 0; nonce <= 0xffffffff; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    const hash = displayHashOf(doubleSha256(header));
    if (BigInt(`0x${hash}`) <= target) return hash;
  }
  throw new Error('No nonce of this block meets its target.');
}
