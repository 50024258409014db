import { createHash } from 'node:crypto';
import type { Difference, Model, Fact, AnswerFact } from '../facts/fact.js';
import type { Call, Merchant, World } from '../acts/world.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { SimulatedReceivers } from '../outside/receivers.js';
import type { Clock } from '../process/simulated-time.js';
import type { Random } from '../random.js';
import type { Callers } from './callers.js';

export class DifferenceFound extends Error {
  constructor(
    readonly differences: readonly Difference[],
    readonly fact: Fact | null,
  ) {
    super(
      differences.map((one) => `${one.rule}: ${one.about}: ${one.expected}, not ${one.found}`).join('\n'),
    );
  }
}

const KEPT = 400;

export class History {
  readonly last: string[] = [];
  private readonly digests = createHash('sha256');
  private lines = 0;

  readonly differences: Difference[] = [];

  constructor(
    private readonly model: Model,
    private readonly goesOn: boolean,
    private readonly counts: (rule: string) => boolean,
    private readonly print: (line: string) => void,
  ) {}

  /** @throws DifferenceFound */
  fact(fact: Fact): void {
    this.line(JSON.stringify(fact));
    this.judge(this.model.take(fact), fact);
  }

  step(process: string, what: string, fate: string): void {
    this.line(`${process} ${fate === 'none' ? '' : `[${fate}] `}${what.replaceAll(/\s+/g, ' ').trim()}`);
  }

  /** @throws DifferenceFound for what should have happened by now */
  judgeRest(): void {
    this.judge(this.model.missing(), null);
  }

  get length(): number {
    return this.lines;
  }

  get digest(): string {
    return this.digests.copy().digest('hex');
  }

  /** @throws DifferenceFound */
  judge(found: readonly Difference[], fact: Fact | null): void {
    const differences = found.filter(({ rule }) => this.counts(rule));
    if (differences.length === 0) return;
    this.differences.push(...differences);
    if (!this.goesOn) throw new DifferenceFound(differences, fact);
    for (const difference of differences) this.print(`DIFFERENCE ${JSON.stringify(difference)}`);
  }

  private line(text: string): void {
    this.lines += 1;
    this.digests.update(text).update('\n');
    this.print(text);
    this.last.push(text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text);
    if (this.last.length > KEPT) this.last.shift();
  }
}

interface Appointment {
  readonly due: number;
  readonly order: number;
  readonly goOn: () => Promise<void>;
}

interface OperatorCommandRunner {
  run(...words: readonly string[]): Promise<unknown>;
}

export class SimulatedWorld implements World {
  readonly merchants: Merchant[] = [];
  private readonly appointments: Appointment[] = [];
  private made = 0;

  constructor(
    readonly random: Random,
    private readonly clock: Clock,
    private readonly history: History,
    private readonly callers: Callers,
    private readonly chain: EvmChainSide,
    readonly receivers: SimulatedReceivers,
    private readonly session: () => OperatorCommandRunner,
  ) {}

  get network() {
    return this.chain.network;
  }

  now(): number {
    return this.clock.now;
  }

  call(request: Call): Promise<AnswerFact | 'lost'> {
    return this.callers.call(request);
  }

  async operator(...words: readonly string[]) {
    try {
      return { printed: await this.session().run(...words) };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  later(milliseconds: number, goOn: () => Promise<void>): void {
    const due = this.clock.now + Math.max(1, Math.round(milliseconds));
    this.appointments.push({ due, order: (this.made += 1), goOn });
    this.appointments.sort((a, b) => a.due - b.due || a.order - b.order);
  }

  get nextAppointment(): number {
    return this.appointments[0]?.due ?? Infinity;
  }

  due(): (() => Promise<void>)[] {
    const count = this.appointments.filter(({ due }) => due <= this.clock.now).length;
    return this.appointments.splice(0, count).map(({ goOn }) => goOn);
  }

  cancelAppointments(): void {
    this.appointments.length = 0;
  }

  note(fact: object): void {
    this.history.fact(fact as Fact);
  }
}
