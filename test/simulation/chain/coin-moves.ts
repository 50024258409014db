import type { EVM, EVMResult, Message } from '@ethereumjs/evm';

/** Coin that code sent on while a transaction ran. */
export interface CoinMove {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** The calls of a transaction, as they run: what failed inside, and so was undone, is left out. */
export class CoinMoves {
  private readonly open: CoinMove[][] = [];
  private done: CoinMove[] = [];

  constructor(evm: EVM) {
    evm.events.on('beforeMessage', (message) => this.begin(message));
    evm.events.on('afterMessage', (result) => this.end(result));
  }

  /** @returns the moves of the transaction that has just run, in order, without its own value */
  take(): readonly CoinMove[] {
    const moves = this.done;
    this.done = [];
    this.open.length = 0;
    return moves;
  }

  private begin({ depth, delegatecall, caller, to, value }: Message): void {
    const isMove = depth > 0 && !delegatecall && value > 0n && to !== undefined && !caller.equals(to);
    this.open.push(isMove ? [{ from: caller.toString(), to: to.toString(), amount: value }] : []);
  }

  private end({ execResult }: EVMResult): void {
    const moves = this.open.pop() ?? [];
    if (execResult.exceptionError !== undefined) return;
    (this.open.at(-1) ?? this.done).push(...moves);
  }
}
