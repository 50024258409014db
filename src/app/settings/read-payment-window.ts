import type { SettingReader } from '#shared/platform/settings/setting-reader.js';

/** How long a payer has, and a payment token is valid, in seconds. */
export function readPaymentWindow(reader: SettingReader): number {
  return reader.integer('PAYMENT_WINDOW_SECONDS', { min: 10, max: 86_400, fallback: 480 });
}
