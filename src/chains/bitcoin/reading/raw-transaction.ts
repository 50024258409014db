import { doubleSha256, displayHashOf } from '../encoding/wire-bytes.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { ByteReader } from './byte-reader.js';

/** 21 million bitcoin in satoshis, the consensus maximum of an output. */
const MAX_SATOSHIS = 2_100_000_000_000_000n;
const HASH_BYTES = 32;
const OUTPOINT_BYTES = 36;
const MAX_RECORDED_SPENDS = 100;
const COINBASE_OUTPOINT = Buffer.concat([Buffer.alloc(32), Buffer.alloc(4, 0xff)]);

export interface RawOutput {
  readonly script: string;
  /** Satoshis. May be 0. */
  readonly amount: bigint;
}

export class RawTransaction {
  private written: string | undefined;
  private spent: readonly string[] | undefined;

  /**
   * @param digest transaction id in byte order
   * @param inputsAt offset of the input count in `bytes`
   */
  constructor(
    readonly digest: Buffer,
    private readonly bytes: Buffer,
    private readonly inputsAt: number,
    readonly outputs: readonly RawOutput[],
  ) {}

  /** The transaction id in display order, which excludes witnesses: 64 hexadecimal digits. */
  get id(): string {
    return (this.written ??= displayHashOf(this.digest));
  }

  get isCoinbase(): boolean {
    const { bytes, inputsAt } = this;
    const isAlone = bytes[inputsAt] === 1;
    return (
      isAlone &&
      bytes.compare(COINBASE_OUTPOINT, 0, OUTPOINT_BYTES, inputsAt + 1, inputsAt + 1 + OUTPOINT_BYTES) === 0
    );
  }

  /** The first hundred outputs that the transaction spends, in order, each as `<transaction id>:<index>`. */
  get spends(): readonly string[] {
    return (this.spent ??= this.isCoinbase ? [] : this.readSpent());
  }

  private readSpent(): string[] {
    const reader = new ByteReader(this.bytes, this.inputsAt);
    const count = Math.min(MAX_RECORDED_SPENDS, reader.size());
    return Array.from({ length: count }, () => {
      const id = displayHashOf(reader.take(HASH_BYTES));
      const index = reader.uint32();
      skipSignature(reader);
      return `${id}:${index}`;
    });
  }
}

export function readTransaction(bytes: Buffer): RawTransaction {
  const reader = new ByteReader(bytes);
  const transaction = readNextTransaction(reader);
  if (!reader.isAtEnd) throw new MalformedAnswer('bytes follow the transaction');
  return transaction;
}

export function readNextTransaction(reader: ByteReader): RawTransaction {
  const { bytes } = reader;
  const begin = reader.skip(4);
  const hasWitness = bytes[reader.at] === 0;
  // BIP-144: a marker byte 0 in place of the input count, which is never 0, followed by a flag.
  if (hasWitness && bytes[reader.skip(2) + 1] !== 1)
    throw new MalformedAnswer('a transaction has an unknown flag');
  const inputsAt = reader.at;
  const inputs = skipInputs(reader);
  const outputs = readOutputs(reader);
  const bodyEnd = reader.at;
  if (hasWitness) skipWitnesses(reader, inputs);
  const lockTime = reader.skip(4);
  const stripped = hasWitness
    ? Buffer.concat([
        bytes.subarray(begin, begin + 4),
        bytes.subarray(inputsAt, bodyEnd),
        bytes.subarray(lockTime, reader.at),
      ])
    : bytes.subarray(begin, reader.at);
  return new RawTransaction(doubleSha256(stripped), bytes, inputsAt, outputs);
}

function skipInputs(reader: ByteReader): number {
  const count = reader.size();
  if (count === 0) throw new MalformedAnswer('a transaction has no inputs');
  for (let i = 0; i < count; i += 1) {
    reader.skip(OUTPOINT_BYTES);
    skipSignature(reader);
  }
  return count;
}

function skipSignature(reader: ByteReader): void {
  reader.skip(reader.size());
  reader.skip(4);
}

function readOutputs(reader: ByteReader): RawOutput[] {
  const count = reader.size();
  const outputs: RawOutput[] = [];
  for (let i = 0; i < count; i += 1) {
    const amount = reader.uint64();
    if (amount > MAX_SATOSHIS) throw new MalformedAnswer('an output exceeds the total supply of bitcoin');
    const length = reader.size();
    const from = reader.skip(length);
    outputs.push({ script: reader.bytes.toString('hex', from, from + length), amount });
  }
  return outputs;
}

function skipWitnesses(reader: ByteReader, inputs: number): void {
  for (let i = 0; i < inputs; i += 1) {
    const items = reader.size();
    for (let item = 0; item < items; item += 1) reader.skip(reader.size());
  }
}
