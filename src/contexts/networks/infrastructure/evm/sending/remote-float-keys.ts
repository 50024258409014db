import { FloatKeys, type SigningKey } from '../../../application/sending/signing-keys.js';
import type { SignedFloat } from '../../networks-settings.js';
import { RemoteSigningKey } from './remote-signing-key.js';

/**
 * Keys of refund floats in another program, which may refuse what is above limits of its own: who has this server alone then
 * takes no more than these.
 */
export class RemoteFloatKeys extends FloatKeys {
  private readonly keys: ReadonlyMap<string, SigningKey>;

  constructor(url: string, floats: readonly SignedFloat[], timeoutMs: number) {
    super();
    this.keys = new Map(
      floats.map(({ network, organizationId, address }) => [
        `${network} ${organizationId}`,
        new RemoteSigningKey(url, address, timeoutMs),
      ]),
    );
  }

  of(network: string, organizationId: string): SigningKey | null {
    return this.keys.get(`${network} ${organizationId}`) ?? null;
  }
}
