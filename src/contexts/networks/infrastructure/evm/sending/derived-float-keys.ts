import { FloatKeys, type SigningKey } from '../../../application/sending/signing-keys.js';
import type { MasterSecret } from '../../master-secret.js';
import { floatPrivateKey } from './float-private-key.js';
import { LocalSigningKey } from './local-signing-key.js';

/** Keys of refund floats by one master secret in this process's memory. */
export class DerivedFloatKeys extends FloatKeys {
  private readonly derived = new Map<string, SigningKey>();

  constructor(private readonly secret: MasterSecret) {
    super();
  }

  of(network: string, organizationId: string): SigningKey {
    const name = `${network} ${organizationId}`;
    let key = this.derived.get(name);
    if (key === undefined) {
      key = new LocalSigningKey(floatPrivateKey(this.secret, network, organizationId));
      this.derived.set(name, key);
    }
    return key;
  }
}
