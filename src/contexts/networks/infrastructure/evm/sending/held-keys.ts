import { GAS_KEY, type SigningKey, SigningKeys } from '../../../application/sending/signing-keys.js';
import type { GasKeySource, NetworksSettings } from '../../networks-settings.js';
import { LocalSigningKey } from './local-signing-key.js';
import { RemoteSigningKey } from './remote-signing-key.js';

/** The keys of the settings, to which a command may add one. */
export function heldKeys({ gasKey, patience }: NetworksSettings): SigningKeys {
  const named: Record<string, SigningKey> =
    gasKey === null ? {} : { [GAS_KEY]: keyOf(gasKey, patience.callTimeoutMs) };
  return new SigningKeys(named, (privateKey) => new LocalSigningKey(privateKey));
}

/** Another way to keep a key joins here. */
function keyOf(source: GasKeySource, timeoutMs: number): SigningKey {
  return source.kind === 'private_key'
    ? new LocalSigningKey(source.privateKey)
    : new RemoteSigningKey(source.url, source.address, timeoutMs);
}
