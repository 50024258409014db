import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1';
import { describe, expect, it } from '@jest/globals';
import { InvalidMessage, type Json } from './protobuf.js';
import { toBase58 } from './tron-address.js';
import {
  createdAddress,
  encodeTransaction,
  isSignedByOwner,
  readHexTransaction,
  readTransaction,
} from './tron-transaction.js';

interface Recorded {
  readonly txID: string;
  readonly contract_address?: string;
  readonly raw_data: Json;
}

/** Transactions of the Nile network, as java-tron's documentation records them. */
const RECORDED = JSON.parse(
  readFileSync(new URL('../../test/fixtures/tron/transactions.json', import.meta.url), 'utf8'),
) as Recorded[];

const KEY = '1111111111111111111111111111111111111111111111111111111111111111';
/** The account of that key. */
const OWNER = '4119e7e376e7c213b7e7e7e46cc70a5dd086daff2a';

function signed(rawData: Json): { json: Json; hex: string } {
  const signature = secp256k1.sign(readTransaction({ raw_data: rawData }).id, KEY);
  const digits = signature.toCompactHex() + signature.recovery.toString(16).padStart(2, '0');
  const json = { raw_data: rawData, signature: [digits] };
  return { json, hex: encodeTransaction(readTransaction(json)) };
}

const TRANSFER = {
  contract: [
    {
      parameter: {
        value: { owner_address: OWNER, to_address: '4192ad11c1bf16b3b14b0bd6b5c7e2db73a0b5e83a', amount: 7 },
        type_url: 'type.googleapis.com/protocol.TransferContract',
      },
      type: 'TransferContract',
    },
  ],
  ref_block_bytes: '2927',
  ref_block_hash: '939ece39d08a7abe',
  expiration: 1_777_447_527_000,
  timestamp: 1_777_447_470_038,
};

describe('A TRON transaction', () => {
  it.each(RECORDED)('has the recorded id $txID', ({ txID, contract_address, raw_data }) => {
    const transaction = readTransaction({ raw_data });

    expect(transaction.id).toBe(txID);
    if (contract_address !== undefined) expect(createdAddress(transaction)).toBe(contract_address);
  });

  it.each(RECORDED)('is the same in JSON and in bytes: $txID', ({ raw_data }) => {
    const { hex } = signed(raw_data);

    expect(readHexTransaction(hex).rawData).toEqual(raw_data);
  });

  it('accepts only the signature of its owner', () => {
    const { json, hex } = signed(TRANSFER);
    const [contract] = TRANSFER.contract;
    const value = { ...contract!.parameter.value, owner_address: `41${'22'.repeat(20)}` };
    const other = { ...TRANSFER, contract: [{ ...contract, parameter: { ...contract!.parameter, value } }] };

    expect(isSignedByOwner(readTransaction(json))).toBe(true);
    expect(isSignedByOwner(readHexTransaction(hex))).toBe(true);
    expect(isSignedByOwner(readTransaction({ ...json, raw_data: { ...TRANSFER, timestamp: 1 } }))).toBe(
      false,
    );
    expect(isSignedByOwner(readTransaction(signed(other).json))).toBe(false);
    expect(isSignedByOwner(readTransaction({ raw_data: TRANSFER }))).toBe(false);
  });

  it('has the same id with addresses in Base58Check', () => {
    const [contract] = TRANSFER.contract;
    const { value } = contract!.parameter;
    const spelled = {
      ...value,
      owner_address: toBase58(value.owner_address),
      to_address: toBase58(value.to_address),
    };
    const raw_data = {
      ...TRANSFER,
      contract: [{ ...contract, parameter: { ...contract!.parameter, value: spelled } }],
    };

    expect(readTransaction({ raw_data }).id).toBe(readTransaction({ raw_data: TRANSFER }).id);
  });

  it.each([
    ['no raw_data', {}],
    ['no contract', { raw_data: { ...TRANSFER, contract: [] } }],
    ['two contracts', { raw_data: { ...TRANSFER, contract: [...TRANSFER.contract, ...TRANSFER.contract] } }],
    [
      'an unknown type',
      { raw_data: { ...TRANSFER, contract: [{ ...TRANSFER.contract[0], type: 'VoteAsset' }] } },
    ],
  ])('is rejected with %s', (_, json) => {
    expect(() => readTransaction(json)).toThrow(InvalidMessage);
  });
});
