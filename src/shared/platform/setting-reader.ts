import { parseTime } from '#shared/kernel/instant.js';
import { parseAbsoluteUrl, readWholeNumber } from '#shared/kernel/text.js';
import { parseDatabaseUrl } from './database/database-address.js';

export class InvalidSettings extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The settings are not complete:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`,
    );
    this.name = 'InvalidSettings';
  }
}

export interface KeyRingEntry {
  readonly id: string;
  readonly secret: Buffer;
}

export class SettingReader {
  private readonly problems: string[] = [];

  constructor(private readonly values: Readonly<Record<string, string | undefined>>) {}

  text(name: string, fallback?: string): string {
    const value = this.values[name]?.trim();
    if (value !== undefined && value !== '') return value;
    if (fallback === undefined) this.addProblem(`${name} is missing.`);
    return fallback ?? '';
  }

  url(name: string, protocols: readonly string[], fallback?: string): string {
    const value = this.text(name, fallback);
    // URLs of mail servers and databases may contain a password with any character.
    const isWeb = protocols.every((protocol) => protocol.startsWith('http'));
    const url = isWeb ? parseAbsoluteUrl(value) : URL.canParse(value) ? new URL(value) : undefined;
    if (value !== '' && !protocols.includes(url?.protocol.slice(0, -1) ?? ''))
      this.addProblem(`${name} must be a URL that begins with ${protocols.join(':// or ')}://.`);
    return value;
  }

  /** URL of a database with one or several hosts (docs/operating/failover.md). */
  databaseUrl(name: string, fallback?: string): string {
    const value = this.text(name, fallback);
    if (value === '') return value;
    try {
      parseDatabaseUrl(value);
    } catch (error) {
      const { message } = error as Error;
      this.addProblem(`${name}${message.startsWith('must') ? '' : ':'} ${message}`);
    }
    return value;
  }

  integer(name: string, { min, max, fallback }: { min: number; max: number; fallback: number }): number {
    const value = this.text(name, fallback.toString());
    const number = readWholeNumber(value);
    if (number >= min && number <= max) return number;
    this.addProblem(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
    return fallback;
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback?: T): T {
    const value = this.text(name, fallback);
    if ((choices as readonly string[]).includes(value)) return value as T;
    if (value !== '') this.addProblem(`${name} must be one of ${choices.join(', ')}, not "${value}".`);
    return choices[0]!;
  }

  flag(name: string): boolean {
    return this.choice(name, ['false', 'true'], 'false') === 'true';
  }

  time(name: string): Date {
    const value = this.text(name);
    const time = parseTime(value);
    if (time === undefined && value !== '')
      this.addProblem(`${name} must be a time in ISO 8601 with Z or an offset, like 2030-01-01T00:00:00Z.`);
    return time ?? new Date(NaN);
  }

  keyRing(name: string): KeyRingEntry[] {
    const text = this.text(name);
    if (text === '') return [];
    return text.split(',').map((entry) => {
      const [, id, encoded] = /^([A-Za-z0-9._-]{1,32}):([A-Za-z0-9_-]+)$/.exec(entry.trim()) ?? [];
      const secret = Buffer.from(encoded ?? '', 'base64url');
      if (id === undefined || secret.length !== 32) {
        this.addProblem(`${name} must be a list like key-1:SECRET with secrets of 256 bits in base64url.`);
      }
      return { id: id ?? '', secret };
    });
  }

  parse<T>(name: string, read: (text: string) => T, fallback?: string): T | undefined {
    const value = this.text(name, fallback);
    if (value === '' && fallback === undefined) return undefined;
    try {
      return read(value);
    } catch (error) {
      this.addProblem(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  addProblem(sentence: string): void {
    this.problems.push(sentence);
  }

  requireValid(): void {
    if (this.problems.length > 0) throw new InvalidSettings(this.problems);
  }
}

/** Explains to the operator why the process could not start. Includes the stack trace only for unexpected errors. */
export function startFailureSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE')
    return `${error.message}. Stop the process that uses this port, or set HTTP_PORT.`;
  if (code === '42P01' || code === '3F000') {
    return 'The database in DATABASE_URL does not have the schema of this release. Run the operator command: migrate.';
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000') {
    return `The database in DATABASE_URL cannot be used: ${error.message || String(code)}.`;
  }
  if (error.name === 'Error' || error instanceof TypeError) return error.stack ?? error.message;
  return error.message;
}
