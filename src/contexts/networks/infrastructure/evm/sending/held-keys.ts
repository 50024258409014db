import { type FloatKeys, type SigningKey, SigningKeys } from '../../../application/sending/signing-keys.js';
import { GAS_KEY } from '../../../contract/sender.js';
import type { FloatKeySource, GasKeySource, NetworksSettings } from '../../networks-settings.js';
import { DerivedFloatKeys } from './derived-float-keys.js';
import { LocalSigningKey } from './local-signing-key.js';
import { RemoteFloatKeys } from './remote-float-keys.js';
import { RemoteSigningKey } from './remote-signing-key.js';

/** The keys of the settings, to which a command may add one. */
export function heldKeys({ gasKey, floatKeys, patience }: NetworksSettings): SigningKeys {
  const named: Record<string, SigningKey> =
    gasKey === null ? {} : { [GAS_KEY]: keyOf(gasKey, patience.callTimeoutMs) };
  const floats = floatKeys === null ? null : floatsOf(floatKeys, patience.callTimeoutMs);
  return new SigningKeys(named, floats, (privateKey) => new LocalSigningKey(privateKey));
}

/** Another way to keep a key joins here. */
function keyOf(source: GasKeySource, timeoutMs: number): SigningKey {
  return source.kind === 'private_key'
    ? new LocalSigningKey(source.privateKey)
    : new RemoteSigningKey(source.url, source.address, timeoutMs);
}

/** Another way to keep the keys of floats joins here. */
function floatsOf(source: FloatKeySource, timeoutMs: number): FloatKeys {
  return source.kind === 'master_secret'
    ? new DerivedFloatKeys(source.secret)
    : new RemoteFloatKeys(source.url, source.floats, timeoutMs);
}
