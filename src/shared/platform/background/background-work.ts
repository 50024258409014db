import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';

export abstract class BackgroundWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(protected readonly loops: readonly { start(): void; stop(): Promise<void> }[]) {}

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
