import { stateConflict } from '#shared/kernel/domain-error.js';
import { organizationOfFloat } from '../../domain/outbound/key-use.js';
import type { OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import type { SignedTransaction, UnsignedTransaction } from './outbound-chain.js';

export abstract class SenderKey {
  /** In the canonical spelling of its chain type. */
  abstract readonly address: string;
  /** @throws Error if the signer does not answer, or returns anything but the signed transaction */
  abstract sign(transaction: UnsignedTransaction): Promise<SignedTransaction>;
}

/** One private key has another address on each chain type. Null if the network's chain type cannot sign with the key. */
export type NetworkKeys = (network: string) => SenderKey | null;

/** Each key belongs to one organization on one network. */
export abstract class FloatKeys {
  /** @returns null if this process cannot sign for the float */
  abstract floatKey(network: string, organizationId: string): SenderKey | null;
}

/** Outbound transactions of keys held elsewhere are tracked but not signed. */
export class SenderKeys {
  private readonly byName: Map<string, NetworkKeys>;

  constructor(
    named: Readonly<Record<string, NetworkKeys>>,
    private readonly floats: FloatKeys | null,
    private readonly read: (privateKey: string) => NetworkKeys,
  ) {
    this.byName = new Map(Object.entries(named));
  }

  /**
   * @throws DomainError `validation_failed`, without the key in its message
   */
  add(name: string, privateKey: string): void {
    this.byName.set(name, this.read(privateKey));
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  requireKey(network: string, name: string): SenderKey {
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

  keyFor({
    network,
    key,
    sender,
  }: Pick<OutboundTransaction, 'network' | 'key' | 'sender'>): SenderKey | undefined {
    // Compares addresses, because the name may have been reassigned to another key.
    const named = [...this.byName.values()].map((keys) => keys(network) ?? undefined);
    return [this.find(network, key), ...named].find((each) => each?.address === sender);
  }

  addresses(network: string): string[] {
    return [...new Set([...this.byName.values()].flatMap((keys) => keys(network)?.address ?? []))];
  }

  private find(network: string, name: string): SenderKey | undefined {
    const organization = organizationOfFloat(name);
    if (organization === null) return this.byName.get(name)?.(network) ?? undefined;
    return this.floats?.floatKey(network, organization) ?? undefined;
  }
}
