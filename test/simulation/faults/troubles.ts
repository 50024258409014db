import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { Clock } from '../process/simulated-time.js';
import { type Random, emphasis, emphasised } from '../random.js';
import type { Fleet } from '../run/fleet.js';
import type { History } from '../run/history.js';
import type { StepFaults, FaultLevel } from './faults.js';
import { chainTroubles } from './chain-troubles.js';

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

export interface Trouble {
  readonly name: string;
  readonly weight: number;
  /** @returns what ends it, where it does not end by itself; `not yet`: it is to begin in a later slot */
  begin(): Promise<Begun> | Begun;
}

/** A slot begins one with this probability, in the middle of all seeds. */
const SHARE = { none: 0, some: 0.03, all: 0.12 } as const;
/** A run that covers every kind begins one so often. */
const COVERING_SHARE = 0.7;
/** A seed has up to so many times that, or down to one part in as many. */
const MOST_OFTEN = 3;
/** So many times as often as the others, or one part in as many, a seed has one kind. */
const MOST_OF_A_KIND = 6;
const LONGEST_SLOTS = 8;
const COVERING_SLOTS = 2;

export class Troubles {
  /** Other kinds are left out; null: none is. */
  only: readonly string[] | null = null;
  readonly counts = new Map<string, number>();
  private readonly kinds: readonly Trouble[];
  private readonly share: number;
  private waiting: Trouble[] = [];
  private running: { slots: number; readonly end: () => void }[] = [];

  constructor(
    private readonly random: Random,
    level: FaultLevel,
    private readonly places: Omit<Places, 'random'>,
    private readonly covers: boolean,
  ) {
    const all = { ...places, random };
    const kinds = [...processTroubles(all), ...chainTroubles(all), ...databaseTroubles(all)];
    this.kinds = emphasised(kinds, random, MOST_OF_A_KIND);
    const share = SHARE[level] * emphasis(random, MOST_OFTEN);
    this.share = covers ? COVERING_SHARE : share;
  }

  async slot(): Promise<void> {
    for (const trouble of this.running) if ((trouble.slots -= 1) <= 0) trouble.end();
    this.running = this.running.filter(({ slots }) => slots > 0);
    const begins = this.random.chance(this.share);
    const drawn = this.random.weighted(this.kinds);
    const kind = (this.covers && this.missing[0]) || drawn;
    const slots = this.random.whole(1, this.covers ? COVERING_SLOTS : LONGEST_SLOTS);
    for (const each of this.waiting.splice(0)) await this.begin(each, slots);
    if (begins && this.only?.includes(kind.name) !== false) await this.begin(kind, slots);
  }

  get missing(): readonly Trouble[] {
    return this.kinds.filter((kind) => !this.counts.has(kind.name) && !this.waiting.includes(kind));
  }

  private async begin(kind: Trouble, slots: number): Promise<void> {
    const end = await kind.begin();
    if (end === 'not yet') return void this.waiting.push(kind);
    this.counts.set(kind.name, (this.counts.get(kind.name) ?? 0) + 1);
    this.places.history.step('trouble', kind.name, 'none');
    if (end !== undefined) this.running.push({ slots, end });
  }

  endAll(): void {
    for (const { end } of this.running) end();
    this.running = [];
    this.waiting = [];
  }
}

/** A restart comes after so many of the next statements at most, so that it meets some under way. */
const MOST_STATEMENTS = 60;

export function databaseTroubles({ random, faults }: Places): Trouble[] {
  return [
    {
      name: 'the database is away',
      weight: 1,
      begin: () => {
        faults.isDatabaseAway = true;
        return () => void (faults.isDatabaseAway = false);
      },
    },
    {
      name: 'the database is restarted',
      weight: 1,
      begin: () => faults.restartDatabaseIn(random.whole(0, MOST_STATEMENTS)),
    },
  ];
}

/** Clocks step by a minute in the middle, by half a day at most. */
const MIDDLE_STEP_MS = 60_000;
const LONGEST_STEPS = 720;

export function processTroubles({ random, fleet }: Places): Trouble[] {
  return [
    {
      name: 'a process is killed between its turns',
      weight: 4,
      begin: async () => {
        const [one] = random.shuffled(fleet.living);
        if (one !== undefined) await fleet.kill(one);
      },
    },
    {
      name: 'a clock steps',
      weight: 2,
      begin: () => {
        const [one] = random.shuffled(fleet.living);
        if (one === undefined) return;
        one.clockSkew = random.oneOf([-1, 1]) * Math.round(MIDDLE_STEP_MS * emphasis(random, LONGEST_STEPS));
        return () => void (one.clockSkew = 0);
      },
    },
    {
      name: 'a loop stays behind',
      weight: 3,
      begin: () => {
        const [name] = random.shuffled(fleet.loopNames);
        if (name === undefined) return;
        fleet.resting.add(name);
        return () => void fleet.resting.delete(name);
      },
    },
    // Two releases are there to be changed over.
    { name: 'a rolling restart', weight: fleet.builds.length > 1 ? 20 : 1, begin: () => fleet.rollOut() },
  ];
}
