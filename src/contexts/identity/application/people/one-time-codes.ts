import { Secret, TOTP } from 'otpauth';

const TOTP_ISSUER = 'Payment collection';
export const TOTP_STEP_SECONDS = 30;
/** Length recommended by RFC 4226, section 4, requirement 6. */
const TOTP_SECRET_BYTES = 20;

export function newTotpSecret(): string {
  return new Secret({ size: TOTP_SECRET_BYTES }).base32;
}

/** @param secret base32 @param at milliseconds */
export function totpCodeAt(secret: string, at?: number): string {
  return createTotp(secret).generate(at === undefined ? {} : { timestamp: at });
}

export function authenticatorEnrolmentUrl(secret: string, email: string): string {
  return createTotp(secret, email).toString();
}

/** @returns at most one step from the system clock; null for a wrong code */
export function findTimeStep(secret: string, code: string): number | null {
  const codes = createTotp(secret);
  const step = codes.counter();
  const distance = codes.validate({ token: code, timestamp: step * TOTP_STEP_SECONDS * 1_000, window: 1 });
  return distance === null ? null : step + distance;
}

/** Defaults of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds. */
function createTotp(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: TOTP_ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: TOTP_STEP_SECONDS,
    secret,
  });
}
