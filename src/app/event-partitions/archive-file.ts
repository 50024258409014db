import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** The following lines are the events in log order, in the form over which the hash chain is computed. */
export interface ArchiveHead {
  readonly format: 'event-log-archive-1';
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

export interface ArchiveDigest {
  readonly lines: number;
  readonly digest: string;
}

/** The file gets its final name only after it is complete and flushed to disk. */
export async function writeGzipLines(path: string, lines: AsyncIterable<string>): Promise<ArchiveDigest> {
  const unfinished = `${path}.unfinished`;
  const hash = createHash('sha256');
  let count = 0;
  const text = async function* (): AsyncIterable<string> {
    for await (const line of lines) {
      count += 1;
      yield `${line}\n`;
    }
  };
  await pipeline(text, createGzip(), hashingStream(hash), createWriteStream(unfinished, { mode: 0o600 }));
  await flushToDisk(unfinished);
  await rename(unfinished, path);
  await flushToDisk(dirname(path));
  return { lines: count, digest: hash.digest('hex') };
}

async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}

/** @throws Error if the file is truncated or not gzip */
export async function readGzipLines(
  path: string,
  visit: (line: string) => Promise<void> | void,
): Promise<ArchiveDigest> {
  const hash = createHash('sha256');
  let count = 0;
  await pipeline(createReadStream(path), hashingStream(hash), createGunzip(), async (chunks) => {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    let rest = '';
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        count += 1;
        await visit(line);
      }
    }
    if (rest !== '') throw new Error('The last line of the archive is cut off.');
  });
  return { lines: count, digest: hash.digest('hex') };
}

function hashingStream(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
