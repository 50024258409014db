import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Acknowledged, type AcknowledgedRow } from './acknowledged.js';
import type { ServerIdentity } from './server-identity.js';

/** The events that are looked for after a restart: rows of other tables may have been removed since, by age. */
const EVENTS = 50;
const NAME = /^acknowledged-[0-9a-f-]{36}\.json$/;
/** Marks, and then events, are removed from the database: an older file proves nothing. */
const HOLDS_MS = 7 * 86_400_000;

interface Content {
  readonly process: string;
  readonly server: ServerIdentity;
  readonly mark: number;
  readonly events: readonly string[];
  /** ISO 8601, by the database's clock. */
  readonly at: string;
}

/** An earlier process's knowledge. */
export interface FormerKnowledge {
  readonly file: string;
  readonly server: ServerIdentity;
  readonly acknowledged: Acknowledged;
}

/**
 * Files of what processes saw acknowledged, in a folder outside the database (STATE_DIRECTORY): a database that lost it while no
 * process ran is noticed by the next one that starts. A file for each process, replaced as a whole.
 */
export class AcknowledgedFiles {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Reads files of processes that have ended, and of others that run: these write theirs anew. @throws where a file is none of ours */
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
    // A power cut must not leave an empty file in the place of a whole one.
    writeFileSync(`${file}.new`, JSON.stringify(content), { flush: true });
    renameSync(`${file}.new`, file);
  }

  remove(file: string): void {
    rmSync(file, { force: true });
  }
}

/** Null where the process has removed it meanwhile, and where it cannot be read, which proves nothing. */
function readContent(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch {
    return null;
  }
}
