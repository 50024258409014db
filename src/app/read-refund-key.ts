import { MasterSecret } from '../contexts/networks/infrastructure/master-secret.js';
import type { FloatKeySource } from '../contexts/networks/infrastructure/networks-settings.js';
import type { SettingReader } from '../shared/platform/settings/setting-reader.js';
import { secretIn, secretInFile } from './private-key.js';

const WHAT = 'one master secret';

/** The secret behind the keys of all refund floats; null where none is set: such a process signs no refund. */
export function readRefundKey(reader: SettingReader): FloatKeySource | null {
  const [file, text] = ['REFUND_KEY_FILE', 'REFUND_KEY'].map((name) => reader.text(name, '') !== '');
  if (file && text) reader.problem('REFUND_KEY_FILE and REFUND_KEY are set: a key is kept in one way.');
  if (!file && !text) return null;
  const digits = file
    ? reader.parsed('REFUND_KEY_FILE', (path) => secretInFile(path, WHAT))
    : reader.parsed('REFUND_KEY', (given) => secretIn(given, WHAT));
  return digits === undefined ? null : { kind: 'master_secret', secret: new MasterSecret(digits) };
}
