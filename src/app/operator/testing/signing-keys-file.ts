import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Environment } from '../../settings/environment.js';
import type { Command } from '../command.js';
import { signingKeyCommands } from '../keys/signing-key-commands.js';
import { runOperator } from '../run-operator.js';

/** These commands lack what needs a database: the question before them, and their entries in the operator's log. */
const commands = signingKeyCommands.map((command): Command => {
  const bare: Command = { ...command };
  delete (bare as { changes?: unknown }).changes;
  return bare;
});

const NOW = new Date('2026-03-01T12:00:00Z');

export const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
export const DAY = 86_400;
/** A key signs so many seconds after it was made, unless another time is asked for. */
export const MARGIN = 600;

export interface ListedKey {
  id: string;
  kind: string;
  state: string;
  signs_from: string;
  signs_until: string | null;
  ends_at: string | null;
  needed_until: string | null;
}

/** A file of signing keys, and the commands `keys …` on it. */
export class SigningKeysFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'key-commands-'));
  readonly path = join(this.folder, 'keys.json');
  environment: Environment = {};

  /** There is no file yet, and it is `NOW`. */
  reset(): void {
    jest.useFakeTimers({ now: NOW, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    rmSync(this.path, { force: true });
    this.environment = { SIGNING_KEYS_FILE: this.path };
  }

  close(): void {
    jest.useRealTimers();
    rmSync(this.folder, { recursive: true });
  }

  async run(...words: string[]): Promise<{ status: number; out: string; err: string }> {
    const output = { out: '', err: '' };
    const status = await runOperator(
      {
        groups: { keys: commands },
        environment: () => this.environment,
        openContext: () => Promise.reject(new Error('No command of keys opens the service.')),
        out: (text) => (output.out += text),
        err: (text) => (output.err += text),
      },
      words,
    );
    return { status, ...output };
  }

  async answer<T>(...words: string[]): Promise<T> {
    const { status, out, err } = await this.run(...words, '--json');
    if (status !== 0) throw new Error(err);
    return JSON.parse(out) as T;
  }

  list(): Promise<ListedKey[]> {
    return this.answer<ListedKey[]>('keys', 'list');
  }

  text(): string {
    return readFileSync(this.path, 'utf8');
  }

  /** Makes the first key of each kind. */
  async bothKinds(): Promise<[token: ListedKey, naspip: ListedKey]> {
    return [
      await this.answer<ListedKey>('keys', 'create', 'token'),
      await this.answer<ListedKey>('keys', 'create', 'naspip'),
    ];
  }
}
