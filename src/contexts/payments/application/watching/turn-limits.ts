import { Injectable } from '@nestjs/common';

/** Transfers and payouts of ours that one unit of work takes. Anyone can send any number; a single block is the least. */
@Injectable()
export class TurnLimits {
  /** In blocks that are read onward. */
  readonly arrivals: number = 5_000;
  /** In blocks that are read again: they are compared one by one. */
  readonly reread: number = 5_000;
  /** In blocks that a reorganisation has replaced. */
  readonly takenBack: number = 5_000;
}
