import type { Logger } from '@nestjs/common';
import { SIGNING_KEY_KINDS, type SigningKeyLists, type SigningKeys } from './signing-keys.js';

const DAY_MS = 86_400_000;
/** A key that is made then is in use long before the end; the alert rule has the same limit. */
const WARN_MS = 14 * DAY_MS;
/** For how long public keys may be kept by who fetched them (`Cache-Control` of the well-known document). */
const CACHED_MS = 300_000;

/** Operators are warned of keys while there is time. */
export class SigningKeyWarnings {
  private lastSaid = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keys: SigningKeys,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Keys that end without a successor: once a day, from two weeks before the end on. */
  say(now: Date): void {
    if (now.getTime() - this.lastSaid < DAY_MS) return;
    for (const kind of SIGNING_KEY_KINDS) {
      const until = this.keys[kind].signsUntil(now);
      if (until === null || until.getTime() - now.getTime() >= WARN_MS) continue;
      this.lastSaid = now.getTime();
      this.log.warn(
        `No ${kind} key signs after ${until.toISOString()}. Make a new one (runbook, "Signing keys of tokens").`,
      );
    }
  }

  /** A new key that signs before all who verify can know it. @param former keys, which were replaced by those of now */
  sayHasty(former: SigningKeyLists, now: Date): void {
    for (const kind of SIGNING_KEY_KINDS) {
      const known = new Set(former[kind].map(({ id }) => id));
      const hasFormer = this.keys[kind].all.some(({ id }) => known.has(id));
      for (const { id, signsFrom } of this.keys[kind].all) {
        if (!hasFormer || known.has(id) || signsFrom.getTime() >= now.getTime() + CACHED_MS) continue;
        this.log.warn(
          `The ${kind} key ${id} signs from ${signsFrom.toISOString()}: who has not read it by then refuses what it signs.`,
        );
      }
    }
  }
}
