import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

/** Starts loops after the application has started, and finishes their iterations before any part is closed. */
export abstract class BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  protected abstract readonly loops: readonly { start(): void; stop(): Promise<void> }[];

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}

/** Logs each change about a subject once, so that lasting conditions do not flood the log. */
export class LogOnce {
  private readonly logged = new Map<string, string>();

  /** Calls `log` unless `news` is unchanged for the subject. */
  news(about: string, news: string, log: () => void): void {
    if (this.logged.get(about) === news) return;
    this.logged.set(about, news);
    log();
  }

  forget(about: string): void {
    this.logged.delete(about);
  }

  /** Returns the logged subjects that start with `prefix`. */
  among(prefix: string): string[] {
    return [...this.logged.keys()].filter((about) => about.startsWith(prefix));
  }
}
