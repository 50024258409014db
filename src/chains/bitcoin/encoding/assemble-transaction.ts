import {
  compactSize,
  doubleSha256,
  bytesOfDisplayHash,
  displayHashOf,
  uint32,
  uint64,
  withLengthPrefix,
} from './wire-bytes.js';

export interface Outpoint {
  /** Hexadecimal in display order. */
  readonly txid: string;
  readonly vout: number;
}

export interface TransactionInput extends Outpoint {
  /** Values below 0xfffffffe signal replaceability (BIP-125). */
  readonly sequence?: number;
  readonly signatureScript?: Uint8Array;
  readonly witness?: readonly Uint8Array[];
}

export interface TransactionOutput {
  /** Lower-case hexadecimal. */
  readonly script: string;
  /** Satoshi. */
  readonly amount: bigint;
}

export interface TransactionParts {
  readonly version?: number;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  readonly lockTime?: number;
}

export interface AssembledTransaction {
  readonly txid: string;
  readonly wtxid: string;
  readonly bytes: Buffer;
}

export const REPLACEABLE_SEQUENCE = 0xfffffffd;

export function assembleTransaction(parts: TransactionParts): AssembledTransaction {
  const stripped = serializeTransaction(parts, false);
  const bytes = serializeTransaction(parts, true);
  return { txid: displayHashOf(doubleSha256(stripped)), wtxid: displayHashOf(doubleSha256(bytes)), bytes };
}

export function outpointBytes({ txid, vout }: Outpoint): Buffer {
  return Buffer.concat([bytesOfDisplayHash(txid), uint32(vout)]);
}

export function outputBytes({ script, amount }: TransactionOutput): Buffer {
  return Buffer.concat([uint64(amount), withLengthPrefix(Buffer.from(script, 'hex'))]);
}

function serializeTransaction(
  { version = 2, inputs, outputs, lockTime = 0 }: TransactionParts,
  withWitness: boolean,
): Buffer {
  const witnessed = withWitness && inputs.some(({ witness = [] }) => witness.length > 0);
  return Buffer.concat([
    uint32(version),
    ...(witnessed ? [Buffer.from([0, 1])] : []),
    compactSize(inputs.length),
    ...inputs.flatMap((input) => [
      outpointBytes(input),
      withLengthPrefix(input.signatureScript ?? Buffer.alloc(0)),
      uint32(input.sequence ?? REPLACEABLE_SEQUENCE),
    ]),
    compactSize(outputs.length),
    ...outputs.map(outputBytes),
    ...(witnessed ? inputs.map(({ witness = [] }) => witnessBytes(witness)) : []),
    uint32(lockTime),
  ]);
}

function witnessBytes(witness: readonly Uint8Array[]): Buffer {
  return Buffer.concat([compactSize(witness.length), ...witness.map(withLengthPrefix)]);
}
