import { FloatKeys, type SenderKey } from '#contexts/networks/application/sending/sender-keys.js';
import type { SignedFloat } from '../../networks-settings.js';
import { RemoteSenderKey } from './remote-sender-key.js';

/**
 * Keys of refund floats in another program, which may refuse what is above limits of its own: who has this server alone then
 * takes no more than these.
 */
export class RemoteFloatKeys extends FloatKeys {
  private readonly keys: ReadonlyMap<string, SenderKey>;

  constructor(url: string, floats: readonly SignedFloat[], timeoutMs: number) {
    super();
    this.keys = new Map(
      floats.map(({ network, organizationId, address }) => [
        `${network} ${organizationId}`,
        new RemoteSenderKey(url, address, timeoutMs),
      ]),
    );
  }

  of(network: string, organizationId: string): SenderKey | null {
    return this.keys.get(`${network} ${organizationId}`) ?? null;
  }
}
