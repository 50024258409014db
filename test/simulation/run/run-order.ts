import type { Difference } from '../facts/fact.js';
import type { FaultLevel } from '../faults/faults.js';
import type { DrawnAct } from './days.js';

/** An order says what one run is to do. The same order gives the same history. */
export interface RunOrder {
  readonly seed: number;
  readonly days: number;
  readonly merchants: number;
  /** Each merchant acts so often a day on average. */
  readonly actsADay: number;
  readonly faults: FaultLevel;
  /** Each act and each kind of fault is to occur at least once. */
  readonly covers?: boolean;
  /** When it begins, in simulated time (ISO 8601). */
  readonly begin: string;
  /** A copy of the prepared database. */
  readonly databaseUrl: string;
  /** The folder whose `src` is run. */
  readonly root: string;
  /** The folder of another release with the same migrations, which runs beside it from a rolling restart on. */
  readonly beside?: string;
  /** A folder for the run's files. */
  readonly folder: string;
  /** Prints every line of the history. */
  readonly isPrinted: boolean;
  /** A difference does not end the run. */
  readonly goesOn: boolean;
  /** Differences by these rules are passed over. */
  readonly forgiven?: readonly string[];
  /** Differences by all other rules are passed over. */
  readonly onlyRule?: string;
  /** Kinds of faults; all others are left out, and the draws of these stay where they were. */
  readonly onlyFaults?: readonly string[];
  /** Numbers of drawn acts; all others are left out, and these stay where they were. */
  readonly onlyActs?: readonly number[];
  /** A file that gets every line of the history. */
  readonly historyFile?: string;
  /** A file that gets the chain as it is at the end, a `RecordedChain`. */
  readonly chainFile?: string;
  /** Logs of the processes are printed. */
  readonly isLogged: boolean;
}

export interface RunReport {
  readonly seed: number;
  /** Null: everything was as it may be. */
  readonly failure: string | null;
  /** The end of the history, where it failed. */
  readonly last: readonly string[];
  /** More than those of one fact only where the run went on at them. */
  readonly differences: readonly Difference[];
  readonly digest: string;
  readonly lines: number;
  /** In the order of their numbers, with those that were left out. */
  readonly acts: readonly DrawnAct[];
  readonly faults: Readonly<Record<string, number>>;
  /** Acts and kinds of faults that did not occur. */
  readonly missing: readonly string[];
  /** Simulated days that went by before it ended. */
  readonly days: number;
}

export function isDifferent({ failure, differences }: RunReport): boolean {
  return failure !== null || differences.length > 0;
}
