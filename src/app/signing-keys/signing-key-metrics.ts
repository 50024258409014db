import type { Metrics } from '#shared/platform/metrics/metrics.js';
import type { SigningKeysWatch } from './signing-keys-watch.js';
import { SIGNING_KEY_KINDS, type SigningKeys } from './signing-keys.js';

export class SigningKeyMetrics {
  constructor(metrics: Metrics, keys: SigningKeys, watch: SigningKeysWatch) {
    metrics.gauge(
      {
        name: 'signing_keys_left_seconds',
        help: 'For how long this process has keys that sign tokens, by kind; none for a kind whose keys do not end.',
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
        help: 'Whether this process uses SIGNING_KEYS_FILE as it is now: 1, or 0 where that version is not usable.',
      },
      (gauge) => gauge.set(watch.isCurrent ? 1 : 0),
    );
  }
}
