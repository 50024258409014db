import type { Metrics } from '#shared/platform/metrics/metrics.js';
import type { SigningKeysReloader } from './signing-keys-reloader.js';
import { SIGNING_KEY_KINDS, type SigningKeys } from './signing-keys.js';

export class SigningKeyMetrics {
  constructor(metrics: Metrics, keys: SigningKeys, watch: SigningKeysReloader) {
    metrics.gauge(
      {
        name: 'signing_keys_left_seconds',
        help: 'Time until the last signing key of this kind expires. Absent if a key never expires.',
        labels: ['kind'],
      },
      (gauge) => {
        const now = new Date();
        gauge.reset();
        for (const kind of SIGNING_KEY_KINDS) {
          const until = keys[kind].signsUntil(now);
          if (until !== null) gauge.set({ kind }, (until.getTime() - now.getTime()) / 1000);
        }
      },
    );
    metrics.gauge(
      {
        name: 'signing_keys_file_current',
        help: '1 if this process uses the current SIGNING_KEYS_FILE, 0 if that file is invalid.',
      },
      (gauge) => gauge.set(watch.isCurrent ? 1 : 0),
    );
  }
}
