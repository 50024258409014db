import { DomainError } from '../../../../shared/kernel/domain-error.js';
import type { SignedTransaction, UnsignedTransaction } from './sending-chain.js';

/** A key that signs transactions, wherever its secret is kept. */
export abstract class SigningKey {
  /** In lower case. */
  abstract readonly address: string;
  /** @throws Error where the key does not answer, or what it signed is not what it was asked to sign */
  abstract sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}

/** The key of the settings. */
export const GAS_KEY = 'gas';

/** The keys that this process holds, by name. Others may be held elsewhere: their sendings are watched and not signed. */
export class SigningKeys {
  private readonly byName: Map<string, SigningKey>;

  /** @param read a private key in hexadecimal digits, as the family has it @throws validation_failed by `read` */
  constructor(
    named: Readonly<Record<string, SigningKey>>,
    private readonly read: (privateKey: string) => SigningKey,
  ) {
    this.byName = new Map(Object.entries(named));
  }

  /** For as long as the process runs. @throws validation_failed, without what was given */
  hold(name: string, privateKey: string): void {
    this.byName.set(name, this.read(privateKey));
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws state_conflict where it does not hold it */
  named(name: string): SigningKey {
    const key = this.byName.get(name);
    if (key !== undefined) return key;
    const message = `There is no key "${name}". Set GAS_KEY_FILE, GAS_KEY or GAS_SIGNER_URL.`;
    throw new DomainError('conflict', 'state_conflict', message);
  }

  ofAddress(address: string): SigningKey | undefined {
    return [...this.byName.values()].find((key) => key.address === address);
  }

  addresses(): string[] {
    return [...new Set([...this.byName.values()].map(({ address }) => address))];
  }
}
