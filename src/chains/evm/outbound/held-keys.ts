import {
  type FloatKeys,
  type SenderKey,
  SenderKeys,
} from '#contexts/networks/application/outbound/sender-keys.js';
import { GAS_KEY_NAME } from '#contexts/networks/contract/outbound-transaction-sender.js';
import type {
  FloatKeySource,
  GasKeySource,
  NetworksSettings,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { DerivedFloatKeys, RemoteFloatKeys } from './float-keys.js';
import { LocalSenderKey } from './local-sender-key.js';
import { RemoteSenderKey } from './remote-sender-key.js';

export function senderKeysFrom({ gasKey, floatKeys, patience }: NetworksSettings): SenderKeys {
  const named: Record<string, SenderKey> =
    gasKey === null ? {} : { [GAS_KEY_NAME]: senderKeyFrom(gasKey, patience.callTimeoutMs) };
  const floats = floatKeys === null ? null : floatKeysFrom(floatKeys, patience.callTimeoutMs);
  return new SenderKeys(named, floats, (privateKey) => new LocalSenderKey(privateKey));
}

function senderKeyFrom(source: GasKeySource, timeoutMs: number): SenderKey {
  return source.kind === 'private_key'
    ? new LocalSenderKey(source.privateKey)
    : new RemoteSenderKey(source.url, source.address, timeoutMs);
}

function floatKeysFrom(source: FloatKeySource, timeoutMs: number): FloatKeys {
  return source.kind === 'master_secret'
    ? new DerivedFloatKeys(source.secret)
    : new RemoteFloatKeys(source.url, source.floats, timeoutMs);
}
