import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { Clock } from '../process/clock.js';
import type { Random } from '../random.js';
import type { Fleet } from '../run/fleet.js';
import type { History } from '../run/history.js';
import type { StepFaults } from './faults.js';

/** The parts of a run that troubles touch. */
export interface Places {
  readonly random: Random;
  readonly chain: EvmChainSide;
  readonly fleet: Fleet;
  readonly faults: StepFaults;
  readonly history: History;
  readonly clock: Clock;
  readonly network: string;
}

type Begun = (() => void) | 'not yet' | void;

/** Something around the processes that goes wrong at a moment, or from then on for a while. */
export interface Trouble {
  readonly name: string;
  readonly weight: number;
  /** @returns what ends it, where it does not end by itself; `not yet`: it is to begin in a later slot */
  begin(): Promise<Begun> | Begun;
}
