export interface ScheduledKey {
  /** Used as `kid` in signatures. */
  readonly id: string;
  /** Signatures are accepted earlier, so that every process and cache knows the key before it first signs. */
  readonly signsFrom: Date;
  /** Signatures are rejected from this time; null: accepted while the key is in the ring. */
  readonly endsAt: Date | null;
}

/** Start time for a key that may sign immediately. */
export const ALWAYS = new Date(0);

interface Follower<Key> {
  take(keys: readonly Key[]): void;
}

/**
 * Keys of one kind. The newest key that may sign signs; signatures of all keys are accepted. Replacing the keys replaces
 * the complete set and notifies followers.
 */
export class SigningKeyRing<Key extends ScheduledKey = ScheduledKey> {
  /** Newest first. */
  private keys: readonly Key[] = [];
  private readonly followers: Follower<Key>[] = [];

  /** @param keys if several start to sign at the same time, the first of them signs */
  constructor(keys: readonly Key[]) {
    this.replace(keys);
  }

  /** Newest first. */
  get all(): readonly Key[] {
    return this.keys;
  }

  replace(keys: readonly Key[]): void {
    this.keys = [...keys].sort((a, b) => b.signsFrom.getTime() - a.signsFrom.getTime());
    for (const follower of this.followers) follower.take(this.keys);
  }

  /** @param follower called immediately, and at each replacement before the ring has other readers */
  follow(follower: (keys: readonly Key[]) => void): void {
    this.followers.push({ take: follower });
    follower(this.keys);
  }

  /**
   * Returns a ring of values derived from each key once, with the same schedule. It is replaced together with this ring.
   */
  prepared<Prepared extends object>(
    prepare: (key: Key) => Prepared,
  ): SigningKeyRing<ScheduledKey & Prepared> {
    const ring = new SigningKeyRing<ScheduledKey & Prepared>([]);
    this.follow((keys) => {
      ring.replace(
        keys.map((key) => {
          const { id, signsFrom, endsAt } = key;
          return { ...prepare(key), id, signsFrom, endsAt };
        }),
      );
    });
    return ring;
  }

  /**
   * Returns the newest key that may sign at `at` and is accepted until `until`. For a time before all keys, returns the
   * earliest key, so that documents issued under a removed key can be issued again.
   */
  signing(at: Date, until: Date): Key | undefined {
    let earliest: Key | undefined;
    for (const key of this.keys) {
      if (key.endsAt !== null && key.endsAt < until) continue;
      if (key.signsFrom <= at) return key;
      earliest = key;
    }
    return earliest;
  }

  /** Returns the end of the period from `now` without a gap in signing keys; null: no end. */
  signsUntil(now: Date): Date | null {
    let until = now;
    for (const { signsFrom, endsAt } of this.keys.toReversed()) {
      if (signsFrom > until) continue;
      if (endsAt === null) return null;
      if (endsAt > until) until = endsAt;
    }
    return until;
  }

  /** Returns when the key stops signing, because a newer key starts or because it ends; null: it is the last key. */
  signsNoMoreFrom(key: ScheduledKey): Date | null {
    const newer = this.keys.filter(({ signsFrom }) => signsFrom > key.signsFrom).map((one) => one.signsFrom);
    const times = [...newer, key.endsAt].filter((time) => time !== null).map((time) => time.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }
}

/** @param at milliseconds since 1970 */
export function isAcceptedAt({ endsAt }: ScheduledKey, at: number): boolean {
  return endsAt === null || at < endsAt.getTime();
}
