import {
  type SenderKey,
  SenderKeys,
  type NetworkKeys,
} from '#contexts/networks/application/outbound/sender-keys.js';
import { GAS_KEY_NAME } from '#contexts/networks/contract/outbound-transaction-sender.js';
import type {
  FloatKeySource,
  GasKeySource,
  NetworksSettings,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { EVM } from './evm/evm-network.js';
import { LocalSenderKey } from './evm/outbound/local-sender-key.js';
import { RemoteSenderKey } from './evm/outbound/remote-sender-key.js';
import { DerivedFloatKeys, RemoteFloatKeys } from './float-keys.js';
import { TronSenderKey } from './tron/sending/tron-sender-key.js';
import { TRON } from './tron/tron-network.js';

/** The key of a chain type from a private key, and from the URL of an external signer if it supports one. */
interface KeyTypes {
  readonly local: new (privateKey: string) => SenderKey;
  readonly remote: (new (url: string, address: string, timeoutMs: number) => SenderKey) | null;
}

const KEY_TYPES: Readonly<Record<string, KeyTypes>> = {
  [EVM]: { local: LocalSenderKey, remote: RemoteSenderKey },
  [TRON]: { local: TronSenderKey, remote: null },
};

export function senderKeysFrom({ networks, gasKey, floatKeys, patience }: NetworksSettings): SenderKeys {
  const families = new Map(networks.map(({ network, family }) => [network, family]));
  const typeOf = (network: string) => KEY_TYPES[families.get(network) ?? EVM];
  const local = (privateKey: string): NetworkKeys => {
    const keys = new Map(Object.values(KEY_TYPES).map((type) => [type, new type.local(privateKey)]));
    return (network) => keys.get(typeOf(network)!) ?? null;
  };
  const remote = (url: string, address: string): NetworkKeys => {
    const keys = new Map(
      Object.values(KEY_TYPES).map((type) => [
        type,
        type.remote && new type.remote(url, address, patience.callTimeoutMs),
      ]),
    );
    return (network) => keys.get(typeOf(network)!) ?? null;
  };
  const fromSource = (source: GasKeySource) =>
    source.kind === 'private_key' ? local(source.privateKey) : remote(source.url, source.address);
  const fromFloatSource = (source: FloatKeySource) =>
    source.kind === 'master_secret'
      ? new DerivedFloatKeys(source.secret, (network, privateKey) => local(privateKey)(network))
      : new RemoteFloatKeys(source.floats, (network, address) => remote(source.url, address)(network));
  const named: Record<string, NetworkKeys> = gasKey === null ? {} : { [GAS_KEY_NAME]: fromSource(gasKey) };
  return new SenderKeys(named, floatKeys === null ? null : fromFloatSource(floatKeys), local);
}
