import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AcknowledgedCommits, type AcknowledgedRow } from './acknowledged.js';
import type { ServerIdentity } from './server-identity.js';

/** Maximum number of events stored in the file. */
const MAX_EVENTS_PER_FILE = 50;
const FILE_NAME = /^acknowledged-[0-9a-f-]{36}\.json$/;
/** Marks and events are pruned after this time, so an older file no longer proves a loss. */
const FILE_VALID_MS = 7 * 86_400_000;

interface AcknowledgedFileContent {
  readonly process: string;
  readonly server: ServerIdentity;
  readonly mark: number;
  readonly events: readonly string[];
  readonly at: string;
}

export interface StoredAcknowledgedCommits {
  readonly file: string;
  readonly server: ServerIdentity;
  readonly acknowledged: AcknowledgedCommits;
}

/**
 * Files in STATE_DIRECTORY, outside the database, that list recently acknowledged rows. If the database loses these
 * rows while no process runs, the next process notices.
 */
export class AcknowledgedCommitFiles {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Reads the files of other processes, running or ended. @throws Error if a file has an unknown format */
  read(now: Date): StoredAcknowledgedCommits[] {
    const names = readdirSync(this.folder).filter((name) => FILE_NAME.test(name));
    return names.flatMap((name) => {
      const file = join(this.folder, name);
      const content = readContent(file);
      if (content === null) return [];
      if (now.getTime() - Date.parse(content.at) > FILE_VALID_MS) return [];
      const rows = content.events.map((id): AcknowledgedRow => ({ table: 'platform.events', id }));
      const acknowledged = new AcknowledgedCommits(content.process, rows);
      acknowledged.mark = content.mark;
      acknowledged.markedAt = new Date(content.at);
      return [{ file, server: content.server, acknowledged }];
    });
  }

  write(server: ServerIdentity, { process, mark, markedAt, rows }: AcknowledgedCommits): void {
    if (markedAt === null) return;
    const events = rows.filter(({ table }) => table === 'platform.events').slice(-MAX_EVENTS_PER_FILE);
    const content: AcknowledgedFileContent = {
      process,
      server,
      mark,
      events: events.map(({ id }) => id),
      at: markedAt.toISOString(),
    };
    const file = join(this.folder, `acknowledged-${process}.json`);
    // Flushed to disk before the rename, so that a power failure cannot leave an empty file.
    writeFileSync(`${file}.new`, JSON.stringify(content), { flush: true });
    renameSync(`${file}.new`, file);
  }

  remove(file: string): void {
    rmSync(file, { force: true });
  }
}

/** Null if its process has removed the file, or if the file is malformed. */
function readContent(file: string): AcknowledgedFileContent | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as AcknowledgedFileContent;
  } catch {
    return null;
  }
}
