import { gaps, noLogs, removedLogs, repeats, wrongBlock } from '#test/support/rpc/rpc-logs.js';
import { emptyPastHead, prunedState } from '#test/support/rpc/rpc-knowledge.js';
import {
  hangsUp,
  limitExceeded,
  missingInBatch,
  reorderedBatch,
  serverError,
  stall,
  tooMany,
  truncated,
} from '#test/support/rpc/rpc-replies.js';
import type { Misbehaviour } from '#test/support/rpc/rpc-wire.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { Clock } from '../process/clock.js';
import type { Random } from '../random.js';
import type { Fleet } from '../run/fleet.js';
import type { History } from '../run/history.js';
import type { FaultLevel, StepFaults } from './faults.js';

interface Places {
  readonly chain: EvmChainSide;
  readonly fleet: Fleet;
  readonly faults: StepFaults;
  readonly history: History;
  readonly clock: Clock;
  readonly network: string;
}

interface Trouble {
  readonly name: string;
  readonly weight: number;
  /** @returns what ends it, where it does not end by itself */
  begin(): Promise<(() => void) | void> | (() => void) | void;
}

/** A slot begins one with this probability. */
const SHARE = { none: 0, some: 0.02, all: 0.06 } as const;
const LONGEST_SLOTS = 8;
/** Blocks fewer than make one final. */
const DEEPEST = 4;
const GWEI = 10n ** 9n;

/** Troubles last for a while around the processes: nodes, the chain, the database, clocks, and processes that are killed at rest. */
export class Troubles {
  readonly counts = new Map<string, number>();
  private readonly kinds: readonly Trouble[];
  private running: { slots: number; readonly end: () => void }[] = [];

  constructor(
    private readonly random: Random,
    private readonly level: FaultLevel,
    private readonly places: Places,
  ) {
    this.kinds = this.allKinds();
  }

  /** Called once in each slot. */
  async slot(): Promise<void> {
    for (const trouble of this.running) if ((trouble.slots -= 1) <= 0) trouble.end();
    this.running = this.running.filter(({ slots }) => slots > 0);
    const begins = this.random.chance(SHARE[this.level]);
    const kind = this.random.weighted(this.kinds);
    const slots = this.random.whole(1, LONGEST_SLOTS);
    if (!begins) return;
    this.counts.set(kind.name, (this.counts.get(kind.name) ?? 0) + 1);
    this.places.history.step('trouble', kind.name, 'none');
    const end = await kind.begin();
    if (end !== undefined) this.running.push({ slots, end });
  }

  endAll(): void {
    for (const { end } of this.running) end();
    this.running = [];
  }

  private allKinds(): Trouble[] {
    const { random } = this;
    const { chain, fleet, faults, history, clock, network } = this.places;
    const node = () => random.oneOf([...chain.nodes.values()]);
    const lies = () =>
      random.oneOf<Misbehaviour>([
        ...[gaps(random.whole(1, 1_000)), noLogs(), repeats(), removedLogs(), wrongBlock()],
        ...[
          emptyPastHead(),
          prunedState(2),
          hangsUp(),
          limitExceeded(),
          missingInBatch(random.whole(1, 1_000)),
        ],
        ...[reorderedBatch(), serverError(503), stall(), tooMany(1), truncated()],
      ]);
    return [
      { name: 'a process is killed between its turns', weight: 4, begin: () => this.killOne() },
      {
        name: 'a node is away',
        weight: 2,
        begin: () => {
          const one = node();
          one.isAway = true;
          return () => void (one.isAway = false);
        },
      },
      {
        name: 'all nodes are away',
        weight: 1,
        begin: () => {
          for (const one of chain.nodes.values()) one.isAway = true;
          return () => chain.nodes.forEach((one) => (one.isAway = false));
        },
      },
      {
        name: 'a node lags',
        weight: 2,
        begin: () => {
          const one = node();
          one.view = { ...one.view, lag: random.whole(1, 10) };
          return () => void (one.view = { ...one.view, lag: 0 });
        },
      },
      {
        name: 'a node stands on another branch',
        weight: 1,
        begin: async () => {
          const one = node();
          one.view = { ...one.view, standsAt: await chain.besideHead() };
          return () => void (one.view = { ...one.view, standsAt: null });
        },
      },
      { name: 'a node misbehaves', weight: 4, begin: () => node().misbehave(lies()) },
      {
        name: 'a reorganisation',
        weight: 4,
        begin: () => {
          const from = chain.unwind(random.whole(1, DEEPEST), random.chance(0.7) ? 'wait' : 'drop');
          history.fact({ kind: 'unwound', at: clock.now, network, from });
        },
      },
      {
        name: 'a fee spike',
        weight: 2,
        begin: () => chain.spikeFees(BigInt(random.whole(20, 900)) * GWEI),
      },
      {
        name: 'a full pool',
        weight: 1,
        begin: () => {
          chain.closePool(true);
          return () => chain.closePool(false);
        },
      },
      {
        name: 'the database is away',
        weight: 1,
        begin: () => {
          faults.isDatabaseAway = true;
          return () => void (faults.isDatabaseAway = false);
        },
      },
      {
        name: 'a clock steps',
        weight: 2,
        begin: () => {
          const [one] = random.shuffled(fleet.living);
          if (one === undefined) return;
          one.clockSkew = random.whole(-120, 120) * 1_000;
          return () => void (one.clockSkew = 0);
        },
      },
    ];
  }

  private async killOne(): Promise<void> {
    const [one] = this.random.shuffled(this.places.fleet.living);
    if (one !== undefined) await this.places.fleet.kill(one);
  }
}
