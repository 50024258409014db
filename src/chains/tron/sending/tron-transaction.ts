import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import type { UnsignedTransaction } from '#contexts/networks/application/outbound/outbound-chain.js';
import { MISSING_FACTORY } from '../tron-network.js';
import { hexOfTronAddress, tronAddress } from '../addresses/tron-address.js';

/** A call to the zero address creates a contract: its data is the creation code. */
export const CREATION_ADDRESS = MISSING_FACTORY;

/** Sun for each byte of a transaction that exceeds the free bandwidth. */
export const BANDWIDTH_PRICE = 1_000n;
/** Signature and result, and the length prefixes around them. */
const SIGNATURE_AND_RESULT_BYTES = 135;

const [CREATE_CONTRACT, TRIGGER_CONTRACT] = [30n, 31n];
const TYPE_URLS = new Map([
  [CREATE_CONTRACT, 'type.googleapis.com/protocol.CreateSmartContract'],
  [TRIGGER_CONTRACT, 'type.googleapis.com/protocol.TriggerSmartContract'],
]);
const CALLER_PAYS_ALL_ENERGY = 100n;
/** Never used, because the caller pays all energy. But nodes reject a contract without it. */
const ORIGIN_ENERGY_LIMIT = 1n;

/** The fields of java-tron's `Transaction.raw` that the service sets. Times in milliseconds since 1970. */
export interface TronTransaction {
  /** SHA-256 of `raw_data`. A block can include the id only once. */
  readonly id: string;
  readonly owner: string;
  readonly to: string;
  /** In hex with `0x`. */
  readonly data: string;
  readonly value: bigint;
  readonly expiration: number;
  readonly feeLimit: bigint;
}

type Field = readonly [number: number, value: bigint | Uint8Array];

/** @returns the encoded `raw_data` */
export function encodeRawData(
  owner: string,
  { call, fees, nonce, validity }: UnsignedTransaction,
): Uint8Array {
  if (validity === undefined) throw new Error('A transaction of TRON needs a block and an expiration.');
  const { hash, expiresAt, signedAt } = validity;
  const type = call.to === CREATION_ADDRESS ? CREATE_CONTRACT : TRIGGER_CONTRACT;
  const value = type === CREATE_CONTRACT ? creationOf(owner, call.data) : triggerOf(owner, call);
  const parameter = message([1, utf8(TYPE_URLS.get(type)!)], [2, value]);
  return message(
    [1, hexToBytes(hash.slice(12, 16))],
    [4, hexToBytes(hash.slice(16, 32))],
    [8, BigInt(expiresAt.getTime())],
    [11, message([1, type], [2, parameter])],
    // No node checks the time. With the number of the order, two orders with the same call have different ids.
    [14, BigInt(signedAt.getTime() + nonce)],
    [18, call.gasLimit * fees.maxFee],
  );
}

/** @returns bytes in hex with `0x`, as `wallet/broadcasthex` takes them */
export function encodeSigned(rawData: Uint8Array, signature: Uint8Array): string {
  return `0x${bytesToHex(message([1, rawData], [2, signature]))}`;
}

export function transactionId(rawData: Uint8Array): string {
  return bytesToHex(sha256(rawData));
}

/** Bandwidth in bytes, which the owner pays for by `BANDWIDTH_PRICE` if its free bandwidth does not suffice. */
export function bandwidthOf(rawData: Uint8Array): number {
  return rawData.length + SIGNATURE_AND_RESULT_BYTES;
}

/** @throws Error if the bytes are not a signed transaction of a kind that the service sends */
export function decodeSigned(raw: string): TronTransaction & { rawData: Uint8Array; signature: Uint8Array } {
  const [rawData, signature] = bytesOf(fieldsOf(hexToBytes(raw.replace(/^0x/, ''))), 1, 2);
  const fields = fieldsOf(rawData!);
  const contract = fieldsOf(bytesOf(fields, 11)[0]!);
  const type = contract.get(1);
  const parameter = fieldsOf(bytesOf(contract, 2)[0]!);
  const body = fieldsOf(bytesOf(parameter, 2)[0]!);
  const common = {
    id: transactionId(rawData!),
    owner: addressOf(bytesOf(body, 1)[0]!),
    expiration: Number(fields.get(8)),
    feeLimit: BigInt((fields.get(18) as bigint | undefined) ?? 0n),
    rawData: rawData!,
    signature: signature!,
  };
  if (type === CREATE_CONTRACT) {
    const [code] = bytesOf(fieldsOf(bytesOf(body, 2)[0]!), 4);
    return { ...common, to: CREATION_ADDRESS, data: `0x${bytesToHex(code!)}`, value: 0n };
  }
  if (type !== TRIGGER_CONTRACT) throw new Error('The service sends no transactions of this type.');
  const [to, data] = bytesOf(body, 2, 4);
  const value = (body.get(3) as bigint | undefined) ?? 0n;
  return { ...common, to: addressOf(to!), data: `0x${bytesToHex(data!)}`, value };
}

function creationOf(owner: string, code: string): Uint8Array {
  const contract = message(
    [1, addressBytes(owner)],
    [4, hexToBytes(code.slice(2))],
    [6, CALLER_PAYS_ALL_ENERGY],
    [7, utf8('ForwarderFactory')],
    [8, ORIGIN_ENERGY_LIMIT],
  );
  return message([1, addressBytes(owner)], [2, contract]);
}

function triggerOf(owner: string, { to, data, value }: UnsignedTransaction['call']): Uint8Array {
  return message([1, addressBytes(owner)], [2, addressBytes(to)], [3, value], [4, hexToBytes(data.slice(2))]);
}

/** 21 bytes. */
function addressBytes(address: string): Uint8Array {
  return hexToBytes(`41${hexOfTronAddress(address)!.slice(2)}`);
}

function addressOf(bytes: Uint8Array): string {
  return tronAddress(`0x${bytesToHex(bytes).slice(2)}`);
}

/** Protocol Buffers, version 3: the fields in order, without those that are zero. */
function message(...fields: readonly Field[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'bigint') return value === 0n ? [] : [varint(BigInt(number << 3)), varint(value)];
      return [varint(BigInt((number << 3) | 2)), varint(BigInt(value.length)), value];
    }),
  );
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7n) {
    if (left < 0x80n) return Uint8Array.from([...bytes, Number(left)]);
    bytes.push(Number(left & 0x7fn) | 0x80);
  }
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fieldsOf(bytes: Uint8Array): Map<number, bigint | Uint8Array> {
  const fields = new Map<number, bigint | Uint8Array>();
  let at = 0;
  const next = (): bigint => {
    for (let value = 0n, shift = 0n; ; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined || shift > 63n) throw new Error('The bytes are not a transaction.');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const key = Number(next());
    const number = key >>> 3;
    // A second field of the same number could hide the call that a node executes.
    if (fields.has(number)) throw new Error(`The bytes have field ${number} twice.`);
    if ((key & 7) === 0) fields.set(number, next());
    else if ((key & 7) === 2) {
      const length = Number(next());
      if (at + length > bytes.length) throw new Error('The bytes are not a transaction.');
      fields.set(number, bytes.subarray(at, at + length));
      at += length;
    } else throw new Error('The bytes are not a transaction.');
  }
  return fields;
}

function bytesOf(fields: ReadonlyMap<number, bigint | Uint8Array>, ...numbers: number[]): Uint8Array[] {
  return numbers.map((number) => {
    const value = fields.get(number);
    if (value instanceof Uint8Array) return value;
    throw new Error(`The bytes lack field ${number}.`);
  });
}
