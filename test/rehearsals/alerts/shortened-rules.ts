import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

export const RULES_FILE = join(process.cwd(), 'deploy', 'prometheus', 'alerts.yml');
export const SCRAPE_FILE = join(process.cwd(), 'deploy', 'prometheus', 'prometheus.yml');

/** How much shorter the rehearsal waits than production does. */
export const FACTOR = 20;
/** Seconds between two evaluations of the rules. */
const EVALUATED_EVERY = 1;
/** Seconds between two scrapes. No scrape may take longer than this, so one second would lose some of a busy machine. */
const SCRAPED_EVERY = 2;

const DURATION = '(?:\\d+(?:ms|s|m|h|d))+';
const FOR = new RegExp(`^(\\s*for: )(${DURATION})$`, 'gm');
const RANGE = new RegExp(`\\[(${DURATION})\\]`, 'g');
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
}

export function rulesOf(text: string): readonly Rule[] {
  const { groups } = parse(text) as { groups: readonly { rules: readonly Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export const namesOfRules = (): string[] =>
  rulesOf(readFileSync(RULES_FILE, 'utf8')).map(({ alert }) => alert);

/** The rules with the durations of `for` and of ranges divided by `FACTOR`, and nothing else changed. */
export function shortened(rules: string): string {
  return rules
    .replaceAll(FOR, (_, key: string, duration: string) => `${key}${divided(duration)}`)
    .replaceAll(RANGE, (_, duration: string) => `[${divided(duration)}]`);
}

/** For how long a wrong state can last before the slowest of the rules fires, in milliseconds. */
export function longestWait(rules: string): number {
  const waits = rulesOf(rules).map(({ expr, for: pending }) => {
    const ranges = [...expr.matchAll(RANGE)].map(([, duration]) => milliseconds(duration!));
    return Math.max(0, ...ranges) + (pending === undefined ? 0 : milliseconds(pending));
  });
  return Math.max(...waits);
}

/** The example of the scrape with other targets, its intervals as short as the rules' durations ask for. */
export function scrapeConfiguration(example: string, targets: Readonly<Record<string, string>>): string {
  const { scrape_configs: jobs, ...rest } = parse(example) as { scrape_configs: { job_name: string }[] };
  const global = { scrape_interval: `${SCRAPED_EVERY}s`, evaluation_interval: `${EVALUATED_EVERY}s` };
  const moved = jobs.map((job) => {
    const target = targets[job.job_name];
    if (target === undefined) throw new Error(`The rehearsal has no process for the job ${job.job_name}.`);
    return { ...job, static_configs: [{ targets: [target] }] };
  });
  return stringify({ ...rest, global, scrape_configs: moved });
}

function divided(duration: string): string {
  return `${Math.round(milliseconds(duration) / FACTOR)}ms`;
}

function milliseconds(duration: string): number {
  const parts = [...duration.matchAll(/(\d+)(ms|s|m|h|d)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!, 0);
}
