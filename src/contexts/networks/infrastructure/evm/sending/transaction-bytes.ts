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
  ReadTransaction,
  SignedTransaction,
  UnsignedTransaction,
} from '../../../application/sending/sending-chain.js';

/** As viem has it: EIP-1559 where there is a priority fee, else with one price (EIP-155). */
export function asTransaction({
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

/** Without a signature. */
export function serialized(transaction: UnsignedTransaction): Hex {
  return serializeTransaction(asTransaction(transaction));
}

/** @returns null for what is no signed transaction of these two kinds */
export async function readSigned(raw: string): Promise<ReadTransaction | null> {
  try {
    const bytes = raw as Hex;
    const signed = parseTransaction(bytes) as TransactionSerializableEIP1559 & { gasPrice?: bigint };
    const sender = await recoverTransactionAddress({ serializedTransaction: bytes as never });
    const { chainId, nonce = 0, to, data = '0x', value = 0n, gas = 0n } = signed;
    const { gasPrice, maxFeePerGas = gasPrice, maxPriorityFeePerGas = 0n } = signed;
    if (maxFeePerGas === undefined) return null;
    return {
      ...{ hash: keccak256(bytes), sender: sender.toLowerCase(), chainId, nonce },
      call: { to: (to ?? '').toLowerCase(), data, value, gasLimit: gas },
      fees: { maxFee: maxFeePerGas, priorityFee: gasPrice === undefined ? maxPriorityFeePerGas : null },
    };
  } catch {
    return null;
  }
}

/**
 * Whoever signs may be another program, and another's mistake: what comes back is taken only where it is what was asked
 * for, signed by the key.
 * @param raw hex with `0x` @throws Error that says what differs
 */
export async function provenSigned(
  raw: string,
  wanted: UnsignedTransaction,
  address: string,
): Promise<SignedTransaction> {
  const bytes = raw.toLowerCase() as Hex;
  const differs = await differenceOf(bytes, wanted, address);
  if (differs !== null) throw new Error(`The signer of ${address} signed ${differs}. Nothing was sent.`);
  return { raw: bytes, hash: keccak256(bytes) };
}

async function differenceOf(raw: Hex, wanted: UnsignedTransaction, address: string): Promise<string | null> {
  let signed: TransactionSerializable;
  try {
    signed = parseTransaction(raw) as TransactionSerializable;
    // The same bytes without their signature: whatever there is in a transaction is compared.
    const { r: _r, s: _s, v: _v, yParity: _y, ...unsigned } = signed;
    if (serializeTransaction(unsigned as TransactionSerializable) !== serialized(wanted))
      return 'another transaction than was asked for';
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as never });
    return signer.toLowerCase() === address ? null : `as ${signer}`;
  } catch {
    return 'something that is no transaction';
  }
}
