import { pause, type Fault } from './fault.js';
import type { ActiveAlert, Prometheus } from './prometheus.js';
import type { WatchedWorld } from './watched-world.js';

/** The slowest rule needs 60 s of a fault, and shortened rules wait for up to another minute. */
const WITHIN_MS = 240_000;
const POLL_EVERY_MS = 200;

export interface FiredRule {
  readonly rule: string;
  /** Time between the start of the fault and the alert. */
  readonly seconds: number;
  /** The summary of the first alert of the rule. */
  readonly summary: string;
}

export interface PlayedScene {
  readonly fired: readonly FiredRule[];
  /** Rules that fired for consequences of the faults. */
  readonly consequences: readonly string[];
}

/**
 * Begins the faults, waits until all their rules fire at the same time, ends the faults, and waits until no alert is active.
 * @throws Error if a rule does not fire, does not resolve, or fires without a fault that explains it
 */
export async function playScene(
  { prometheus, world }: { prometheus: Prometheus; world: WatchedWorld },
  faults: readonly Fault[],
): Promise<PlayedScene> {
  const reasons = new Set(faults.flatMap(({ fires, mayFire = [] }) => [...fires, ...mayFire]));
  const begun = new Map<string, number>();
  const fired = new Map<string, FiredRule>();
  const consequences = new Set<string>();

  /** Polls until no rule is left. */
  async function until(left: (alerts: readonly ActiveAlert[]) => readonly string[], verdict: string) {
    const deadline = performance.now() + WITHIN_MS;
    for (;;) {
      const alerts = await prometheus.alerts();
      for (const { name, state, summary } of alerts) {
        if (state !== 'firing') continue;
        if (!reasons.has(name)) throw new Error(`${name} fires without a reason: ${summary}`);
        const at = begun.get(name);
        if (at === undefined) consequences.add(name);
        else if (!fired.has(name))
          fired.set(name, { rule: name, seconds: (performance.now() - at) / 1_000, summary });
      }
      const rules = left(alerts);
      if (rules.length === 0) return;
      if (performance.now() > deadline) throw new Error(`${rules.join(', ')} ${verdict}.`);
      await pause(POLL_EVERY_MS);
    }
  }

  const ends: (() => Promise<unknown>)[] = [];
  try {
    for (const { fires, begin } of faults) {
      for (const rule of fires) begun.set(rule, performance.now());
      ends.push(await begin(world));
    }
    await until((alerts) => {
      const firing = new Set(alerts.filter(({ state }) => state === 'firing').map(({ name }) => name));
      return [...begun.keys()].filter((rule) => !firing.has(rule));
    }, 'did not fire, or not until the others did');
    for (const end of ends.splice(0).reverse()) await end();
    await until((alerts) => [...new Set(alerts.map(({ name }) => name))], 'did not resolve');
  } finally {
    for (const end of ends) await end().catch(() => undefined);
  }
  return { fired: [...fired.values()], consequences: [...consequences] };
}
