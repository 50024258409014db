import { openings } from '../acts/acts.js';
import { readEverything } from '../acts/readers.js';
import type { Act, Merchant } from '../acts/world.js';
import type { StepFaults } from '../faults/faults.js';
import type { Troubles } from '../faults/troubles.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { Clock } from '../process/simulated-time.js';
import type { Pump, Task } from '../process/pump.js';
import type { ServiceBuild } from '../process/service-build.js';
import type { SimulatedDatabase } from '../process/simulated-database.js';
import type { Random } from '../random.js';
import type { Fleet } from './fleet.js';
import type { History, SimulatedWorld } from './history.js';
import { BLOCK_SECONDS } from './settings.js';

interface Parts {
  readonly random: Random;
  readonly restarted: readonly Random[];
  readonly onlyActs?: readonly number[];
  readonly pump: Pump;
  readonly clock: Clock;
  readonly fleet: Fleet;
  readonly build: ServiceBuild;
  readonly world: SimulatedWorld;
  readonly history: History;
  readonly database: SimulatedDatabase;
  readonly faults: StepFaults;
  readonly troubles: Troubles;
  readonly chain: EvmChainSide;
  readonly acts: readonly Act[];
  readonly days: number;
  readonly merchants: number;
  readonly actsADay: number;
  readonly covers?: boolean;
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const LONGEST_SLOT_MINUTES = 32;
/** Fewer slots make a run that covers every act cheaper: most of its time goes into the turns of loops. */
const COVERING_SLOT_MINUTES = 90;
/** Some slots end within three blocks, so that everybody also looks at what was mined this minute. */
const SHORT_SLOT_MINUTES = 3;
const SHORT_SLOTS_SHARE = 0.25;
/** A loop takes a turn in a slot with one of these probabilities: processes have much to do, or little. */
const TURNS_SHARES = [0.05, 0.2, 0.4, 0.8];
/** The service states no time that is longer, the schedule of webhooks apart. */
const REST_HOURS = 30;

export interface DrawnAct {
  readonly number: number;
  readonly merchant: number;
  readonly name: string;
  /** False where it was left out, or found nothing to do it with. */
  isDone: boolean;
}

/** The days of a run: time, blocks, acts and turns in their order, then rest and judgement. */
export class Days {
  readonly drawn: DrawnAct[] = [];
  private readonly mining: Random;
  private lastBlock = 0;

  constructor(private readonly parts: Parts) {
    this.mining = parts.random.branch();
  }

  async begin(found: (number: number) => Promise<Merchant>): Promise<void> {
    const { random, pump, fleet, world, clock, merchants } = this.parts;
    this.lastBlock = Math.floor(clock.now / 1_000);
    await fleet.startMissing();
    if (fleet.apis.length === 0) throw fleet.lastFailure;
    await this.pass(5 * MINUTE_MS);
    await fleet.untilQuiet(20);
    for (let number = 1; number <= merchants; number += 1)
      await pump.run([
        { name: `found merchant ${number}`, run: async () => void world.merchants.push(await found(number)) },
      ]);
    for (const merchant of world.merchants)
      for (const { name, attempt } of openings) {
        const own = random.branch();
        await pump.run([{ name, run: async () => void (await attempt(world, merchant, own)) }]);
      }
  }

  async go(): Promise<void> {
    const { clock, faults, days } = this.parts;
    const end = clock.now + days * DAY_MS;
    faults.isQuiet = false;
    for (let next = clock.now; next < end;) next = await this.slot(next);
    faults.isQuiet = true;
    this.parts.troubles.endAll();
    await this.rest();
  }

  /** @returns when it ends: come-backs in it do not move that */
  private async slot(begin: number): Promise<number> {
    const { fleet, clock, world, troubles, faults } = this.parts;
    const own = this.parts.random.branch();
    const usual = this.parts.covers ? COVERING_SLOT_MINUTES : LONGEST_SLOT_MINUTES;
    const longest = own.chance(SHORT_SLOTS_SHARE) ? SHORT_SLOT_MINUTES : usual;
    const ms = own.whole(1, longest * MINUTE_MS);
    const acts = this.drawActs(ms, own);
    const [isLookedAfter, isTroubledFirst] = [own.chance(0.5), own.chance(0.5)];
    const restart = own.branch();
    while (world.nextAppointment < begin + ms) {
      await this.pass(world.nextAppointment - clock.now);
      await this.work(
        world.due().map((run) => ({ name: 'come back', run })),
        own,
      );
    }
    await this.pass(begin + ms - clock.now);
    for (const source of this.parts.restarted) source.restart(restart);
    if (isTroubledFirst) await troubles.slot();
    if (isLookedAfter && !faults.isDatabaseAway) {
      await fleet.replaceOne();
      await fleet.startMissing();
    }
    await this.work(acts, own);
    // What is reorganized then was read before.
    if (!isTroubledFirst) await troubles.slot();
    return begin + ms;
  }

