import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Payment collection';
export const TOTP_SECONDS = 30;
/** Length recommended by RFC 4226, section 4, requirement 6. */
const SECRET_BYTES = 20;

/** Returns a new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/**
 * Returns the code that an authenticator app displays.
 * @param secret base32
 * @param at time in milliseconds; default: the system clock
 */
export function totpOf(secret: string, at?: number): string {
  return totp(secret).generate(at === undefined ? {} : { timestamp: at });
}

/** Returns the `otpauth:` URL for the QR code that an authenticator app scans. @param secret base32 */
export function enrolmentUrl(secret: string, email: string): string {
  return totp(secret, email).toString();
}

/** @returns the code's time step, at most one step from the system clock; null for a wrong code */
export function stepOf(secret: string, code: string): number | null {
  const codes = totp(secret);
  const step = codes.counter();
  const distance = codes.validate({ token: code, timestamp: step * TOTP_SECONDS * 1_000, window: 1 });
  return distance === null ? null : step + distance;
}

/** Uses the defaults of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */
function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: TOTP_SECONDS, secret });
}
