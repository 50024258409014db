import type { Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { invalidField } from '#shared/kernel/domain-error.js';
import { SenderKey } from '#contexts/networks/application/outbound/sender-keys.js';
import type {
  SignedTransaction,
  UnsignedTransaction,
} from '#contexts/networks/application/outbound/outbound-chain.js';
import { toViemTransaction, verifySignedTransaction } from './transaction-bytes.js';

export class LocalSenderKey extends SenderKey {
  readonly address: string;
  private readonly account: PrivateKeyAccount;

  /**
   * @throws DomainError `validation_failed`, without quoting the key
   */
  constructor(privateKey: string) {
    super();
    this.account = accountOf(privateKey);
    this.address = this.account.address.toLowerCase();
  }

  async sign(transaction: UnsignedTransaction): Promise<SignedTransaction> {
    const raw = await this.account.signTransaction(toViemTransaction(transaction));
    return verifySignedTransaction(raw, transaction, this.address);
  }
}

function accountOf(privateKey: string): PrivateKeyAccount {
  const digits = privateKey.trim().replace(/^0x/, '');
  const rule = 'must be one private key: 64 hexadecimal digits.';
  if (!/^[0-9a-fA-F]{64}$/.test(digits)) throw invalidField('key', 'private_key', rule);
  try {
    return privateKeyToAccount(`0x${digits}` as Hex);
  } catch {
    throw invalidField('key', 'private_key', 'must be a valid, nonzero secp256k1 private key.');
  }
}
