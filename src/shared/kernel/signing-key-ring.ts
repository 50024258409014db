export interface ScheduledSigningKey {
  readonly id: string;
  /** Verification accepts the key earlier, so that all processes and caches know it by then. */
  readonly signsFrom: Date;
  /** Signatures are rejected from this time; null: accepted as long as the key is configured. */
  readonly endsAt: Date | null;
}

export const SIGNS_FROM_ALWAYS = new Date(0);

interface KeyRingFollower<Key> {
  take(keys: readonly Key[]): void;
}

/** Only the newest key that has started signs; signatures of all keys are accepted. */
export class SigningKeyRing<Key extends ScheduledSigningKey = ScheduledSigningKey> {
  private keys: readonly Key[] = [];
  private readonly followers: KeyRingFollower<Key>[] = [];

  constructor(keys: readonly Key[]) {
    this.replace(keys);
  }

  get allKeys(): readonly Key[] {
    return this.keys;
  }

  replace(keys: readonly Key[]): void {
    this.keys = [...keys].sort((a, b) => b.signsFrom.getTime() - a.signsFrom.getTime());
    for (const follower of this.followers) follower.take(this.keys);
  }

  follow(follower: (keys: readonly Key[]) => void): void {
    this.followers.push({ take: follower });
    follower(this.keys);
  }

  /** A second ring with a value computed once from each key. Follows replacements of this ring's keys. */
  deriveRing<Prepared extends object>(
    prepare: (key: Key) => Prepared,
  ): SigningKeyRing<ScheduledSigningKey & Prepared> {
    const ring = new SigningKeyRing<ScheduledSigningKey & Prepared>([]);
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
   * For a time before all keys, returns the earliest key, so that documents can be issued again after their key has
   * been removed.
   */
  signingKeyAt(at: Date, until: Date): Key | undefined {
    let earliest: Key | undefined;
    for (const key of this.keys) {
      if (key.endsAt !== null && key.endsAt < until) continue;
      if (key.signsFrom <= at) return key;
      earliest = key;
    }
    return earliest;
  }

  signsUntil(now: Date): Date | null {
    let until = now;
    for (const { signsFrom, endsAt } of this.keys.toReversed()) {
      if (signsFrom > until) continue;
      if (endsAt === null) return null;
      if (endsAt > until) until = endsAt;
    }
    return until;
  }

  /** A newer key starts or the key ends; null: never. */
  signingEndOf(key: ScheduledSigningKey): Date | null {
    const newer = this.keys.filter(({ signsFrom }) => signsFrom > key.signsFrom).map((one) => one.signsFrom);
    const times = [...newer, key.endsAt].filter((time) => time !== null).map((time) => time.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }
}

export function isKeyAcceptedAt({ endsAt }: ScheduledSigningKey, at: number): boolean {
  return endsAt === null || at < endsAt.getTime();
}
