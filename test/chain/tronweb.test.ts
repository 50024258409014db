import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { TronWeb, utils } from 'tronweb';
import { readTronAddress, toBase58 } from '#sandbox/tron/tron-address.js';
import {
  createdAddress,
  isSignedByOwner,
  readTransaction,
  transactionJson,
} from '#sandbox/tron/tron-transaction.js';

const CASES = 1_000;

const random = new SeededRandom(Number(process.env['SEED'] ?? process.env['RUN_SEED'] ?? 1));
const below = (limit: number) => random.wholeNumber(0, limit - 1);
const hex = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => below(256))).toString('hex');
const upTo = (bytes: number) => hex(1 + below(bytes));
const address = () => `41${hex(20)}`;
/** Up to the largest integer that JSON keeps. */
const integer = () => Math.floor(2 ** below(53)) + below(1_000);

function randomContract(owner_address: string): { type: string; value: object } {
  switch (below(3)) {
    case 0:
      return { type: 'TransferContract', value: { owner_address, to_address: address(), amount: integer() } };
    case 1: {
      const call = { owner_address, contract_address: address(), data: upTo(600) };
      const value = below(2) === 0 ? {} : { call_value: integer() };
      return { type: 'TriggerSmartContract', value: { ...call, ...value } };
    }
    default: {
      const new_contract = {
        origin_address: owner_address,
        abi: {
          entrys: [
            {
              name: hex(3),
              type: 'Function',
              stateMutability: 'View',
              inputs: [{ name: 'a', type: 'uint256' }],
            },
          ],
        },
        bytecode: upTo(1_000),
        consume_user_resource_percent: below(101),
        name: upTo(16),
        origin_energy_limit: integer(),
      };
      return { type: 'CreateSmartContract', value: { owner_address, new_contract } };
    }
  }
}

describe('The TRON network of the sandbox', () => {
  it(`gives ${CASES} random transactions the ids, bytes, signers and addresses of tronweb`, () => {
    for (let i = 0; i < CASES; i += 1) {
      const key = hex(32);
      const owner = TronWeb.address.toHex(TronWeb.address.fromPrivateKey(key) as string).toLowerCase();
      const { type, value } = randomContract(owner);
      const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
      const raw_data = {
        contract: [{ parameter, type }],
        ref_block_bytes: hex(2),
        ref_block_hash: hex(8),
        expiration: integer(),
        timestamp: integer(),
        ...(below(2) === 0 ? {} : { fee_limit: integer() }),
      };
      const pb = utils.transaction.txJsonToPb({ raw_data } as never);
      const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
      const raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
      const signed = utils.crypto.signTransaction(key, {
        txID,
        raw_data,
        raw_data_hex,
      } as never) as object;

      const read = readTransaction(signed as never);

      expect(read.id).toBe(txID);
      expect(transactionJson(read)).toMatchObject({ txID, raw_data_hex });
      expect(isSignedByOwner(read)).toBe(true);
      expect(toBase58(owner)).toBe(TronWeb.address.fromHex(owner));
      expect(readTronAddress(TronWeb.address.fromHex(owner))).toBe(owner);
      if (type === 'CreateSmartContract') {
        const created = utils.ethersUtils.keccak256(`0x${txID}${owner}`).slice(-40);
        expect(createdAddress(read)).toBe(`41${created}`);
      }
    }
  });
});
