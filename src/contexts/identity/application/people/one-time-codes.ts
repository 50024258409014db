/** Time-based one-time codes (RFC 6238: SHA-1, six digits, 30 seconds), which authenticator apps show. */
export abstract class OneTimeCodes {
  /** `otpauth:` address for a QR code. @param secret base32 */
  abstract enrolmentUrl(secret: string, email: string): string;
  /** Of real time, which apps show. @returns the step of the code, one before or after being taken too; null where it is wrong */
  abstract stepOf(secret: string, code: string): number | null;
}
