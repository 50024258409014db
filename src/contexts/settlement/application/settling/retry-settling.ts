import { Injectable } from '@nestjs/common';
import { SetAside } from '../../domain/settling/set-aside.js';

/** Ends the pauses of what was set aside. */
@Injectable()
export class RetrySettling {
  constructor(private readonly setAside: SetAside) {}

  /** @returns how many payouts the next run plans again */
  execute(network: string): Promise<number> {
    return this.setAside.retryAll(network);
  }
}
