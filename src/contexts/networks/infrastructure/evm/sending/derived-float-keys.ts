import { FloatKeys, type SenderKey } from '#contexts/networks/application/sending/sender-keys.js';
import type { MasterSecret } from '../../master-secret.js';
import { floatPrivateKey } from './float-private-key.js';
import { LocalSenderKey } from './local-sender-key.js';

/** Keys of refund floats by one master secret in this process's memory. */
export class DerivedFloatKeys extends FloatKeys {
  private readonly derived = new Map<string, SenderKey>();

  constructor(private readonly secret: MasterSecret) {
    super();
  }

  of(network: string, organizationId: string): SenderKey {
    const name = `${network} ${organizationId}`;
    let key = this.derived.get(name);
    if (key === undefined) {
      key = new LocalSenderKey(floatPrivateKey(this.secret, network, organizationId));
      this.derived.set(name, key);
    }
    return key;
  }
}
