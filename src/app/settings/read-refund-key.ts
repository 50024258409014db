import { readFileSync } from 'node:fs';
import {
  MasterSecret,
  type FloatKeySource,
  type SignedFloat,
} from '#contexts/networks/infrastructure/networks-settings.js';
import {
  KEY_MISSING_DAYS,
  RefundSettings,
} from '#contexts/settlement/application/refunds/refund-settings.js';
import { isUuid } from '#shared/kernel/ids.js';
import type { SettingReader } from '#shared/platform/settings/setting-reader.js';
import { secretIn, secretInFile } from './private-key.js';
import type { ProcessSettings } from './process-settings.js';

const WHAT = 'one master secret';
const WAYS = ['REFUND_KEY_FILE', 'REFUND_KEY', 'REFUND_SIGNER_URL'] as const;

/** Behind the keys of all refund floats, in one of three ways; null where none is set: such a process signs no refund. */
export function readRefundKey(
  reader: SettingReader,
  { environment }: Pick<ProcessSettings, 'environment'>,
): FloatKeySource | null {
  const set = WAYS.filter((name) => reader.text(name, '') !== '');
  if (set.length > 1) reader.problem(`${set.join(' and ')} are set: a key is kept in one way.`);
  switch (set[0]) {
    case 'REFUND_KEY_FILE':
      return masterSecret(reader.parsed('REFUND_KEY_FILE', (path) => secretInFile(path, WHAT)));
    case 'REFUND_KEY':
      return masterSecret(reader.parsed('REFUND_KEY', (given) => secretIn(given, WHAT)));
    case 'REFUND_SIGNER_URL':
      return {
        kind: 'signer',
        url: reader.url('REFUND_SIGNER_URL', environment === 'development' ? ['http', 'https'] : ['https']),
        floats: reader.parsed('REFUND_SIGNER_FLOATS_FILE', signedFloatsIn) ?? [],
      };
    default:
      return null;
  }
}

export function readRefunds(reader: SettingReader, checkoutHost: string): RefundSettings {
  const days = reader.integer('REFUND_KEY_MISSING_DAYS', { min: 1, max: 365, fallback: KEY_MISSING_DAYS });
  return new RefundSettings(checkoutHost, days);
}

function masterSecret(digits: string | undefined): FloatKeySource | null {
  return digits === undefined ? null : { kind: 'master_secret', secret: new MasterSecret(digits) };
}

/** @throws Error that names the entry and the rule */
function signedFloatsIn(file: string): SignedFloat[] {
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
    if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
      throw wrong('address', 'an EVM address: 0x and 40 hexadecimal digits');
    return { organizationId: organizationId.toLowerCase(), network, address };
  });
}
