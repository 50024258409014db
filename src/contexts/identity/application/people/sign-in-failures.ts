import type { Allowance, BackOff } from '../../domain/people/lock-out.js';

/** What is guessed, and the way it is slowed down. */
export interface Guessed {
  /** What identifies it, such as an address or a person's id. */
  readonly parts: readonly string[];
  readonly backOff: BackOff;
}

/** A code that is counted. */
export interface CountedCode {
  readonly parts: readonly string[];
  readonly allowance: Allowance;
}

/** Counted exactly, over all processes. */
export abstract class SignInFailures {
  /**
   * Counts a guess as wrong before it is looked at, so that guesses at the same time count each.
   * @throws RateLimited while there is a wait; then it does not count
   */
  abstract take(guessed: Guessed): Promise<void>;
  /** It was right: the guesses of the person begin anew, that of the address is given back. */
  abstract clear(guessed: Guessed): Promise<void>;
  abstract giveBack(guessed: Guessed): Promise<void>;
  /** Takes one of an allowance before the code is looked at; one statement. @throws RateLimited where none is left */
  abstract spend(code: CountedCode): Promise<void>;
  /** It was right: the one that was taken is given back. */
  abstract restore(code: CountedCode): Promise<void>;
}
