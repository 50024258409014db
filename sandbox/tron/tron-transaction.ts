import { hash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { PREFIX, readTronAddress } from './tron-address.js';
import { CONTRACTS, RAW_DATA, TRANSACTION, type ContractType } from './tron-messages.js';
import { decodeMessage, encodeMessage, InvalidMessage, type Json } from './protobuf.js';

/** Bandwidth for the result that a block adds to a transaction (`MAX_RESULT_SIZE_IN_TX`). */
const RESULT_BYTES = 64;
const SIGNATURE_BYTES = 65;
/** Nodes ignore up to three further bytes. */
const MOST_SIGNATURE_BYTES = 68;

export interface TronTransaction {
  /** SHA-256 of the encoded `raw_data`, in hexadecimal. */
  readonly id: string;
  readonly rawData: Json;
  readonly rawBytes: Buffer;
  readonly signatures: readonly string[];
  readonly type: ContractType;
  readonly contract: Json;
  /** 21 bytes, in hexadecimal. */
  readonly owner: string;
}

/** @throws InvalidMessage */
export function readTransaction(json: Json): TronTransaction {
  const rawData = json['raw_data'];
  if (typeof rawData !== 'object' || rawData === null) throw new InvalidMessage('raw_data is missing');
  const { contract, ...rest } = rawData as Json;
  const contracts = Array.isArray(contract) ? (contract as Json[]) : [];
  const encoded = contracts.map((each) => {
    const { type, parameter } = each;
    const { type_url, value } = parameter as Json;
    const bytes = encodeMessage(messageOf(type), hexAddresses(value as Json));
    return { ...each, parameter: { type_url, value: bytes.toString('hex') } };
  });
  const rawBytes = encodeMessage(RAW_DATA, { ...rest, contract: encoded });
  return transactionOf(rawBytes, (json['signature'] ?? []) as string[]);
}

/** @param hex the encoded transaction with its signatures @throws InvalidMessage */
export function readHexTransaction(hex: string): TronTransaction {
  const { raw_data, signature = [] } = decodeMessage(TRANSACTION, Buffer.from(hex, 'hex'));
  if (typeof raw_data !== 'string') throw new InvalidMessage('raw_data is missing');
  return transactionOf(Buffer.from(raw_data, 'hex'), signature as string[]);
}

/** @returns the transaction with its signatures, as `readHexTransaction` reads it */
export function encodeTransaction({ rawBytes, signatures }: TronTransaction): string {
  const fields = { raw_data: rawBytes.toString('hex'), signature: signatures };
  return encodeMessage(TRANSACTION, fields).toString('hex');
}

function transactionOf(rawBytes: Buffer, signatures: readonly string[]): TronTransaction {
  const rawData = decodeMessage(RAW_DATA, rawBytes);
  const contracts = (rawData['contract'] ?? []) as (Json & {
    parameter: { type_url: string; value: string };
  })[];
  const [only] = contracts;
  if (only === undefined || contracts.length > 1)
    throw new InvalidMessage('exactly one contract is required');
  const type = only['type'] as ContractType;
  const contract = decodeMessage(messageOf(type), Buffer.from(only.parameter.value, 'hex'));
  const owner = readTronAddress(contract['owner_address']);
  if (owner === undefined) throw new InvalidMessage('Invalid ownerAddress');
  const parameter = { value: contract, type_url: only.parameter.type_url };
  return {
    id: hash('sha256', rawBytes),
    rawData: { ...rawData, contract: [{ ...only, parameter }] },
    ...{ rawBytes, type, contract, owner },
    signatures: signatures.map((each) => each.toLowerCase()),
  };
}

function messageOf(type: unknown) {
  const known = CONTRACTS[type as ContractType] as (typeof CONTRACTS)[ContractType] | undefined;
  if (known === undefined) throw new InvalidMessage(`the sandbox does not execute ${String(type)}`);
  return known;
}

/** Addresses are Base58Check in requests with `visible`. */
function hexAddresses(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => {
      if (key.endsWith('_address')) return [key, readTronAddress(value) ?? value];
      return [key, key === 'new_contract' ? hexAddresses(value as Json) : value];
    }),
  );
}

/** @returns whether the only signature is the owner's, as for an account with one key */
export function isSignedByOwner({ id, signatures, owner }: TronTransaction): boolean {
  const [signature] = signatures;
  if (signature === undefined || signatures.length > 1) return false;
  const bytes = Buffer.from(signature, 'hex');
  if (bytes.length < SIGNATURE_BYTES || bytes.length > MOST_SIGNATURE_BYTES) return false;
  const recovery = bytes[SIGNATURE_BYTES - 1]! % 27;
  try {
    const key = secp256k1.Signature.fromCompact(bytes.subarray(0, SIGNATURE_BYTES - 1))
      .addRecoveryBit(recovery)
      .recoverPublicKey(id)
      .toRawBytes(false);
    return PREFIX + Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex') === owner;
  } catch {
    return false;
  }
}

/** Bytes that the transaction needs of its owner's bandwidth. */
export function bandwidthOf({ rawBytes, signatures }: TronTransaction): number {
  return encodedSize(rawBytes.length) + signatures.length * encodedSize(SIGNATURE_BYTES) + RESULT_BYTES;
}

function encodedSize(length: number): number {
  return 1 + (length < 0x80 ? 1 : length < 0x4000 ? 2 : 3) + length;
}

/** The address of the contract that this transaction creates. */
export function createdAddress({ id, owner }: Pick<TronTransaction, 'id' | 'owner'>): string {
  return PREFIX + Buffer.from(keccak_256(Buffer.from(id + owner, 'hex')).subarray(12)).toString('hex');
}

export function integer(value: unknown): number {
  return typeof value === 'number' ? value : Number(value ?? 0);
}

/** The JSON form of the node's answers. */
export function transactionJson(transaction: TronTransaction, result?: string): Json {
  const { id, rawData, rawBytes, signatures, type } = transaction;
  return {
    ...(result !== undefined && { ret: [{ contractRet: result }] }),
    ...(signatures.length > 0 && { signature: signatures }),
    ...{ visible: false, txID: id, raw_data: rawData },
    ...(type === 'CreateSmartContract' && { contract_address: createdAddress(transaction) }),
    raw_data_hex: rawBytes.toString('hex'),
  };
}
