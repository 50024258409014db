import { secp256k1 } from '@noble/curves/secp256k1';
import {
  type Hex,
  type TransactionSerializable,
  hexToBytes,
  keccak256,
  numberToHex,
  parseTransaction,
  serializeTransaction,
} from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { AccessedAccount } from './machine.js';

export interface SignedTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
  readonly type: number;
  /** The chain it was signed for; null: any. */
  readonly chainId: number | null;
  readonly from: string;
  readonly nonce: number;
  readonly to: string | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly gasLimit: bigint;
  /** Before EIP-1559 both are the gas price. */
  readonly maxFee: bigint;
  readonly maxTip: bigint;
  readonly accessList: readonly AccessedAccount[];
  readonly signature: { readonly v: bigint; readonly r: bigint; readonly s: bigint };
}

export interface Unsigned extends Pick<
  SignedTransaction,
  'nonce' | 'to' | 'value' | 'data' | 'gasLimit' | 'maxFee' | 'maxTip'
> {
  readonly chainId: number;
}

export interface Signer {
  readonly address: string;
  readonly key: Uint8Array;
}

const TYPES: readonly string[] = ['legacy', 'eip2930', 'eip1559'];

/** @throws Error in words where these bytes are no transaction of that chain, signed by somebody */
export function readTransaction(raw: string, chainId: number): SignedTransaction {
  const parsed = parseTransaction(raw as Hex);
  const type = TYPES.indexOf(parsed.type ?? '');
  if (type === -1) throw new Error('transaction type not supported');
  const { r, s, v, yParity, ...unsigned } = parsed as TransactionSerializable & Record<'r' | 's', Hex>;
  if (r === undefined || s === undefined) throw new Error('invalid sender');
  const named = unsigned.chainId ?? null;
  if (named !== null && named !== chainId)
    throw new Error(`invalid chain id for signer: have ${named} want ${chainId}`);
  const parity = type > 0 ? Number(yParity) : v! >= 35n ? Number((v! - 35n) % 2n) : Number(v! - 27n);
  const signature = { r: BigInt(r), s: BigInt(s), v: type > 0 ? BigInt(parity) : v! };
  const point = new secp256k1.Signature(signature.r, signature.s).addRecoveryBit(parity);
  if (point.hasHighS()) throw new Error('invalid transaction v, r, s values');
  const key = point.recoverPublicKey(hexToBytes(keccak256(serializeTransaction(unsigned as never))));
  const { nonce = 0, to, value = 0n, data = '0x', gas: gasLimit = 0n, accessList = [] } = unsigned;
  const { maxFeePerGas: maxFee = unsigned.gasPrice ?? 0n, maxPriorityFeePerGas } = unsigned;
  return {
    hash: keccak256(raw as Hex),
    from: publicKeyToAddress(`0x${key.toHex(false)}`).toLowerCase(),
    maxTip: type === 2 ? (maxPriorityFeePerGas ?? 0n) : maxFee,
    ...{
      raw: raw.toLowerCase() as Hex,
      type,
      chainId: named,
      nonce,
      to: to?.toLowerCase() ?? null,
      value,
      data,
    },
    ...{ gasLimit, maxFee, accessList, signature },
  };
}

export function signTransaction(unsigned: Unsigned, { address, key }: Signer): SignedTransaction {
  const { nonce, to, value, data, gasLimit, maxFee, maxTip, chainId } = unsigned;
  const transaction = {
    ...{ type: 'eip1559' as const, chainId, nonce, to: to as Hex | null, value, data },
    ...{ gas: gasLimit, maxFeePerGas: maxFee, maxPriorityFeePerGas: maxTip },
  };
  const signed = secp256k1.sign(hexToBytes(keccak256(serializeTransaction(transaction))), key);
  const { r, s, recovery: yParity } = signed;
  const word = (value: bigint) => numberToHex(value, { size: 32 });
  const raw = serializeTransaction(transaction, { r: word(r), s: word(s), yParity });
  return {
    ...unsigned,
    ...{ raw, hash: keccak256(raw), from: address, type: 2, accessList: [] },
    to: to?.toLowerCase() ?? null,
    signature: { r, s, v: BigInt(yParity) },
  };
}

export function priceIn(baseFee: bigint, { maxFee, maxTip }: SignedTransaction): bigint {
  const most = baseFee + maxTip;
  return most < maxFee ? most : maxFee;
}
