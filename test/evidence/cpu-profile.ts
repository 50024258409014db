import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The fields of V8's profiles that are read here (Chrome DevTools Protocol, domain Profiler). */
export interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before. */
  readonly timeDeltas: readonly number[];
}

export interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children?: readonly number[];
}

/** A process of Node that was started with `--inspect`, by the Chrome DevTools Protocol. */
export class InspectedProcess {
  private asked = 0;

  private constructor(private readonly socket: WebSocket) {}

  /** @param log what the process has printed, among it where its debugger listens */
  static async connect(log: string): Promise<InspectedProcess> {
    const [url] = /ws:\/\/[\d.]+:\d+\/[\w-]+/.exec(log) ?? [];
    if (url === undefined) throw new Error('No debugger listens.');
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    return new InspectedProcess(socket);
  }

  /** Profiles the process during the work. */
  async profile(work: () => Promise<unknown>): Promise<Profile> {
    await this.call('Profiler.enable');
    await this.call('Profiler.setSamplingInterval', { interval: 200 });
    await this.call('Profiler.start');
    await work();
    return (await this.call<{ profile: Profile }>('Profiler.stop')).profile;
  }

  /** Megabytes that are in use once garbage is collected: of the heap, and of buffers beside it. */
  async usedMemory(): Promise<number> {
    await this.call('HeapProfiler.collectGarbage');
    const used = await this.call<{ usedSize: number; backingStorageSize: number }>('Runtime.getHeapUsage');
    return Math.round((used.usedSize + used.backingStorageSize) / 1024 / 1024);
  }

  close(): void {
    this.socket.close();
  }

  private call<T>(method: string, params: object = {}): Promise<T> {
    const id = (this.asked += 1);
    return new Promise((resolve, reject) => {
      this.socket.addEventListener('message', ({ data }) => {
        const reply = JSON.parse(String(data)) as { id?: number; result?: T; error?: object };
        if (reply.id !== id) return;
        if (reply.error) reject(new Error(JSON.stringify(reply.error)));
        else resolve(reply.result as T);
      });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}

/** Finds a frame's source: the path of a module before it was joined to others. */
export class Sources {
  private readonly maps = new Map<string, SourceMap | null>();

  /** @returns `node:…` for Node's own, `(…)` for what is no code, otherwise a path */
  of({ functionName, url, lineNumber, columnNumber }: Frame): string {
    if (url === '') return functionName.startsWith('(') ? functionName : 'node:native';
    if (!url.startsWith('file:')) return url;
    const entry = this.mapOf(url)?.findEntry(lineNumber, columnNumber);
    return entry !== undefined && 'originalSource' in entry ? entry.originalSource : fileURLToPath(url);
  }

  private mapOf(url: string): SourceMap | null {
    let map = this.maps.get(url);
    if (map === undefined) {
      map = readMap(`${fileURLToPath(url)}.map`);
      this.maps.set(url, map);
    }
    return map;
  }
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}

/**
 * Adds up the time of each sample under one group: that of the innermost frame that has one.
 * @param groupOf undefined for a frame that works for its caller
 * @returns microseconds by group
 */
export function timeByGroup(
  { nodes, samples, timeDeltas }: Profile,
  groupOf: (frame: Frame) => string | undefined,
): Map<string, number> {
  const groups = new Map<number, string>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const visit = (node: ProfileNode, inherited: string): void => {
    const group = groupOf(node.callFrame) ?? inherited;
    groups.set(node.id, group);
    for (const child of node.children ?? []) visit(byId.get(child)!, group);
  };
  visit(nodes[0]!, 'node');
  const times = new Map<string, number>();
  samples.forEach((id, n) => {
    const group = groups.get(id)!;
    times.set(group, (times.get(group) ?? 0) + timeDeltas[n]!);
  });
  return times;
}
