import { describe, expect, it } from '@jest/globals';
import { TronWeb, utils } from 'tronweb';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { seed } from '#test/support/properties.js';
import { tronAddress } from '#chains/tron/addresses/tron-address.js';
import { TronSenderKey, signerOf } from '#chains/tron/sending/tron-sender-key.js';
import { CREATION_ADDRESS, bandwidthOf, decodeSigned } from '#chains/tron/sending/tron-transaction.js';

const CASES = 1_000;
const random = new SeededRandom(seed);
const hex = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, () => random.wholeNumber(0, 255))).toString('hex');
/** Up to the largest integer that JSON keeps. */
const integer = () => Math.floor(2 ** random.wholeNumber(1, 52));

describe('A transaction of TRON', () => {
  it(`has the bytes, id and signature of tronweb in ${CASES} random cases`, async () => {
    for (let i = 0; i < CASES; i += 1) {
      const privateKey = hex(32);
      const key = new TronSenderKey(privateKey);
      const owner_address = TronWeb.address.toHex(key.address).toLowerCase();
      const [blockHash, data] = [hex(32), hex(random.wholeNumber(1, 600))];
      const [signedAt, expiresAt, energy, price, nonce] = [integer(), integer(), integer() % 1e7, 1 + i, i];
      const isCreation = i % 5 === 0;
      const to = isCreation ? CREATION_ADDRESS : tronAddress(`0x${hex(20)}`);
      const call_value = isCreation || i % 2 === 0 ? 0 : integer();
      const value = isCreation
        ? {
            owner_address,
            new_contract: {
              origin_address: owner_address,
              bytecode: data,
              consume_user_resource_percent: 100,
              name: 'ForwarderFactory',
              origin_energy_limit: 1,
            },
          }
        : { owner_address, contract_address: TronWeb.address.toHex(to), data, call_value };
      const type = isCreation ? 'CreateSmartContract' : 'TriggerSmartContract';
      const raw_data = {
        contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
        ref_block_bytes: blockHash.slice(12, 16),
        ref_block_hash: blockHash.slice(16, 32),
        expiration: expiresAt,
        timestamp: signedAt + nonce,
        fee_limit: energy * price,
      };
      const pb = utils.transaction.txJsonToPb({ raw_data } as never);
      const txID = utils.transaction.txPbToTxID(pb).replace(/^0x/, '');
      const raw_data_hex = utils.transaction.txPbToRawDataHex(pb).toLowerCase();
      const {
        signature: [theirs = ''],
      } = utils.crypto.signTransaction(privateKey, {
        txID,
        raw_data,
        raw_data_hex,
      } as never) as {
        signature: string[];
      };

      const { hash, raw } = await key.sign({
        ...{ chainId: 1, nonce, fees: { maxFee: BigInt(price), priorityFee: null } },
        call: { to, data: `0x${data}`, value: BigInt(call_value), gasLimit: BigInt(energy) },
        validity: { hash: blockHash, signedAt: new Date(signedAt), expiresAt: new Date(expiresAt) },
      });
      const read = decodeSigned(raw);

      expect(key.address).toBe(TronWeb.address.fromPrivateKey(privateKey));
      expect([hash, Buffer.from(read.rawData).toString('hex')]).toEqual([txID, raw_data_hex]);
      // tronweb adds 27 to the recovery bit, which nodes accept too.
      expect(Buffer.from(read.signature).toString('hex').slice(0, 128)).toBe(
        theirs.slice(0, 128).toLowerCase(),
      );
      expect(read.signature[64]).toBe(Number.parseInt(theirs.slice(128), 16) % 27);
      expect(signerOf(hash, read.signature)).toBe(key.address);
      expect(read).toMatchObject({
        id: hash,
        owner: key.address,
        to,
        data: `0x${data}`,
        value: BigInt(call_value),
      });
      expect(bandwidthOf(read.rawData)).toBeGreaterThanOrEqual(raw.length / 2 - 1 + 64);
    }
  });

  it('is not read from bytes that name a field twice', async () => {
    const key = new TronSenderKey('11'.repeat(32));
    const { raw } = await key.sign({
      ...{ chainId: 1, nonce: 0, fees: { maxFee: 1n, priorityFee: null } },
      call: { to: CREATION_ADDRESS, data: '0x00', value: 0n, gasLimit: 1n },
      validity: { hash: '00'.repeat(32), signedAt: new Date(1), expiresAt: new Date(2) },
    });

    expect(() => decodeSigned(raw + raw.slice(2))).toThrow('field 1 twice');
  });
});
