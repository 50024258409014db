import { createHash, type Hash } from 'node:crypto';
import { readGzipLines, type ArchiveHead } from './archive-file.js';
import { findPartition, PartitionConflict, type Partition, type RunSql } from './partition.js';

interface SealRow {
  readonly number: string;
  readonly transactionId: string;
  readonly position: string;
  readonly events: number;
  readonly digest: string;
}

export interface ArchiveComparison {
  readonly partition: Partition;
  readonly events: number;
  readonly digest: string;
  readonly breaches: readonly object[];
}

type VisitEvents = (lines: readonly string[]) => Promise<void>;

const EVENTS_PER_VISIT = 2_000;

/** @throws PartitionConflict if the file is not an archive of this event log */
export async function compareArchive(
  sql: RunSql,
  path: string,
  visit: VisitEvents = async () => undefined,
): Promise<ArchiveComparison> {
  let comparison: HashChainComparison | undefined;
  let lines: string[] = [];
  const flush = async () => {
    if (lines.length > 0) await visit(lines);
    lines = [];
  };
  const sum = await readGzipLines(path, async (line) => {
    comparison ??= await startComparison(sql, line);
    if (!comparison.hasBegun) return void (comparison.hasBegun = true);
    comparison.add(line);
    if (lines.push(line) === EVENTS_PER_VISIT) await flush();
  });
  await flush();
  if (comparison === undefined) throw new PartitionConflict('The file is not an archive of the event log.');
  const { partition } = comparison;
  const breaches = comparison.end();
  if (partition.digest !== null && partition.digest !== sum.digest)
    breaches.push({ archive: path, digest: sum.digest, archived: partition.digest });
  return { partition, events: sum.lines - 1, digest: sum.digest, breaches };
}

async function startComparison(sql: RunSql, line: string): Promise<HashChainComparison> {
  const head = parseHead(line);
  const partition = await findPartition(sql, head.partition);
  if (partition.from !== head.from || partition.to !== head.to)
    throw new PartitionConflict(
      `The range of the archive differs from that of the partition ${partition.name}.`,
    );
  const seals: SealRow[] = await sql(
    `SELECT number::text, transaction_id::text AS "transactionId", position::text, events, encode(digest, 'hex') AS digest
     FROM platform.seals WHERE transaction_id >= $1::xid8 AND transaction_id < $2::xid8 AND number > 0 ORDER BY seals.number`,
    [head.from, head.to],
  );
  const [before] = (await sql(
    `SELECT encode(digest, 'hex') AS digest FROM platform.seals WHERE transaction_id < $1::xid8 OR seals.number = 0
     ORDER BY seals.number DESC LIMIT 1`,
    [head.from],
  )) as { digest: string }[];
  return new HashChainComparison(partition, seals, before?.digest ?? '');
}

function parseHead(line: string): ArchiveHead {
  try {
    const head = JSON.parse(line) as ArchiveHead;
    if (head.format === 'event-log-archive-1') return head;
  } catch {
    // A line that is not JSON is rejected like every other file that is not an archive.
  }
  throw new PartitionConflict('The file is not an archive of the event log.');
}

class HashChainComparison {
  hasBegun = false;
  private readonly breaches: object[] = [];
  private at = 0;
  private events = 0;
  private hash: Hash | undefined;

  constructor(
    readonly partition: Partition,
    private readonly seals: readonly SealRow[],
    private previous: string,
  ) {}

  add(line: string): void {
    const seal = this.seals[this.at];
    if (seal === undefined) return void (this.events += 1);
    this.hash ??= createHash('sha256')
      .update(Buffer.from(this.previous, 'hex'))
      .update(`${seal.number}\n${seal.events}\n`);
    this.hash.update(this.events === 0 ? line : `\n${line}`);
    this.events += 1;
    if (this.events === seal.events) this.compare(seal);
  }

  end(): object[] {
    if (this.hash !== undefined) this.compare(this.seals[this.at]!);
    for (const { number, events } of this.seals.slice(this.at))
      this.breaches.push({ seal: number, events, found: 0 });
    if (this.at >= this.seals.length && this.events > 0) this.breaches.push({ unsealed: this.events });
    return this.breaches;
  }

  private compare(seal: SealRow): void {
    if (this.hash!.digest('hex') !== seal.digest)
      this.breaches.push({ seal: seal.number, events: seal.events, found: this.events });
    [this.previous, this.hash, this.events] = [seal.digest, undefined, 0];
    this.at += 1;
  }
}
