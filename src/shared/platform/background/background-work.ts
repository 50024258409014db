import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

/**
 * Starts background loops after the application has started. At shutdown, waits for their running iterations before the
 * application closes any connection.
 */
export abstract class BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(protected readonly loops: readonly { start(): void; stop(): Promise<void> }[]) {}

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
