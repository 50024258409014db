import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;

/** An authenticator app that shows each code once. */
export interface Authenticator {
  readonly secret: string;
  /** The time step of the last code. */
  lastStep: number;
}

/** @returns a code that was not shown before; undefined while all that are accepted at this time were */
export function nextCode(app: Authenticator, now: number): string | undefined {
  const present = Math.floor(now / PERIOD_MS);
  const step = Math.max(present, app.lastStep + 1);
  if (step > present + 1) return undefined;
  app.lastStep = step;
  return new TOTP({ secret: Secret.fromBase32(app.secret) }).generate({ timestamp: step * PERIOD_MS });
}
