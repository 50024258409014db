import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Acknowledged, type AcknowledgedRow } from './acknowledged.js';
import type { ServerIdentity } from './server-identity.js';

/** Number of events that are checked after a restart. Rows of other tables may have been pruned since. */
const EVENTS = 50;
const NAME = /^acknowledged-[0-9a-f-]{36}\.json$/;
/** Marks and events are pruned from the database, so an older file proves nothing. */
const HOLDS_MS = 7 * 86_400_000;

interface Content {
  readonly process: string;
  readonly server: ServerIdentity;
  readonly mark: number;
  readonly events: readonly string[];
  /** ISO 8601, database clock. */
  readonly at: string;
}

/** The acknowledged rows of an earlier process. */
export interface FormerKnowledge {
  readonly file: string;
  readonly server: ServerIdentity;
  readonly acknowledged: Acknowledged;
}

/**
 * Files of acknowledged rows in a folder outside the database (STATE_DIRECTORY). If the database lost them while no process
 * ran, the next process detects it. Each process has one file and replaces it atomically.
 */
export class AcknowledgedFiles {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /**
   * Reads files of ended processes, and of running ones, which rewrite theirs.
   * @throws Error if a file has an unknown format
   */
  read(now: Date): FormerKnowledge[] {
    const names = readdirSync(this.folder).filter((name) => NAME.test(name));
    return names.flatMap((name) => {
      const file = join(this.folder, name);
      const content = readContent(file);
      if (content === null) return [];
      if (now.getTime() - Date.parse(content.at) > HOLDS_MS) return [];
      const rows = content.events.map((id): AcknowledgedRow => ({ table: 'platform.events', id }));
      const acknowledged = new Acknowledged(content.process, rows);
      acknowledged.mark = content.mark;
      acknowledged.markedAt = new Date(content.at);
      return [{ file, server: content.server, acknowledged }];
    });
  }

  write(server: ServerIdentity, { process, mark, markedAt, rows }: Acknowledged): void {
    if (markedAt === null) return;
    const events = rows.filter(({ table }) => table === 'platform.events').slice(-EVENTS);
    const content: Content = {
      process,
      server,
      mark,
      events: events.map(({ id }) => id),
      at: markedAt.toISOString(),
    };
    const file = join(this.folder, `acknowledged-${process}.json`);
    // Flushed before the rename, so that a power failure cannot leave an empty file.
    writeFileSync(`${file}.new`, JSON.stringify(content), { flush: true });
    renameSync(`${file}.new`, file);
  }

  remove(file: string): void {
    rmSync(file, { force: true });
  }
}

/** Null if the process has removed the file, or if it is unreadable and therefore proves nothing. */
function readContent(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch {
    return null;
  }
}
