import { newId } from '../../kernel/ids.js';
import { Acknowledged, type AcknowledgedRow } from './acknowledged.js';
import { sentLately } from './sent-lately.js';
import {
  EarlierTimeline,
  isSameServer,
  type Queryable,
  readServer,
  ReadOnlyServer,
  type ServerIdentity,
} from './server-identity.js';
import { WritingStopped } from './transient-error.js';
import { EventLogger } from '../logging/event-logger.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** Acknowledged commits that the database has lost. */
export interface Loss {
  readonly id: string;
  readonly server: ServerIdentity;
  readonly reason: string;
  readonly missing: readonly AcknowledgedRow[];
}

/**
 * Identifies the database that this process writes to. Each new connection is compared before its first statement. On
 * another timeline, all cached data is dropped; if an acknowledged commit is missing, the process stops writing. See
 * docs/operating/failover.md.
 */
export class DatabaseIdentity {
  readonly acknowledged = new Acknowledged(newId());
  private readonly log = new EventLogger('database', PLATFORM_LOG_EVENTS);
  private readonly memories = new Set<() => void>();
  private readonly admitted = new WeakMap<Queryable, ServerIdentity>();
  private known: ServerIdentity | null = null;
  private turn: Promise<unknown> = Promise.resolve();
  private foundLoss: Loss | null = null;
  private stoppedBy: string | null = null;
  /**
   * Why the server behind a pooler must not be written to; null if it may. Set until the pooler connects to another server.
   */
  astray: string | null = null;

  /** Returns the server that this process writes to. @throws Error before the first connection and on a standby */
  current(): ServerIdentity {
    if (this.known === null)
      throw new Error('No connection to a database that accepts writes has been made yet.');
    return this.known;
  }

  /** Calls `forget` when the database switches to another timeline, because cached data may be invalid. */
  onAnotherTimeline(forget: () => void): void {
    this.memories.add(forget);
  }

  /** Why this process does not write; null if it writes. */
  get stopped(): string | null {
    return this.stoppedBy ?? this.astray;
  }

  /** True after a loss, until `operator recover`. */
  get awaitsOperator(): boolean {
    return this.stoppedBy !== null;
  }

  /** The loss that this process has found; null after recovery. */
  get loss(): Loss | null {
    return this.foundLoss;
  }

  /** @throws WritingStopped */
  demandWriting(): void {
    if (this.stopped !== null) throw new WritingStopped();
  }

  /** Checks each new connection. @throws EarlierTimeline; ReadOnlyServer if the server must be writable */
  async admit(connection: Queryable, mustWrite: boolean): Promise<void> {
    const found = await readServer(connection);
    if (found !== null) {
      await this.compare(found, connection);
      this.admitted.set(connection, found);
      return;
    }
    if (mustWrite) throw new ReadOnlyServer();
  }

  /** True if another connection has since reached a later timeline. Writes of this connection may be lost. */
  isLeftBehind(connection: Queryable): boolean {
    const server = this.admitted.get(connection);
    return server !== undefined && this.known !== null && !isSameServer(server, this.known);
  }

  /** Sequential: no connection writes on a new timeline before its missing commits are known. @throws EarlierTimeline */
  compare(found: ServerIdentity, connection: Queryable): Promise<void> {
    const compared = this.turn.then(() => this.compareNow(found, connection));
    this.turn = compared.catch(() => undefined);
    return compared;
  }

  private async compareNow(found: ServerIdentity, connection: Queryable): Promise<void> {
    const { known } = this;
    this.known ??= found;
    if (known === null || isSameServer(known, found)) return;
    if (known.systemIdentifier === found.systemIdentifier && found.timeline < known.timeline)
      throw new EarlierTimeline(found, known);
    const missing = await this.acknowledged.missingFrom(connection);
    this.known = found;
    this.log.write('database.changed', { from: nameOf(known), to: nameOf(found) });
    if (missing !== null) this.lose(missing, `It was ${nameOf(known)} and is ${nameOf(found)}.`);
    this.forget();
  }

  /** @param circumstance a sentence */
  lose(missing: readonly AcknowledgedRow[], circumstance: string): void {
    const lost =
      missing.length === 0
        ? 'the mark that this process wrote last'
        : `${missing.length} rows that were committed, among them ${missing[0]!.table} ${missing[0]!.id}`;
    const reason = `The database lacks ${lost}. ${circumstance}`;
    this.foundLoss ??= { id: newId(), server: this.current(), reason, missing };
    this.acknowledged.forgetRows();
    this.acknowledged.mark = 0;
    this.stop(reason);
    this.log.write('database.sent_recently', { sent: sentLately() });
  }

  /** Stops all writes until `resume`. */
  stop(reason: string): void {
    if (this.stoppedBy !== null) return;
    this.stoppedBy = reason;
    this.log.write('database.writing_stopped', { reason });
    this.forget();
  }

  /** Call when the operator has accepted the loss. */
  resume(): void {
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
