import type { OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { AcknowledgedCommitFiles } from './acknowledged-commit-files.js';
import { connectionPoolOf, databaseIdentityOf } from './data-source.js';
import type { DatabaseIdentity } from './database-identity.js';
import {
  PRUNE_COMMIT_MARKS,
  INSERT_COMMIT_LOSS,
  commitLossCheckQuery,
  type CommitLossCheckRow,
} from './commit-loss-check.sql.js';
import {
  queryWithServerIdentity,
  StaleTimelineError,
  isSameServer,
  type ServerIdentity,
  toServerIdentity,
} from './server-identity.js';
import { recentExternalSends } from './recent-external-sends.js';

const CHECK_INTERVAL_MS = 1_000;

export interface CommitLossDetectorOptions {
  readonly role: string;
  /**
   * Folder that remembers acknowledged rows across restarts. Absent: losses are only detected while a process runs.
   */
  readonly stateDirectory: string | undefined;
}

/**
 * Checks about once a second which server answers, whether the last mark of this process still exists, and whether a
 * loss is open. If nothing is wrong, the same statement writes the next mark.
 */
export class CommitLossDetector extends BackgroundWork implements OnModuleInit {
  private readonly identity: DatabaseIdentity;
  private readonly files: AcknowledgedCommitFiles | null;
  private readonly release: () => void;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: CommitLossDetectorOptions,
  ) {
    const loop = { name: 'database watch', idleMs: CHECK_INTERVAL_MS, whileHeld: 'runs' } as const;
    super([new BackgroundLoop(loop, () => this.checkDatabase())]);
    const identity = databaseIdentityOf(dataSource);
    this.identity = identity;
    this.files =
      options.stateDirectory === undefined ? null : new AcknowledgedCommitFiles(options.stateDirectory);
    this.release = BackgroundLoop.pauseAllWhile(() => identity.stopReason !== null);
  }

  /** @throws StaleTimelineError, or a database error. The process then does not start. */
  async onModuleInit(): Promise<void> {
    await connectionPoolOf(this.dataSource).query(PRUNE_COMMIT_MARKS);
    const compared = this.files === null ? [] : await this.compareWithFiles(this.files);
    await this.checkDatabase();
    // Any loss is stored in the database by now, so the next start no longer needs the files.
    for (const file of compared) this.files!.remove(file);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    this.release();
  }

  async checkDatabase(): Promise<boolean> {
    const { identity } = this;
    const { acknowledged, detectedLoss } = identity;
    const pool = connectionPoolOf(this.dataSource);
    const asked = identity.currentServer();
    const { systemIdentifier, timeline } = asked;
    // Marks are pruned after days. While this machine was asleep, its last mark may have been pruned without a loss.
    if (!isRecent(acknowledged.markedAt)) acknowledged.mark = 0;
    const next = acknowledged.mark + 1;
    const { rows } = await queryWithServerIdentity(
      pool,
      ...commitLossCheckQuery([
        acknowledged.process,
        acknowledged.mark,
        next,
        detectedLoss?.id ?? null,
        systemIdentifier,
        timeline,
      ]),
    );
    const row = rows[0] as unknown as CommitLossCheckRow;
    await this.checkServer(toServerIdentity(rows[0]!));
    if (!identity.awaitsOperator) {
      if (row.is_behind)
        identity.recordLoss([], 'The timeline is the same: an older copy has replaced the database.');
      else if (row.open_loss !== null) identity.stopWriting(row.open_loss);
    }
    if (row.marked_at !== null && !identity.awaitsOperator && isSameServer(identity.currentServer(), asked)) {
      acknowledged.mark = next;
      acknowledged.markedAt = row.marked_at;
      if (row.newest_event !== null) acknowledged.setNewestEvent(row.newest_event);
      this.files?.write(identity.currentServer(), acknowledged);
    }
    await this.recordOrResume(row);
    return false;
  }

  private async recordOrResume({ open_loss, own_loss }: CommitLossCheckRow): Promise<void> {
    const { detectedLoss, acknowledged, awaitsOperator } = this.identity;
    if (detectedLoss !== null && own_loss === null) {
      await connectionPoolOf(this.dataSource).query(INSERT_COMMIT_LOSS, [
        detectedLoss.id,
        `${this.options.role} ${acknowledged.process}`,
        detectedLoss.server.systemIdentifier,
        detectedLoss.server.timeline,
        detectedLoss.reason,
        JSON.stringify(detectedLoss.missing),
        JSON.stringify(recentExternalSends()),
        acknowledged.markedAt,
      ]);
    } else if (awaitsOperator && open_loss === null && own_loss !== 'open') this.identity.resumeWriting();
  }

  private async checkServer(found: ServerIdentity): Promise<void> {
    if (isSameServer(found, this.identity.currentServer()))
      return void (this.identity.wrongServerReason = null);
    // The connection is opened before the comparison, because opening one waits for a running comparison.
    const client = await connectionPoolOf(this.dataSource).connect();
    try {
      await this.identity.checkServerIdentity(found, client);
      this.identity.wrongServerReason = null;
    } catch (error) {
      if (error instanceof StaleTimelineError) this.identity.wrongServerReason = error.message;
      throw error;
    } finally {
      client.release();
    }
  }

  private async compareWithFiles(files: AcknowledgedCommitFiles): Promise<string[]> {
    const pool = connectionPoolOf(this.dataSource);
    const server = this.identity.currentServer();
    const { rows } = await pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const formers = files.read(rows[0]!.now);
    for (const { file, server: former, acknowledged } of formers) {
      if (former.systemIdentifier === server.systemIdentifier && former.timeline > server.timeline)
        throw new StaleTimelineError(server, former);
      const missing = await acknowledged.findMissingRows(pool);
      if (missing !== null) {
        const change = isSameServer(former, server) ? '' : ` Then it was timeline ${former.timeline}.`;
        this.identity.acknowledged.markedAt = acknowledged.markedAt;
        this.identity.recordLoss(missing, `An earlier process saw it acknowledged (${file}).${change}`);
      }
    }
    return formers.map(({ file }) => file);
  }
}

const MARK_VALID_MS = 7 * 86_400_000;

function isRecent(markedAt: Date | null): boolean {
  return markedAt !== null && Date.now() - markedAt.getTime() < MARK_VALID_MS;
}
