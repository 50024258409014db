/** When a key may sign, and until when its signatures are accepted. */
export interface ScheduledKey {
  /** Named by what the key signs (`kid`). */
  readonly id: string;
  /** Accepted before, so that every process and every cache knows the key before the first signature. */
  readonly signsFrom: Date;
  /** Nothing that it signed is accepted from then on; null: accepted as long as the key is in the ring. */
  readonly endsAt: Date | null;
}

/** Before any signature: a key that signs since this process started. */
export const ALWAYS = new Date(0);

interface Follower<Key> {
  take(keys: readonly Key[]): void;
}

/**
 * The keys of one kind: the newest of those that may sign signs, all of them are accepted. A ring is replaced as a whole
 * while the process runs, and calls those who follow it.
 */
export class SigningKeyRing<Key extends ScheduledKey = ScheduledKey> {
  /** The newest first. */
  private keys: readonly Key[] = [];
  private readonly followers: Follower<Key>[] = [];

  /** @param keys of those that sign from the same time on, the first signs */
  constructor(keys: readonly Key[]) {
    this.replace(keys);
  }

  /** The newest first. */
  get all(): readonly Key[] {
    return this.keys;
  }

  replace(keys: readonly Key[]): void {
    this.keys = [...keys].sort((a, b) => b.signsFrom.getTime() - a.signsFrom.getTime());
    for (const follower of this.followers) follower.take(this.keys);
  }

  /** @param follower is called at once, and at each replacement before anybody else reads the ring */
  follow(follower: (keys: readonly Key[]) => void): void {
    this.followers.push({ take: follower });
    follower(this.keys);
  }

  /** A ring of what is worked out of each key once, under the same schedule; replaced together with this one. */
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
   * The key that signs at `at` for acceptance until `until`: the newest key that may sign then. A time before
   * that of all keys is of the first of them, so that what was issued under a key that is gone can be issued again.
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

  /** Until when there is a key that may sign, without a gap from `now` on; null: without end. */
  signsUntil(now: Date): Date | null {
    let until = now;
    for (const { signsFrom, endsAt } of this.keys.toReversed()) {
      if (signsFrom > until) continue;
      if (endsAt === null) return null;
      if (endsAt > until) until = endsAt;
    }
    return until;
  }

  /** When the key stops to sign, because a newer one begins to or because it ends; null: it is the last. */
  signsNoMoreFrom(key: ScheduledKey): Date | null {
    const newer = this.keys.filter(({ signsFrom }) => signsFrom > key.signsFrom).map((one) => one.signsFrom);
    const times = [...newer, key.endsAt].filter((time) => time !== null).map((time) => time.getTime());
    return times.length === 0 ? null : new Date(Math.min(...times));
  }
}

/** True where a signature of the key is accepted at a time, in milliseconds since 1970. */
export function isAcceptedAt({ endsAt }: ScheduledKey, at: number): boolean {
  return endsAt === null || at < endsAt.getTime();
}
