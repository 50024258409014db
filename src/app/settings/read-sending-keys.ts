import { readFileSync } from 'node:fs';
import { isUsableEvmAddress } from '#contexts/networks/contract/address-spelling.js';
import {
  type FloatKeySource,
  type GasKeySource,
  FloatMasterSecret,
  type RemoteSignerFloat,
} from '#contexts/networks/infrastructure/networks-settings.js';
import {
  DEFAULT_MISSING_FLOAT_KEY_DAYS,
  RefundSettings,
} from '#contexts/settlement/application/refunds/refund-claim.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import { webProtocols, type ProcessSettings } from './process-settings.js';

type EnvironmentName = Pick<ProcessSettings, 'environment'>;

const PRIVATE_KEY_LABEL = 'one private key';
const MASTER_SECRET_LABEL = 'one master secret';
const ADDRESS_RULE = 'an EVM address, in lower case or with its EIP-55 checksum, and not zero';

export function readGasKey(reader: SettingReader, { environment }: EnvironmentName): GasKeySource | null {
  const privateKey = (digits: string | undefined): GasKeySource | null =>
    digits === undefined ? null : { kind: 'private_key', privateKey: digits };
  switch (requireAtMostOneOf(reader, ['GAS_KEY_FILE', 'GAS_KEY', 'GAS_SIGNER_URL'])) {
    case 'GAS_KEY_FILE':
      return privateKey(reader.parse('GAS_KEY_FILE', readPrivateKeyFile));
    case 'GAS_KEY':
      return privateKey(reader.parse('GAS_KEY', (text) => parseSecret(text, PRIVATE_KEY_LABEL)));
    case 'GAS_SIGNER_URL': {
      const url = reader.url('GAS_SIGNER_URL', webProtocols(environment));
      const address = reader.text('GAS_SIGNER_ADDRESS');
      if (address !== '' && !isUsableEvmAddress(address))
        reader.addProblem(`GAS_SIGNER_ADDRESS must be ${ADDRESS_RULE}.`);
      return { kind: 'signer', url, address };
    }
    default:
      return null;
  }
}

export function readRefundKey(
  reader: SettingReader,
  { environment }: EnvironmentName,
): FloatKeySource | null {
  const floatMasterSecret = (digits: string | undefined): FloatKeySource | null =>
    digits === undefined ? null : { kind: 'master_secret', secret: new FloatMasterSecret(digits) };
  switch (requireAtMostOneOf(reader, ['REFUND_KEY_FILE', 'REFUND_KEY', 'REFUND_SIGNER_URL'])) {
    case 'REFUND_KEY_FILE':
      return floatMasterSecret(
        reader.parse('REFUND_KEY_FILE', (path) => readSecretFile(path, MASTER_SECRET_LABEL)),
      );
    case 'REFUND_KEY':
      return floatMasterSecret(reader.parse('REFUND_KEY', (text) => parseSecret(text, MASTER_SECRET_LABEL)));
    case 'REFUND_SIGNER_URL':
      return {
        kind: 'signer',
        url: reader.url('REFUND_SIGNER_URL', webProtocols(environment)),
        floats: reader.parse('REFUND_SIGNER_FLOATS_FILE', readSignedFloatsFile) ?? [],
      };
    default:
      return null;
  }
}

export function readRefundSettings(
  reader: SettingReader,
  checkoutHost: string,
  isSandbox: boolean,
): RefundSettings {
  const days = reader.integer('REFUND_KEY_MISSING_DAYS', {
    min: 1,
    max: 365,
    fallback: DEFAULT_MISSING_FLOAT_KEY_DAYS,
  });
  return new RefundSettings(checkoutHost, days, isSandbox);
}

/** @returns undefined if none is set */
function requireAtMostOneOf<Name extends string>(
  reader: SettingReader,
  names: readonly Name[],
): Name | undefined {
  const set = names.filter((name) => reader.text(name, '') !== '');
  if (set.length > 1) reader.addProblem(`${set.join(' and ')} are set. Set only one of them.`);
  return set[0];
}

export function readPrivateKeyFile(file: string): string {
  return readSecretFile(file, PRIVATE_KEY_LABEL);
}

/** @throws Error without the contents, or the path, which may be the secret by mistake */
function readSecretFile(file: string, what: string): string {
  let code: string | undefined;
  try {
    return parseSecret(readFileSync(file, 'utf8'), what);
  } catch (error) {
    ({ code } = error as NodeJS.ErrnoException);
    if (code === undefined) throw error;
  }
  throw new Error(`must be a readable file: ${code}.`);
}

/** 256 bits in hexadecimal. @throws Error that does not quote the text */
function parseSecret(text: string, what: string): string {
  const key = text.trim();
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(key) && !/^(?:0x)?0{64}$/.test(key)) return key;
  throw new Error(`must contain ${what}: 64 hexadecimal digits.`);
}

/** @throws Error that names the invalid entry and the violated rule */
function readSignedFloatsFile(file: string): RemoteSignerFloat[] {
  let list: unknown;
  try {
    list = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`must be a file with a JSON list: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(list)) throw new Error('must be a file with a JSON list of floats.');
  return list.map((entry: unknown, index) => {
    const { organization_id: organizationId, network, address } = (entry ?? {}) as Record<string, unknown>;
    const wrong = (field: string, rule: string) => new Error(`[${index}].${field} must be ${rule}.`);
    if (typeof organizationId !== 'string' || !isUuid(organizationId))
      throw wrong('organization_id', 'the id of an organization');
    if (typeof network !== 'string' || network === '') throw wrong('network', 'the name of a network');
    if (typeof address !== 'string' || !isUsableEvmAddress(address)) throw wrong('address', ADDRESS_RULE);
    return { organizationId: organizationId.toLowerCase(), network, address };
  });
}
