import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

/** Starts loops once all parts of the process are there, and ends their turns before any part is closed. */
export abstract class BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected abstract readonly loops: readonly { start(): void; stop(): Promise<void> }[];

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

/** Logs each news about a thing once: what lasts would bury everything else. */
export class LogOnce {
  private readonly logged = new Map<string, string>();

  /** Calls `log` unless this was the last news about the thing. */
  news(about: string, news: string, log: () => void): void {
    if (this.logged.get(about) === news) return;
    this.logged.set(about, news);
    log();
  }

  forget(about: string): void {
    this.logged.delete(about);
  }

  /** The things that begin with `prefix` and of which something was logged. */
  among(prefix: string): string[] {
    return [...this.logged.keys()].filter((about) => about.startsWith(prefix));
  }
}
