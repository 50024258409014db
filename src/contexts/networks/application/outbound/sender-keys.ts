import { stateConflict } from '#shared/kernel/domain-error.js';
import { organizationOfFloat } from '../../domain/outbound/key-use.js';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import type { SignedTransaction, UnsignedTransaction } from './outbound-chain.js';

/** A key that signs transactions of the service, wherever its secret is kept. */
export abstract class SenderKey {
  /** In lower case. */
  abstract readonly address: string;
  /** @throws Error where the key does not answer, or what it signed is not what it was asked to sign */
  abstract sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}

/** The keys of refund floats, each of one organization on one network. */
export abstract class FloatKeys {
  /** @param organizationId UUID @returns null where this process cannot sign for that float */
  abstract floatKey(network: string, organizationId: string): SenderKey | null;
}

/** The keys that this process holds, by name. Others may be held elsewhere: their outbound transactions are watched and not signed. */
export class SenderKeys {
  private readonly byName: Map<string, SenderKey>;

  /**
   * @param named the same on every network @param floats null where no float's key is held
   * @param read a private key in hexadecimal digits, as the chain type has it @throws validation_failed by `read`
   */
  constructor(
    named: Readonly<Record<string, SenderKey>>,
    private readonly floats: FloatKeys | null,
    private readonly read: (privateKey: string) => SenderKey,
  ) {
    this.byName = new Map(Object.entries(named));
  }

  /** Holds the key for as long as the process runs. @throws validation_failed that does not quote it */
  hold(name: string, privateKey: string): void {
    this.byName.set(name, this.read(privateKey));
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** @throws state_conflict where it does not hold it */
  named(network: string, name: string): SenderKey {
    const key = this.find(network, name);
    if (key !== undefined) return key;
    const how =
      organizationOfFloat(name) === null
        ? 'Set GAS_KEY_FILE, GAS_KEY or GAS_SIGNER_URL'
        : 'Set REFUND_KEY_FILE, REFUND_KEY or REFUND_SIGNER_URL';
    throw stateConflict(
      `This process has no key "${name}" for ${network}. ${how} in the environment of workers and operators.`,
    );
  }

  /** The key that the outbound transaction was reserved for, by its name, else by its address; undefined where it is not held. */
  keyFor({
    network,
    key,
    sender,
  }: Pick<OutboundTransaction, 'network' | 'key' | 'sender'>): SenderKey | undefined {
    // A name may belong to another key since.
    return [this.find(network, key), ...this.byName.values()].find((each) => each?.address === sender);
  }

  /** Addresses of the keys that are the same on every network. */
  addresses(): string[] {
    return [...new Set([...this.byName.values()].map(({ address }) => address))];
  }

  private find(network: string, name: string): SenderKey | undefined {
    const organization = organizationOfFloat(name);
    if (organization === null) return this.byName.get(name);
    return this.floats?.floatKey(network, organization) ?? undefined;
  }
}
