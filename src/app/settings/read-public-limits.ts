import type { PublicLimits } from '#shared/platform/http/callers/http-settings.js';
import type { SettingReader } from '#shared/platform/settings/setting-reader.js';

/** A limit that is as good as none, for tests and measures. */
const MOST_REQUESTS = 1_000_000_000;

/** How much callers without a credential may ask. */
export function readPublicLimits(reader: SettingReader): PublicLimits {
  const max = MOST_REQUESTS;
  const requests = reader.integer('PUBLIC_REQUESTS_PER_MINUTE', { min: 10, max, fallback: 120 });
  const several = Math.min(requests * 10, max);
  return {
    requests,
    addressRequests: reader.integer('PUBLIC_ADDRESS_REQUESTS_PER_MINUTE', {
      min: 100,
      max,
      fallback: several,
    }),
    misses: reader.integer('PUBLIC_MISSES_PER_MINUTE', { min: 5, max, fallback: 30 }),
  };
}
