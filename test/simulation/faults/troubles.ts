import type { Random } from '../random.js';
import { emphasis, emphasised } from '../emphasis.js';
import { chainTroubles } from './chain-troubles.js';
import { databaseTroubles } from './database-troubles.js';
import type { FaultLevel } from './faults.js';
import { processTroubles } from './process-troubles.js';
import type { Places, Trouble } from './trouble.js';

/** A slot begins one with this probability, in the middle of all seeds. */
const SHARE = { none: 0, some: 0.03, all: 0.12 } as const;
/** A seed has up to so many times that, or down to one part in as many. */
const MOST_OFTEN = 3;
/** So many times as often as the others, or one part in as many, a seed has one kind. */
const MOST_OF_A_KIND = 6;
const LONGEST_SLOTS = 8;

/** Troubles last for a while around the processes, or come between their turns. */
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
  ) {
    const all = { ...places, random };
    const kinds = [...processTroubles(all), ...chainTroubles(all), ...databaseTroubles(all)];
    this.kinds = emphasised(kinds, random, MOST_OF_A_KIND);
    this.share = SHARE[level] * emphasis(random, MOST_OFTEN);
  }

  /** Called once in each slot. */
  async slot(): Promise<void> {
    for (const trouble of this.running) if ((trouble.slots -= 1) <= 0) trouble.end();
    this.running = this.running.filter(({ slots }) => slots > 0);
    const begins = this.random.chance(this.share);
    const kind = this.random.weighted(this.kinds);
    const slots = this.random.whole(1, LONGEST_SLOTS);
    for (const each of this.waiting.splice(0)) await this.begin(each, slots);
    if (begins && this.only?.includes(kind.name) !== false) await this.begin(kind, slots);
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
