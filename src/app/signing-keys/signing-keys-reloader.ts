import { readFile } from 'node:fs/promises';
import { type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { describeSigningKeyProblems } from './read-signing-keys.js';
import { SIGNING_KEY_KINDS, type SigningKeyLists, type SigningKeys } from './signing-keys.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';

/** Contents are compared, because mounted secrets change by replacing a symbolic link. */
const CHECK_INTERVAL_MS = 2_000;
/** Keys fixed by settings cannot change. */
const FIXED_CHECK_INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Enough time to replace the key. The alert rule has the same threshold. */
const EXPIRY_WARNING_MS = 14 * DAY_MS;
const PUBLIC_KEY_CACHE_MS = 300_000;

/** Reloads when SIGNING_KEYS_FILE changes, and on SIGHUP. With an invalid file, the keys stay in use. */
export class SigningKeysReloader implements OnApplicationBootstrap, OnApplicationShutdown {
  isCurrent = true;
  private readonly log = new OperatorLogWriter('signing-keys', PLATFORM_LOG_EVENTS);
  private readonly warnings: SigningKeyWarnings;
  private readonly loop: BackgroundLoop;
  private readonly checkNow = () => this.loop.wake();
  private seen: string;

  constructor(
    private readonly keys: SigningKeys,
    private readonly now: () => Date = () => new Date(),
    intervalMs = CHECK_INTERVAL_MS,
  ) {
    this.seen = keys.file?.text ?? '';
    this.warnings = new SigningKeyWarnings(keys, this.log);
    const idleMs = keys.file === undefined ? FIXED_CHECK_INTERVAL_MS : intervalMs;
    this.loop = new BackgroundLoop({ name: 'signing-keys', idleMs }, () => this.reloadIfChanged());
  }

  onApplicationBootstrap(): void {
    if (this.keys.file !== undefined) process.on('SIGHUP', this.checkNow);
    this.loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    process.off('SIGHUP', this.checkNow);
    await this.loop.stop();
  }

  /** @returns false, because no further work is pending */
  async reloadIfChanged(): Promise<boolean> {
    const { file } = this.keys;
    if (file !== undefined) {
      const found = await readFile(file.path, 'utf8').catch((error: NodeJS.ErrnoException) => error);
      const seen = typeof found === 'string' ? found : `${found.code}`;
      if (seen !== this.seen) this.load(found);
      this.seen = seen;
    }
    this.warnings.warnOfExpiry(this.now());
    return false;
  }

  private load(found: string | Error): void {
    const former = { token: this.keys.token.allKeys, naspip: this.keys.naspip.allKeys };
    try {
      if (typeof found !== 'string') throw found;
      const lists = this.keys.file!.read(found, this.now());
      this.keys.token.replace(lists.token);
      this.keys.naspip.replace(lists.naspip);
      this.isCurrent = true;
      this.log.write('signing_keys.loaded', { keys: describeKeyIds(lists) });
      this.warnings.warnOfEarlySigning(former, this.now());
    } catch (error) {
      this.isCurrent = false;
      this.log.write('signing_keys.file_invalid', { problems: describeSigningKeyProblems(error) });
    }
  }
}

function describeKeyIds(lists: SigningKeyLists): object[] {
  return SIGNING_KEY_KINDS.flatMap((kind) =>
    lists[kind].map(({ id, signsFrom }) => ({ kind, key_id: id, signs_from: signsFrom })),
  );
}

class SigningKeyWarnings {
  private lastWarned = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keys: SigningKeys,
    private readonly log: OperatorLogWriter,
  ) {}

  /** Once a day from two weeks before the keys expire. */
  warnOfExpiry(now: Date): void {
    if (now.getTime() - this.lastWarned < DAY_MS) return;
    for (const kind of SIGNING_KEY_KINDS) {
      const until = this.keys[kind].signsUntil(now);
      if (until === null || until.getTime() - now.getTime() >= EXPIRY_WARNING_MS) continue;
      this.lastWarned = now.getTime();
      this.log.write('signing_keys.expiring', { kind, signs_until: until });
    }
  }

  /** Verifiers may still cache the public keys without the new key. */
  warnOfEarlySigning(former: SigningKeyLists, now: Date): void {
    for (const kind of SIGNING_KEY_KINDS) {
      const known = new Set(former[kind].map(({ id }) => id));
      const hasFormer = this.keys[kind].allKeys.some(({ id }) => known.has(id));
      for (const { id, signsFrom } of this.keys[kind].allKeys) {
        if (!hasFormer || known.has(id) || signsFrom.getTime() >= now.getTime() + PUBLIC_KEY_CACHE_MS)
          continue;
        this.log.write('signing_keys.signs_too_early', { kind, key_id: id, signs_from: signsFrom });
      }
    }
  }
}