  private async work(tasks: Task[], random: Random): Promise<void> {
    const { pump, fleet } = this.parts;
    const left = [...tasks, ...fleet.turns(random.oneOf(TURNS_SHARES))];
    while (left.length > 0) await pump.run(left.splice(0, random.whole(1, 4)));
    await pump.run(fleet.writingOff());
  }

  private drawActs(ms: number, random: Random): Task[] {
    const { merchants, actsADay } = this.parts;
    const expected = (actsADay * merchants * ms) / DAY_MS;
    const count = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    return Array.from({ length: count }, () => this.drawAct(random));
  }

  private drawAct(random: Random): Task {
    const { world, onlyActs, history, acts, covers } = this.parts;
    const act = this.undoneAct(random) ?? random.weighted(acts);
    const merchant = random.whole(1, world.merchants.length);
    const own = random.branch();
    const number = this.drawn.length + 1;
    const drawn: DrawnAct = { number, merchant, name: act.name, isDone: false };
    this.drawn.push(drawn);
    return {
      name: act.name,
      run: async () => {
        if (onlyActs?.includes(number) === false) return;
        history.step(`act ${number}`, `of merchant ${merchant}: ${act.name}`, 'none');
        const attempt = async (one: Merchant) => (await act.attempt(world, one, own)) !== false;
        drawn.isDone = await attempt(world.merchants[merchant - 1]!);
        if (covers) for (const one of own.shuffled(world.merchants)) drawn.isDone ||= await attempt(one);
      },
    };
  }

  /** Returns an act that was not done yet, for every second draw of a covering run. */
  private undoneAct(random: Random): Act | undefined {
    const { acts, covers } = this.parts;
    if (!covers || random.chance(0.5)) return undefined;
    const done = new Set(this.drawn.filter(({ isDone }) => isDone).map(({ name }) => name));
    const left = acts.filter(({ name }) => !done.has(name));
    return left.length === 0 ? undefined : random.oneOf(left);
  }

  private async pass(ms: number): Promise<void> {
    const { clock, chain, history, pump } = this.parts;
    const end = clock.now + Math.max(0, ms);
    for (let next = (this.lastBlock + BLOCK_SECONDS) * 1_000; next <= end; next += BLOCK_SECONDS * 1_000) {
      this.lastBlock = next / 1_000;
      history.fact({ ...(await chain.mine(this.lastBlock, this.mining.chance(0.8) ? 1 : 0.5)), at: next });
    }
    await clock.goTo(end);
    history.fact({ kind: 'time', at: clock.now });
    await pump.run([]);
  }

  /** Without faults, for as long as the service needs at most; then everybody looks at everything. */
  private async rest(): Promise<void> {
    const { random, restarted, pump, fleet, clock, world, history } = this.parts;
    world.receivers.recover();
    world.cancelAppointments();
    for (const source of restarted) source.restart(random);
    await fleet.startMissing();
    for (let hour = 0; hour < REST_HOURS; hour += 1) {
      await this.pass(60 * MINUTE_MS);
      await fleet.untilQuiet(30);
    }
    history.fact({ kind: 'rest', at: clock.now });
    for (const merchant of world.merchants)
      await pump.run([{ name: 'read everything', run: () => readEverything(world, merchant) }]);
    await this.checkInvariants();
    history.judgeRest();
  }

  private async checkInvariants(): Promise<void> {
    const { build, database, history } = this.parts;
    for (const { name, breaches } of build.invariants) {
      if (name === 'clock-is-not-moved') continue;
      const found = await database.query(`SELECT * FROM (${breaches}) breach LIMIT 3`);
      if (found.length === 0) continue;
      const difference = {
        rule: `invariant ${name}`,
        about: 'database',
        expected: 'none',
        found: JSON.stringify(found),
      };
      history.judge([difference], null);
    }
    history.step('verify', `${build.invariants.length} invariants hold`, 'none');
  }
}
