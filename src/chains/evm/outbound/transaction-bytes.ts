import {
  type Hex,
  type TransactionSerializable,
  type TransactionSerializableEIP1559,
  type TransactionSerializableLegacy,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
} from 'viem';
import type {
  DecodedOutboundTransaction,
  SignedTransaction,
  UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import type { SignedCall } from '#contexts/networks/domain/outbound/on-chain-status.js';
import {
  readAddressField,
  readBytesField,
  type JsonFields,
  readAmount,
  readQuantity,
} from '../../ethereum-rpc/hex-fields.js';

/**
 * Converts the transaction to the form that viem signs: EIP-1559 if it has a priority fee, otherwise legacy (EIP-155).
 */
export function toViemTransaction({
  chainId,
  nonce,
  call,
  fees: { maxFee, priorityFee },
}: UnsignedTransaction): TransactionSerializableEIP1559 | TransactionSerializableLegacy {
  const { gasLimit: gas, value } = call;
  const common = { chainId, nonce, gas, value, to: call.to as Hex, data: call.data as Hex };
  return priorityFee === null
    ? { ...common, type: 'legacy', gasPrice: maxFee }
    : { ...common, type: 'eip1559', maxFeePerGas: maxFee, maxPriorityFeePerGas: priorityFee };
}

export function serializeUnsigned(transaction: UnsignedTransaction): Hex {
  return serializeTransaction(toViemTransaction(transaction));
}

export function gasLimitOf(raw: string): bigint {
  return parseTransaction(raw as Hex).gas ?? 0n;
}

export async function decodeSignedTransaction(raw: string): Promise<DecodedOutboundTransaction | null> {
  try {
    const bytes = raw as Hex;
    const signed = parseTransaction(bytes) as TransactionSerializableEIP1559 & { gasPrice?: bigint };
    const sender = await recoverTransactionAddress({ serializedTransaction: bytes as never });
    const { chainId, nonce = 0, to, data = '0x', value = 0n, gas = 0n } = signed;
    const { gasPrice, maxFeePerGas = gasPrice, maxPriorityFeePerGas = 0n } = signed;
    if (maxFeePerGas === undefined) return null;
    return {
      hash: keccak256(bytes),
      sender: sender.toLowerCase(),
      chainId,
      nonce,
      call: { to: (to ?? '').toLowerCase(), data, value, gasLimit: gas },
      fees: { maxFee: maxFeePerGas, priorityFee: gasPrice === undefined ? maxPriorityFeePerGas : null },
    };
  } catch {
    return null;
  }
}

/** Verifies the answer of a signer, which may be a separate, faulty program. */
export async function verifySignedTransaction(
  raw: string,
  requested: UnsignedTransaction,
  address: string,
): Promise<SignedTransaction> {
  const bytes = raw.toLowerCase() as Hex;
  const differs = await differenceOf(bytes, requested, address);
  if (differs !== null) throw new Error(`The signer of ${address} returned ${differs}. Nothing was sent.`);
  return { raw: bytes, hash: keccak256(bytes) };
}

async function differenceOf(
  raw: Hex,
  requested: UnsignedTransaction,
  address: string,
): Promise<string | null> {
  let signed: TransactionSerializable;
  try {
    signed = parseTransaction(raw) as TransactionSerializable;
    // Compares all fields by serializing the transaction without its signature.
    const { r: _r, s: _s, v: _v, yParity: _y, ...unsigned } = signed;
    if (serializeTransaction(unsigned as TransactionSerializable) !== serializeUnsigned(requested))
      return 'a transaction that differs from the requested one';
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    return signer.toLowerCase() === address ? null : `a signature by ${signer}`;
  } catch {
    return 'bytes that are not a transaction';
  }
}

/** If the hash and the recovered sender match, the key signed the transaction, even if the endpoint is dishonest. */
export async function signedCallOf(
  fields: JsonFields,
  hash: string,
  address: string,
): Promise<SignedCall | null> {
  try {
    const { nonce, to, input, value, gas, type, r, s, v, yParity } = fields;
    const isLegacy = readQuantity(type, 'type') === 0;
    const chainId = isLegacy ? legacyChainId(readAmount(v, 'v')) : readQuantity(fields.chainId, 'chainId');
    const call = {
      to: readAddressField(to, 'to'),
      data: readBytesField(input, 'input'),
      value: readAmount(value, 'value'),
      gasLimit: readAmount(gas, 'gas'),
    };
    const fees = {
      maxFee: readAmount(isLegacy ? fields.gasPrice : fields.maxFeePerGas, 'the fee'),
      priorityFee: isLegacy ? null : readAmount(fields.maxPriorityFeePerGas, 'the fee'),
    };
    const transaction = toViemTransaction({ chainId, nonce: readQuantity(nonce, 'nonce'), call, fees });
    const words = { r: padTo32Bytes(r), s: padTo32Bytes(s) };
    const raw = serializeTransaction(
      transaction,
      isLegacy ? { ...words, v: readAmount(v, 'v') } : { ...words, yParity: readQuantity(yParity ?? v, 'v') },
    );
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    return keccak256(raw) === hash && signer.toLowerCase() === address ? { call, fees, raw } : null;
  } catch {
    return null;
  }
}

/** Returns the chain id of a legacy transaction, which EIP-155 encodes in `v`. */
function legacyChainId(v: bigint): number {
  return Number((v - 35n) / 2n);
}

/** Pads a signature value to 32 bytes, because nodes omit leading zeros of quantities. */
function padTo32Bytes(value: unknown): Hex {
  return `0x${readAmount(value, 'a signature').toString(16).padStart(64, '0')}`;
}
