import { newId } from '../../kernel/ids.js';
import { AcknowledgedCommits, type AcknowledgedRow } from './acknowledged.js';
import { recentExternalSends } from './recent-external-sends.js';
import {
  StaleTimelineError,
  isSameServer,
  type Queryable,
  readWritableServerIdentity,
  ReadOnlyServerError,
  type ServerIdentity,
} from './server-identity.js';
import { WritesStoppedError } from './transient-error.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

export interface CommitLoss {
  readonly id: string;
  readonly server: ServerIdentity;
  readonly reason: string;
  readonly missing: readonly AcknowledgedRow[];
}

/** Identifies the database server that this process writes to. */
export class DatabaseIdentity {
  readonly acknowledged = new AcknowledgedCommits(newId());
  private readonly log = new OperatorLogWriter('database', PLATFORM_LOG_EVENTS);
  private readonly memories = new Set<() => void>();
  private readonly admitted = new WeakMap<Queryable, ServerIdentity>();
  private known: ServerIdentity | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private foundLoss: CommitLoss | null = null;
  private stoppedBy: string | null = null;
  /** Why a server that the pooler currently connects to must not be written to; null if it may. */
  wrongServerReason: string | null = null;

  currentServer(): ServerIdentity {
    if (this.known === null)
      throw new Error('No connection to a database that accepts writes has been made yet.');
    return this.known;
  }

  /** Registers a function that drops a cache. */
  onAnotherTimeline(forget: () => void): void {
    this.memories.add(forget);
  }

  /** Why this process has stopped writing; null if it writes. */
  get stopReason(): string | null {
    return this.stoppedBy ?? this.wrongServerReason;
  }

  get awaitsOperator(): boolean {
    return this.stoppedBy !== null;
  }

  get detectedLoss(): CommitLoss | null {
    return this.foundLoss;
  }

  /** @throws WritesStoppedError if this process must not write */
  requireWriting(): void {
    if (this.stopReason !== null) throw new WritesStoppedError();
  }

  async checkNewConnection(connection: Queryable, mustWrite: boolean): Promise<void> {
    const found = await readWritableServerIdentity(connection);
    if (found !== null) {
      await this.checkServerIdentity(found, connection);
      this.admitted.set(connection, found);
      return;
    }
    if (mustWrite) throw new ReadOnlyServerError();
  }

  /** True if this process has since connected to a later timeline. Writes over this connection may be lost. */
  isStaleConnection(connection: Queryable): boolean {
    const server = this.admitted.get(connection);
    return server !== undefined && this.known !== null && !isSameServer(server, this.known);
  }

  /**
   * Compares one connection at a time, so that no connection writes on a new timeline before missing commits are
   * detected.
   */
  checkServerIdentity(found: ServerIdentity, connection: Queryable): Promise<void> {
    const compared = this.turn.then(() => this.admitServer(found, connection));
    this.turn = compared.catch(() => undefined);
    return compared;
  }

  private async admitServer(found: ServerIdentity, connection: Queryable): Promise<void> {
    const { known } = this;
    this.known ??= found;
    if (known === null || isSameServer(known, found)) return;
    if (known.systemIdentifier === found.systemIdentifier && found.timeline < known.timeline)
      throw new StaleTimelineError(found, known);
    const missing = await this.acknowledged.findMissingRows(connection);
    this.known = found;
    this.log.write('database.changed', { from: nameOf(known), to: nameOf(found) });
    if (missing !== null) this.recordLoss(missing, `It was ${nameOf(known)} and is ${nameOf(found)}.`);
    this.forget();
  }

  /** @param circumstance how the loss was noticed, as a sentence */
  recordLoss(missing: readonly AcknowledgedRow[], circumstance: string): void {
    const lost =
      missing.length === 0
        ? 'the mark that this process wrote last'
        : `${missing.length} rows that were committed, among them ${missing[0]!.table} ${missing[0]!.id}`;
    const reason = `The database lacks ${lost}. ${circumstance}`;
    this.foundLoss ??= { id: newId(), server: this.currentServer(), reason, missing };
    this.acknowledged.forgetRows();
    this.acknowledged.mark = 0;
    this.stopWriting(reason);
    this.log.write('database.sent_recently', { sent: recentExternalSends() });
  }

  stopWriting(reason: string): void {
    if (this.stoppedBy !== null) return;
    this.stoppedBy = reason;
    this.log.write('database.writing_stopped', { reason });
    this.forget();
  }

  resumeWriting(): void {
    this.foundLoss = null;
    this.stoppedBy = null;
    this.acknowledged.mark = 0;
    this.forget();
    this.log.write('database.writing_resumed');
  }

  private forget(): void {
    for (const forget of this.memories) forget();
  }
}

function nameOf({ systemIdentifier, timeline }: ServerIdentity): string {
  return `timeline ${timeline} of the system ${systemIdentifier}`;
}
