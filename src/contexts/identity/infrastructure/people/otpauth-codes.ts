import { Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { OneTimeCodes } from '../../application/people/second-factors.js';

const ISSUER = 'Payment collection';
export const TOTP_SECONDS = 30;
/** Length recommended by RFC 4226, section 4, requirement 6. */
const SECRET_BYTES = 20;

/** Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The code that an authenticator app displays at this time. @param secret base32 @param at milliseconds */
export function totpOf(secret: string, at = Date.now()): string {
  return totp(secret).generate({ timestamp: at });
}

@Injectable()
export class OtpauthCodes extends OneTimeCodes {
  enrolmentUrl(secret: string, email: string): string {
    return totp(secret, email).toString();
  }

  stepOf(secret: string, code: string): number | null {
    const timestamp = Date.now();
    const distance = totp(secret).validate({ token: code, timestamp, window: 1 });
    return distance === null ? null : Math.floor(timestamp / 1_000 / TOTP_SECONDS) + distance;
  }
}

function totp(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: TOTP_SECONDS, secret });
}
