import type { Call, Merchant, World } from '../acts/world.js';
import type { AnswerFact, Fact } from '../facts/fact.js';
import type { EvmChainSide } from '../outside/evm-chain-side.js';
import type { SimulatedReceivers } from '../outside/receivers.js';
import type { Clock } from '../process/simulated-time.js';
import type { Random } from '../random.js';
import type { Callers } from './callers.js';
import type { History } from './history.js';

interface Appointment {
  readonly due: number;
  readonly order: number;
  readonly goOn: () => Promise<void>;
}

interface OperatorSession {
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
    private readonly session: () => OperatorSession,
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

  /** When somebody comes back next; Infinity where nobody does. */
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
