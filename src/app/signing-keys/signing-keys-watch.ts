import { readFile } from 'node:fs/promises';
import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { problemsIn } from './read-signing-keys.js';
import { SIGNING_KEY_KINDS, type SigningKeyLists, type SigningKeys } from './signing-keys.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';

/** The time between two looks at the file. A mounted secret is replaced by a link to another file, so its contents are compared. */
const LOOK_MS = 2_000;
/** Fixed keys are only looked at for their end. */
const FIXED_LOOK_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A key that is made then is in use long before the end; the alert rule has the same limit. */
const WARN_MS = 14 * DAY_MS;
/** Who fetched public keys may keep them for so long (`Cache-Control` of the well-known document). */
const CACHED_MS = 300_000;

/**
 * Reads SIGNING_KEYS_FILE anew when it has changed, at once on SIGHUP. A version that is not to be used changes nothing:
 * the former keys go on, and the log and a metric show it.
 */
export class SigningKeysWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  /** True while the keys in use are those of the file as it is now. */
  isCurrent = true;
  private readonly log = new EventLogger('signing-keys');
  private readonly warnings: SigningKeyWarnings;
  private readonly loop: BackgroundLoop;
  private readonly hear = () => this.loop.wake();
  /** The file's text when it was last read, or why it could not be read. */
  private seen: string;

  constructor(
    private readonly keys: SigningKeys,
    private readonly now: () => Date = () => new Date(),
    lookMs = LOOK_MS,
  ) {
    this.seen = keys.file?.text ?? '';
    this.warnings = new SigningKeyWarnings(keys, this.log);
    const idleMs = keys.file === undefined ? FIXED_LOOK_MS : lookMs;
    this.loop = new BackgroundLoop({ name: 'signing-keys', idleMs }, () => this.look());
  }

  onApplicationBootstrap(): void {
    if (this.keys.file !== undefined) process.on('SIGHUP', this.hear);
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    process.off('SIGHUP', this.hear);
    await this.loop.stop();
  }

  /** Takes one turn. @returns false: nothing is left to do */
  async look(): Promise<boolean> {
    const { file } = this.keys;
    if (file !== undefined) {
      const found = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
      const seen = typeof found === 'string' ? found : `${found.code}`;
      if (seen !== this.seen) this.take(found);
      this.seen = seen;
    }
    this.warnings.warnOfEnd(this.now());
    return false;
  }

  private take(found: string | Error): void {
    const former = { token: this.keys.token.all, naspip: this.keys.naspip.all };
    try {
      if (typeof found !== 'string') throw found;
      const lists = this.keys.file!.read(found, this.now());
      this.keys.token.replace(lists.token);
      this.keys.naspip.replace(lists.naspip);
      this.isCurrent = true;
      this.log.write('signing_keys.loaded', { keys: namesOf(lists) });
      this.warnings.warnOfHaste(former, this.now());
    } catch (error) {
      this.isCurrent = false;
      this.log.write('signing_keys.file_invalid', { problems: problemsIn(error) });
    }
  }
}

function namesOf(lists: SigningKeyLists): object[] {
  return SIGNING_KEY_KINDS.flatMap((kind) =>
    lists[kind].map(({ id, signsFrom }) => ({ kind, key_id: id, signs_from: signsFrom })),
  );
}

/** Operators read of keys in the log while there is time. */
class SigningKeyWarnings {
  private lastWarned = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keys: SigningKeys,
    private readonly log: EventLogger,
  ) {}

  /** Warns of keys that end without a successor, once a day from two weeks before the end on. */
  warnOfEnd(now: Date): void {
    if (now.getTime() - this.lastWarned < DAY_MS) return;
    for (const kind of SIGNING_KEY_KINDS) {
      const until = this.keys[kind].signsUntil(now);
      if (until === null || until.getTime() - now.getTime() >= WARN_MS) continue;
      this.lastWarned = now.getTime();
      this.log.write('signing_keys.expiring', { kind, signs_until: until });
    }
  }

  /** Warns of a new key that signs before all who verify can know it. @param former keys, which those of now replaced */
  warnOfHaste(former: SigningKeyLists, now: Date): void {
    for (const kind of SIGNING_KEY_KINDS) {
      const known = new Set(former[kind].map(({ id }) => id));
      const hasFormer = this.keys[kind].all.some(({ id }) => known.has(id));
      for (const { id, signsFrom } of this.keys[kind].all) {
        if (!hasFormer || known.has(id) || signsFrom.getTime() >= now.getTime() + CACHED_MS) continue;
        this.log.write('signing_keys.signs_too_early', { kind, key_id: id, signs_from: signsFrom });
      }
    }
  }
}
