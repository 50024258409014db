import { parseTime } from '#shared/kernel/instant.js';
import { parseAbsoluteUrl } from '#shared/kernel/text.js';
import type { NaspipClaims, NaspipPayload, NaspipPayment } from './naspip-payload.js';
import { NaspipTokenInvalid, type NaspipTokenProblem } from './naspip-token-invalid.js';

/** For `iat` and `nbf` of an issuer whose clock is ahead, not for expiry. */
const CLOCK_TOLERANCE_MS = 60_000;

export interface TokenTimes {
  issuedAt: Date;
  expiresAt: Date;
  keyExpiresAt: Date;
}

/** NASPIP "Security" requires `exp`, `iat` and `kep`. @throws NaspipTokenInvalid */
export function checkTokenTimes(claims: NaspipClaims, now: Date): TokenTimes {
  const expiresAt = parseClaimTime(claims, 'exp');
  const issuedAt = parseClaimTime(claims, 'iat');
  const keyExpiresAt = parseClaimTime(claims, 'kep');
  const notBefore = claims.nbf === undefined ? issuedAt : parseClaimTime(claims, 'nbf');
  const latest = now.getTime() + CLOCK_TOLERANCE_MS;

  if (expiresAt <= now) throwTokenInvalid('token_expired', `it expired at ${claims.exp}`);
  if (keyExpiresAt <= now) throwTokenInvalid('key_expired', `its key expired at ${claims.kep}`);
  if (issuedAt.getTime() > latest)
    throwTokenInvalid('issued_in_future', `it was issued in the future, at ${claims.iat}`);
  if (notBefore.getTime() > latest)
    throwTokenInvalid('not_yet_valid', `it is not valid before ${claims.nbf}`);
  return { issuedAt, expiresAt, keyExpiresAt };
}

/** Checks the rules that wallets apply to a payload before they pay it. @throws NaspipTokenInvalid */
export function checkNaspipPayload(payload: NaspipPayload, tokenExpiresAt: Date, now: Date): void {
  if (!('payment' in payload)) return checkUrl(payload.url);
  const { payment } = payload;
  for (const [field, value] of Object.entries({ id: payment.id, address: payment.address })) {
    if (value === '') throwTokenInvalid('payment_incomplete', `its payment has no ${field}`);
  }
  if (!UNIQUE_ASSET_ID.test(payment.uniqueAssetId)) {
    throwTokenInvalid(
      'payment_incomplete',
      'its payment has no unique asset id of the form n{network}_t{token}',
    );
  }
  checkAmounts(payment);

  if (payment.expiresAt <= now) throwTokenInvalid('payment_expired', 'its payment has expired');
  // NASPIP requires "consistent" expiries. Published example tokens contain payments that expire earlier than the
  // token.
  if (payment.expiresAt > tokenExpiresAt)
    throwTokenInvalid('payment_outlives_token', 'expires_at is later than exp');
}

const UNIQUE_ASSET_ID = /^n[^\s_]+_t\S+$/;
/** At most 78 digits, which is enough for every 256-bit integer and the limit of the column type `numeric(78,0)`. */
const DECIMAL_AMOUNT = /^(\d{1,78})(?:\.(\d{1,78}))?$/;

function parseClaimTime(claims: NaspipClaims, name: 'exp' | 'iat' | 'nbf' | 'kep'): Date {
  const time = parseTime(claims[name] ?? '');
  if (time === undefined)
    throwTokenInvalid('claim_malformed', `${name} must be an ISO 8601 time with a zone`);
  return time;
}

function checkUrl(url: string): void {
  if (!['http:', 'https:'].includes(parseAbsoluteUrl(url)?.protocol ?? ''))
    throwTokenInvalid('url_invalid', 'its url is not an http or https URL');
}

function checkAmounts({ isOpen, amount, minAmount, maxAmount }: NaspipPayment): void {
  if (!isOpen) {
    if (!(parseScaledAmount('amount', amount) > 0n))
      throwTokenInvalid('amount_invalid', 'amount must be above zero');
    return;
  }
  const min = parseScaledAmount('min_amount', minAmount);
  const max = parseScaledAmount('max_amount', maxAmount);
  if (max === 0n || min > max) throwTokenInvalid('amount_invalid', 'max_amount is zero or below min_amount');
}

function parseScaledAmount(field: string, amount = ''): bigint {
  const [, whole, fraction = ''] = DECIMAL_AMOUNT.exec(amount) ?? [];
  if (whole === undefined) throwTokenInvalid('amount_invalid', `${field} must be a decimal number`);
  return BigInt(whole + fraction.padEnd(78, '0'));
}

function throwTokenInvalid(reason: NaspipTokenProblem, explanation: string): never {
  throw new NaspipTokenInvalid(reason, explanation);
}
