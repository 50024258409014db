import type {
  FloatMasterSecret,
  RemoteSignerFloat,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { FloatKeys, type SenderKey } from '#contexts/networks/application/outbound/sender-keys.js';

/** Order of the secp256k1 curve (SEC 2, section 2.4.1). */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** The 256 bits of the order plus 128 extra bits, so that the reduction introduces no noticeable bias. */
const DERIVED_BYTES = 48;

/** The result is always the same, so the key is not stored. */
export function floatPrivateKey(secret: FloatMasterSecret, network: string, organizationId: string): string {
  const info = JSON.stringify(['payment-collection-service', 'refund float', 1, organizationId, network]);
  const wide = BigInt(`0x${secret.derive(info, DERIVED_BYTES).toString('hex')}`);
  const key = (wide % (CURVE_ORDER - 1n)) + 1n;
  return `0x${key.toString(16).padStart(64, '0')}`;
}

/** @returns null if the network's chain type cannot sign with such a key */
type ReadKey = (network: string, privateKeyOrAddress: string) => SenderKey | null;

export class DerivedFloatKeys extends FloatKeys {
  private readonly derived = new Map<string, SenderKey | null>();

  constructor(
    private readonly secret: FloatMasterSecret,
    private readonly read: ReadKey,
  ) {
    super();
  }

  floatKey(network: string, organizationId: string): SenderKey | null {
    const name = `${network} ${organizationId}`;
    let key = this.derived.get(name);
    if (key === undefined) {
      key = this.read(network, floatPrivateKey(this.secret, network, organizationId));
      this.derived.set(name, key);
    }
    return key;
  }
}

/** A separate signer may enforce limits that an attacker who controls only this server cannot exceed. */
export class RemoteFloatKeys extends FloatKeys {
  private readonly keys: ReadonlyMap<string, SenderKey | null>;

  constructor(floats: readonly RemoteSignerFloat[], read: ReadKey) {
    super();
    this.keys = new Map(
      floats.map(({ network, organizationId, address }) => [
        `${network} ${organizationId}`,
        read(network, address),
      ]),
    );
  }

  floatKey(network: string, organizationId: string): SenderKey | null {
    return this.keys.get(`${network} ${organizationId}`) ?? null;
  }
}
