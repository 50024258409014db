import { readEverything } from '../acts/readers.js';
import type { Act, Merchant } from '../acts/world.js';
import type { StepFaults } from '../faults/faults.js';
import type { Troubles } from '../faults/troubles.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { Clock } from '../process/clock.js';
import type { Pump, Task } from '../process/pump.js';
import type { ServiceBuild } from '../process/service-build.js';
import type { SimulatedDatabase } from '../process/simulated-database.js';
import type { Random } from '../random.js';
import type { Fleet } from './fleet.js';
import type { History } from './history.js';
import { BLOCK_SECONDS } from './settings.js';
import type { SimulatedWorld } from './simulated-world.js';

interface Parts {
  readonly random: Random;
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
}

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const LONGEST_SLOT_MINUTES = 24;
/** A loop takes a turn in a slot with this probability. */
const TURNS_SHARE = 0.4;
/** The service states no time that is longer, the schedule of webhooks apart. */
const REST_HOURS = 30;

/** The days of a run: time, blocks, acts and turns in their order, then rest and judgement. */
export class Days {
  readonly counts = new Map<string, number>();
  private lastBlock = 0;

  constructor(private readonly parts: Parts) {}

  /** Starts the fleet and makes the merchants. */
  async begin(found: (number: number) => Promise<Merchant>): Promise<void> {
    const { pump, fleet, build, world, clock, merchants } = this.parts;
    this.lastBlock = Math.floor(clock.now / 1_000);
    await fleet.startMissing(build);
    if (fleet.apis.length === 0) throw fleet.lastFailure;
    await this.pass(5 * MINUTE_MS);
    await fleet.untilQuiet(20);
    for (let number = 1; number <= merchants; number += 1)
      await pump.run([
        { name: `found merchant ${number}`, run: async () => void world.merchants.push(await found(number)) },
      ]);
  }

  async go(): Promise<void> {
    const { clock, faults, days } = this.parts;
    const end = clock.now + days * DAY_MS;
    faults.isQuiet = false;
    while (clock.now < end) await this.slot();
    faults.isQuiet = true;
    this.parts.troubles.endAll();
    await this.rest();
  }

  private async slot(): Promise<void> {
    const { random, pump, fleet, build, merchants, actsADay, clock, world } = this.parts;
    const drawn = clock.now + random.whole(1, LONGEST_SLOT_MINUTES * MINUTE_MS);
    const ms = Math.min(drawn, world.nextAppointment) - clock.now;
    await this.pass(ms);
    const expected = (actsADay * merchants * ms) / DAY_MS;
    const acts = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    const tasks: Task[] = world.due().map((run) => ({ name: 'come back', run }));
    for (let act = 0; act < acts; act += 1) tasks.push(this.drawnAct());
    await this.parts.troubles.slot();
    if (random.chance(0.5) && !this.parts.faults.isDatabaseAway) await fleet.startMissing(build);
    tasks.push(...fleet.turns(TURNS_SHARE));
    // Some at a time, so that they meet each other in the middle.
    while (tasks.length > 0) await pump.run(tasks.splice(0, random.whole(1, 4)));
    await pump.run(fleet.writingOff());
  }

  private drawnAct(): Task {
    const { random, world } = this.parts;
    const act = random.weighted(this.parts.acts);
    const merchant = random.oneOf(world.merchants);
    const own = random.branch();
    return {
      name: act.name,
      run: async () => {
        if (await act.attempt(world, merchant, own))
          this.counts.set(act.name, (this.counts.get(act.name) ?? 0) + 1);
      },
    };
  }

  /** Time goes on, and blocks come. */
  private async pass(ms: number): Promise<void> {
    const { clock, chain, history, pump, random } = this.parts;
    const end = clock.now + ms;
    for (let next = (this.lastBlock + BLOCK_SECONDS) * 1_000; next <= end; next += BLOCK_SECONDS * 1_000) {
      this.lastBlock = next / 1_000;
      history.fact({ ...(await chain.mine(this.lastBlock, random.chance(0.8) ? 1 : 0.5)), at: next });
    }
    await clock.goTo(end);
    history.fact({ kind: 'time', at: clock.now });
    await pump.run([]);
  }

  /** Without faults, for as long as the service needs at most; then everybody looks at everything. */
  private async rest(): Promise<void> {
    const { pump, fleet, build, clock, world, history } = this.parts;
    world.receivers.recover();
    world.cancelAppointments();
    await fleet.startMissing(build);
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
