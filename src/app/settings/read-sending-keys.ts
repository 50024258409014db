import type { GasKeySource } from '#contexts/networks/infrastructure/networks-settings.js';
import type { SettingReader } from '#shared/platform/settings/setting-reader.js';
import { privateKeyIn, privateKeyInFile } from './private-key.js';
import type { ProcessSettings } from './process-settings.js';

const WAYS = ['GAS_KEY_FILE', 'GAS_KEY', 'GAS_SIGNER_URL'] as const;

/** The key that pays for gas, by one of three ways; null where none is set: such a process signs nothing of its own. */
export function readGasKey(
  reader: SettingReader,
  { environment }: Pick<ProcessSettings, 'environment'>,
): GasKeySource | null {
  const set = WAYS.filter((name) => reader.text(name, '') !== '');
  if (set.length > 1) reader.problem(`${set.join(' and ')} are set: a key is kept in one way.`);
  switch (set[0]) {
    case 'GAS_KEY_FILE':
      return privateKey(reader.parsed('GAS_KEY_FILE', privateKeyInFile));
    case 'GAS_KEY':
      return privateKey(reader.parsed('GAS_KEY', privateKeyIn));
    case 'GAS_SIGNER_URL':
      return readSigner(reader, environment === 'development' ? ['http', 'https'] : ['https']);
    default:
      return null;
  }
}

function readSigner(reader: SettingReader, protocols: readonly string[]): GasKeySource {
  const url = reader.url('GAS_SIGNER_URL', protocols);
  const address = reader.text('GAS_SIGNER_ADDRESS');
  if (address !== '' && !/^0x[0-9a-fA-F]{40}$/.test(address))
    reader.problem('GAS_SIGNER_ADDRESS must be an EVM address: 0x and 40 hexadecimal digits.');
  return { kind: 'signer', url, address };
}

function privateKey(digits: string | undefined): GasKeySource | null {
  return digits === undefined ? null : { kind: 'private_key', privateKey: digits };
}
