import { pause, type Fault } from './fault.js';
import type { ActiveAlert, Prometheus } from './prometheus.js';
import type { WatchedWorld } from './watched-world.js';

/** The slowest rule asks for 60 s of a fault, and shortened ones wait for most of another minute. */
const FIRES_WITHIN_MS = 240_000;
const LOOK_EVERY_MS = 200;

export interface FiredRule {
  readonly rule: string;
  /** A sentence that says what is wrong. */
  readonly fault: string;
  /** The times from the beginning of the fault until the rule fired, and from its end until it did not. */
  readonly seconds: { readonly fired: number; resolved: number };
  /** The summary of the first alert of the rule. */
  readonly summary: string;
}

export interface PlayedScene {
  readonly fired: readonly FiredRule[];
  /** Rules that fired for consequences of the fault. */
  readonly consequences: readonly string[];
}

/**
 * Begins the faults, waits until all their rules fire at the same time, ends the faults, and waits until no rule of any kind
 * fires.
 * @throws Error where a rule does not fire, does not resolve, or fires that the faults are no reason for
 */
export async function playScene(
  { prometheus, world }: { prometheus: Prometheus; world: WatchedWorld },
  faults: readonly Fault[],
): Promise<PlayedScene> {
  const reasons = new Set(faults.flatMap(({ fires, mayFire = [] }) => [...fires, ...mayFire]));
  const begun = new Map<string, { fault: string; at: number }>();
  const fired = new Map<string, FiredRule>();
  const consequences = new Set<string>();
  const look = async (): Promise<readonly ActiveAlert[]> => {
    const alerts = await prometheus.alerts();
    for (const { name, state, summary } of alerts) {
      if (state !== 'firing') continue;
      if (!reasons.has(name)) throw new Error(`${name} fires without a reason: ${summary}`);
      const from = begun.get(name);
      if (from === undefined) consequences.add(name);
      if (from === undefined || fired.has(name)) continue;
      const seconds = { fired: secondsSince(from.at), resolved: NaN };
      fired.set(name, { rule: name, fault: from.fault, seconds, summary });
    }
    return alerts;
  };

  const ends: (() => Promise<unknown>)[] = [];
  const watch = new Watch(look);
  try {
    for (const { what, fires, begin } of faults) {
      for (const rule of fires) begun.set(rule, { fault: what, at: performance.now() });
      ends.push(await begin(world));
    }
    await watch.until((alerts) => {
      const firing = new Set(alerts.filter(({ state }) => state === 'firing').map(({ name }) => name));
      return [...begun.keys()].filter((rule) => !firing.has(rule));
    }, 'did not fire, or not until the others did');
    const endedAt = performance.now();
    for (const end of ends.splice(0).reverse()) await end();
    await watch.until((alerts) => {
      const active = new Set(alerts.map(({ name }) => name));
      for (const { rule, seconds } of fired.values())
        if (active.has(rule)) seconds.resolved = NaN;
        else if (Number.isNaN(seconds.resolved)) seconds.resolved = secondsSince(endedAt);
      return [...active];
    }, 'did not resolve');
  } finally {
    await watch.end();
    for (const end of ends) await end().catch(() => undefined);
  }
  return { fired: [...fired.values()], consequences: [...consequences] };
}

/** Looks all the time, also while a fault begins or ends. */
class Watch {
  private latest: readonly ActiveAlert[] = [];
  private looks = 0;
  private error: unknown;
  private isOver = false;
  private readonly done: Promise<void>;

  constructor(look: () => Promise<readonly ActiveAlert[]>) {
    this.done = (async () => {
      while (!this.isOver && this.error === undefined) {
        try {
          this.latest = await look();
        } catch (error) {
          this.error = error;
        }
        this.looks += 1;
        await pause(LOOK_EVERY_MS);
      }
    })();
  }

  /** Until there is none left of what it asks for, by a look that began later. @throws Error that names what is left */
  async until(left: (alerts: readonly ActiveAlert[]) => readonly string[], verdict: string): Promise<void> {
    const [begun, from] = [performance.now(), this.looks + 1];
    for (;;) {
      if (this.error !== undefined) throw this.error;
      const rules = left(this.latest);
      if (rules.length === 0 && this.looks > from) return;
      if (performance.now() - begun > FIRES_WITHIN_MS) throw new Error(`${rules.join(', ')} ${verdict}.`);
      await pause(LOOK_EVERY_MS);
    }
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.done;
  }
}

function secondsSince(at: number): number {
  return (performance.now() - at) / 1_000;
}
