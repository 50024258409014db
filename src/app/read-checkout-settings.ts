import { hkdfSync } from 'node:crypto';
import { CheckoutSettings, type WalletLink } from '../contexts/payments/infrastructure/checkout-settings.js';
import type { ProcessSettings } from './process-settings.js';
import type { SettingReader } from './setting-reader.js';

const KEY_BYTES = 32;
const MOST_WALLETS = 6;
/** Schemes with which a link would run or read something instead of opening a wallet. */
const NO_WALLET = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:', 'http:'];

export function readCheckout(
  reader: SettingReader,
  process: ProcessSettings,
  signingSecrets: readonly Buffer[],
): CheckoutSettings {
  const protocols = process.environment === 'development' ? ['http', 'https'] : ['https'];
  const checkoutHost = reader.url('CHECKOUT_URL', protocols, process.publicUrl);
  if (URL.canParse(checkoutHost) && !isOrigin(checkoutHost)) {
    reader.problem('CHECKOUT_URL must be an origin, like https://pay.example, without a path.');
  }
  return new CheckoutSettings({
    publicUrl: withoutSlash(process.publicUrl),
    checkoutHost: withoutSlash(checkoutHost),
    wallets: reader.parsed('CHECKOUT_WALLETS', parseWallets, '') ?? [],
    cookieKeys: signingSecrets.map(cookieKey),
    limits: {
      requests: reader.integer('PUBLIC_REQUESTS_PER_MINUTE', { min: 10, max: 1_000_000_000, fallback: 120 }),
      misses: reader.integer('PUBLIC_MISSES_PER_MINUTE', { min: 5, max: 1_000_000_000, fallback: 30 }),
    },
    ...readSandboxWallet(reader, process),
  });
}

function readSandboxWallet(reader: SettingReader, process: ProcessSettings): { sandboxWalletUrl?: string } {
  const given = reader.url('CHECKOUT_SANDBOX_WALLET_URL', ['http'], '');
  if (given === '') return {};
  if (process.environment !== 'development') {
    reader.problem(
      `CHECKOUT_SANDBOX_WALLET_URL is for development only; SERVICE_ENV is ${process.environment}.`,
    );
  }
  return { sandboxWalletUrl: withoutSlash(given) };
}

/** `Name=base, Name=base`. @throws Error with a sentence */
export function parseWallets(list: string): WalletLink[] {
  const wallets = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseWallet);
  if (wallets.length > MOST_WALLETS) throw new Error(`must name at most ${MOST_WALLETS} wallets.`);
  return wallets;
}

function parseWallet(entry: string): WalletLink {
  const [, name, base] = /^([^=]{1,32})=(\S{1,512})$/.exec(entry) ?? [];
  if (name === undefined || base === undefined || !URL.canParse(base)) {
    throw new Error(`must be a list like Wallet=https://wallet.example/pay, not "${entry}".`);
  }
  if (NO_WALLET.includes(new URL(base).protocol)) {
    throw new Error(`${name.trim()} must be opened by https: or a scheme of its own.`);
  }
  return { name: name.trim(), base };
}

/** Cookies have a key of their own (RFC 5869), so that neither kind of signature can stand for the other. */
function cookieKey(secret: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'payment-link cookies', KEY_BYTES));
}

function isOrigin(url: string): boolean {
  return new URL(url).origin === withoutSlash(url);
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '');
}
