import { hkdfSync } from 'node:crypto';
import { LinkSettings } from '#contexts/payments/application/links/limit-link-openings.js';
import { ReceiptSettings } from '#contexts/payments/domain/receipts/mail-outcome-rule.js';
import { parseAbsoluteUrl, parseOrigin } from '#shared/kernel/text.js';
import { isWalletProtocol } from '#shared/web/safe-links.js';
import {
  CheckoutSettings,
  type WalletDeepLink,
} from '#contexts/payments/infrastructure/requests/checkout-settings.js';
import type { AccessTokenSigningKey } from '#contexts/identity/infrastructure/identity-settings.js';
import type { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { type ProcessSettings, webProtocols } from './process-settings.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { PublicRateLimits } from '#shared/platform/http/callers/http-settings.js';

const KEY_BYTES = 32;
const MAX_WALLETS = 6;

export function readCheckoutSettings(
  reader: SettingReader,
  process: ProcessSettings,
  tokenKeys: SigningKeyRing<AccessTokenSigningKey>,
): CheckoutSettings {
  const checkoutUrl = reader.url('CHECKOUT_URL', webProtocols(process.environment), process.publicUrl);
  const publicUrl = readRequiredOrigin(reader, 'PUBLIC_URL', process.publicUrl);
  return new CheckoutSettings({
    publicUrl,
    checkoutHost:
      checkoutUrl === process.publicUrl ? publicUrl : readRequiredOrigin(reader, 'CHECKOUT_URL', checkoutUrl),
    wallets: reader.parse('CHECKOUT_WALLETS', parseWalletLinks, '') ?? [],
    cookieKeys: tokenKeys.deriveRing(({ secret }) => ({
      cookieKey: deriveCookieKey(secret),
    })),
    ...readSandboxWallet(reader, process),
  });
}

function readSandboxWallet(reader: SettingReader, process: ProcessSettings): { sandboxWalletUrl?: string } {
  const url = reader.url('CHECKOUT_SANDBOX_WALLET_URL', ['http'], '');
  if (url === '') return {};
  if (process.environment !== 'development') {
    reader.addProblem(
      `CHECKOUT_SANDBOX_WALLET_URL is for development only; SERVICE_ENV is ${process.environment}.`,
    );
  }
  return { sandboxWalletUrl: stripTrailingSlash(url) };
}

/** Form: `Name=base URL, Name=base URL`. */
export function parseWalletLinks(list: string): WalletDeepLink[] {
  const wallets = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseWallet);
  if (wallets.length > MAX_WALLETS) throw new Error(`must name at most ${MAX_WALLETS} wallets.`);
  return wallets;
}

function parseWallet(entry: string): WalletDeepLink {
  const [, name, base] = /^([^=]{1,32})=(\S{1,512})$/.exec(entry) ?? [];
  if (name === undefined || base === undefined || !URL.canParse(base)) {
    throw new Error(`must be a list like Wallet=https://wallet.example/pay, not "${entry}".`);
  }
  if (!isWalletProtocol(new URL(base).protocol)) {
    throw new Error(`${name.trim()} must use https: or the wallet’s own URL scheme.`);
  }
  if (base.includes('#')) {
    throw new Error(`${name.trim()} must not contain #: browsers do not send the text after it.`);
  }
  return { name: name.trim(), base };
}

/** A separate key (RFC 5869), so that a token signature is not valid for a cookie, or vice versa. */
function deriveCookieKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'payment-link cookies', KEY_BYTES));
}

export function readRequiredOrigin(reader: SettingReader, name: string, url: string): string {
  const origin = parseOrigin(url);
  if (origin === undefined && parseAbsoluteUrl(url) !== undefined)
    reader.addProblem(`${name} must be an origin, like https://pay.example, without a path.`);
  return origin ?? url;
}

function stripTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Practically unlimited, for tests and benchmarks. */
export const MAX_RATE_LIMIT = 1_000_000_000;

export function readPublicRateLimits(reader: SettingReader): PublicRateLimits {
  const max = MAX_RATE_LIMIT;
  const requests = reader.integer('PUBLIC_REQUESTS_PER_MINUTE', { min: 10, max, fallback: 120 });
  return {
    requests,
    misses: reader.integer('PUBLIC_MISSES_PER_MINUTE', { min: 5, max, fallback: 30 }),
    pages: reader.integer('PAGE_REQUESTS_PER_MINUTE', { min: 10, max, fallback: 1_200 }),
  };
}

export function readPaymentWindow(reader: SettingReader): number {
  return reader.integer('PAYMENT_WINDOW_SECONDS', { min: 10, max: 86_400, fallback: 480 });
}

export function readReceiptSettings(reader: SettingReader): ReceiptSettings {
  return new ReceiptSettings(
    reader.integer('RECEIPT_MAILS_PER_DAY', { min: 1, max: 1_000_000, fallback: 5_000 }),
  );
}

export function readPaymentLinkSettings(reader: SettingReader): LinkSettings {
  const max = MAX_RATE_LIMIT;
  return new LinkSettings(
    reader.integer('LINK_OPEN_SESSIONS', { min: 10, max, fallback: 2_000 }),
    reader.integer('LINK_OPEN_SESSIONS_PER_ADDRESS', { min: 2, max, fallback: 50 }),
    reader.integer('LINK_SESSION_RETENTION_HOURS', { min: 25, max: 87_600, fallback: 168 }),
  );
}
