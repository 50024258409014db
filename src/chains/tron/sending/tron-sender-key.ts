import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { invalidField } from '#shared/kernel/domain-error.js';
import { SenderKey } from '#contexts/networks/application/outbound/sender-keys.js';
import type {
  SignedTransaction,
  UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { tronAddress } from '../addresses/tron-address.js';
import { encodeRawData, encodeSigned, transactionId } from './tron-transaction.js';

/** Signs the id of a transaction, which is the hash of everything in it. */
export class TronSenderKey extends SenderKey {
  readonly address: string;
  readonly #key: Uint8Array;

  /** @throws DomainError `validation_failed`, without quoting the key */
  constructor(privateKey: string) {
    super();
    const digits = privateKey.trim().replace(/^0x/, '');
    if (!/^[0-9a-fA-F]{64}$/.test(digits) || !secp256k1.utils.isValidPrivateKey(digits))
      throw invalidField('key', 'private_key', 'must be one private key: 64 hexadecimal digits, not zero.');
    this.#key = hexToBytes(digits);
    this.address = addressOfPublicKey(secp256k1.getPublicKey(this.#key, false));
  }

  sign(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const rawData = encodeRawData(this.address, transaction);
    const hash = transactionId(rawData);
    const signature = secp256k1.sign(hash, this.#key);
    const bytes = Uint8Array.from([...signature.toCompactRawBytes(), signature.recovery]);
    return Promise.resolve({ raw: encodeSigned(rawData, bytes), hash });
  }
}

/** @returns the address that signed; null if the signature is invalid */
export function signerOf(id: string, signature: Uint8Array): string | null {
  try {
    const [compact, recovery] = [signature.subarray(0, 64), signature[64]!];
    const point = secp256k1.Signature.fromCompact(compact).addRecoveryBit(recovery).recoverPublicKey(id);
    return addressOfPublicKey(point.toRawBytes(false));
  } catch {
    return null;
  }
}

function addressOfPublicKey(uncompressed: Uint8Array): string {
  return tronAddress(`0x${bytesToHex(keccak_256(uncompressed.subarray(1)).subarray(12))}`);
}
