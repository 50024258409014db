import { secp256k1 } from '@noble/curves/secp256k1';
import { ripemd160 } from '@noble/hashes/legacy';
import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils';
import { bech32, bech32m, createBase58check } from '@scure/base';
import {
  type AssembledTransaction,
  assembleTransaction,
  outpointBytes,
  outputBytes,
  type Outpoint,
  REPLACEABLE_SEQUENCE,
  type TransactionOutput,
} from '#chains/bitcoin/encoding/assemble-transaction.js';
import { doubleSha256, uint32, uint64, withLengthPrefix } from '#chains/bitcoin/encoding/wire-bytes.js';

/** Prefixes of regtest addresses. */
const PREFIX = 'bcrt';
const KEY_HASH = 0x6f;
const SCRIPT_HASH = 0xc4;

const SIGN_ALL = 1;
const VERSION = 2;

export interface Coin extends Outpoint {
  readonly amount: bigint;
}

/** A private key with pay-to-witness-public-key-hash outputs (BIP-84). */
export class WitnessKey {
  private readonly publicKey: Uint8Array;
  /** The output script that pays the key, in lower-case hexadecimal. */
  readonly script: string;
  readonly address: string;

  /** @param privateKey 32 bytes in hexadecimal, with or without `0x` */
  constructor(private readonly privateKey: string) {
    this.publicKey = secp256k1.getPublicKey(this.secret(), true);
    const hash = hash160(this.publicKey);
    this.script = `0014${bytesToHex(hash)}`;
    this.address = bech32.encode(PREFIX, [0, ...bech32.toWords(hash)]);
  }

  /**
   * Signs a transaction that spends coins of this key (BIP-143).
   * @param sequence default: the transaction is replaceable (BIP-125)
   */
  spend(
    coins: readonly Coin[],
    outputs: readonly TransactionOutput[],
    sequence = REPLACEABLE_SEQUENCE,
  ): AssembledTransaction {
    const witness = coins.map((coin) => [this.sign(coin, coins, outputs, sequence), this.publicKey]);
    const inputs = coins.map((coin, i) => ({ ...coin, sequence, witness: witness[i]! }));
    return assembleTransaction({ version: VERSION, inputs, outputs });
  }

  private sign(
    coin: Coin,
    coins: readonly Coin[],
    outputs: readonly TransactionOutput[],
    sequence: number,
  ): Uint8Array {
    const scriptCode = withLengthPrefix(Buffer.from(`76a914${this.script.slice(4)}88ac`, 'hex'));
    const digest = doubleSha256(
      Buffer.concat([
        uint32(VERSION),
        doubleSha256(Buffer.concat(coins.map(outpointBytes))),
        doubleSha256(Buffer.concat(coins.map(() => uint32(sequence)))),
        outpointBytes(coin),
        scriptCode,
        uint64(coin.amount),
        uint32(sequence),
        doubleSha256(Buffer.concat(outputs.map(outputBytes))),
        uint32(0),
        uint32(SIGN_ALL),
      ]),
    );
    const signature = secp256k1.sign(digest, this.secret(), { lowS: true }).toDERRawBytes();
    return Buffer.concat([signature, Buffer.from([SIGN_ALL])]);
  }

  private secret(): Uint8Array {
    return hexToBytes(this.privateKey.replace(/^0x/, ''));
  }
}

/** The output script in lower-case hexadecimal; undefined if the string is not a regtest address. */
export function scriptOf(address: string): string | undefined {
  const separator = address.lastIndexOf('1');
  if (address.toLowerCase().slice(0, separator) === PREFIX) return witnessScript(address);
  try {
    const bytes = createBase58check(sha256).decode(address);
    const hash = bytesToHex(bytes.subarray(1));
    if (bytes.length !== 21) return undefined;
    if (bytes[0] === KEY_HASH) return `76a914${hash}88ac`;
    return bytes[0] === SCRIPT_HASH ? `a914${hash}87` : undefined;
  } catch {
    return undefined;
  }
}

function witnessScript(address: string): string | undefined {
  for (const coding of [bech32, bech32m]) {
    const decoded = coding.decodeUnsafe(address);
    const program = decoded && coding.fromWordsUnsafe(decoded.words.slice(1));
    if (decoded === undefined || !program) continue;
    const [version = 0] = decoded.words;
    if ((version === 0) !== (coding === bech32) || version > 16) return undefined;
    const opcode = version === 0 ? 0 : 0x50 + version;
    return bytesToHex(Uint8Array.from([opcode, program.length, ...program]));
  }
  return undefined;
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}
