import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { demandFaultOfEach } from '../rehearsals/alerts/scenes.js';
import {
  FACTOR,
  longestWait,
  namesOfRules,
  RULES_FILE,
  SCRAPE_FILE,
  scrapeConfiguration,
  shortened,
} from '../rehearsals/alerts/shortened-rules.js';

const rules = readFileSync(RULES_FILE, 'utf8');
const example = readFileSync(SCRAPE_FILE, 'utf8');
const names = namesOfRules();
const TARGETS = { 'payment-collection-api': '127.0.0.1:1', 'payment-collection-worker': '127.0.0.1:2' };

describe('The rehearsal of the alert rules', () => {
  it('has one fault for each rule', () => {
    expect(() => demandFaultOfEach(names)).not.toThrow();
  });

  it('names a rule that no fault fires, and a fault’s rule that there is not', () => {
    const [first, ...others] = names;

    expect(() => demandFaultOfEach([...names, 'NewRule'])).toThrow('NewRule has no fault.');
    expect(() => demandFaultOfEach(others)).toThrow(`There is no rule ${first!}.`);
  });

  it('divides every duration of the rules, and changes nothing else', () => {
    const masked = (text: string) => text.replaceAll(/(?<=for: |\[)\d+(?:ms|s|m|h|d)(?=\n|\])/g, '…');
    const durations = (text: string) => [...text.matchAll(/(?:for: |\[)(\d+)(ms|m)/g)];
    const before = durations(rules).map(([, count]) => Number(count) * 60_000);
    const after = durations(shortened(rules)).map(([, count]) => Number(count));

    expect(masked(shortened(rules))).toBe(masked(rules));
    expect(before.length).toBeGreaterThan(15);
    expect(after).toEqual(before.map((ms) => ms / FACTOR));
  });

  it('watches a healthy service for as long as the slowest rule waits', () => {
    const rule = (expr: string, pending: string) =>
      `groups: [{ rules: [{ expr: '${expr}', for: ${pending} }] }]`;

    expect(longestWait(rule('rate(a[5m]) > rate(b[1h])', '1h30m'))).toBe(9_000_000);
    expect(longestWait(rule('a > 1', '30s'))).toBe(30_000);
  });

  it('scrapes the jobs of the example, and refuses one for which it has no process', () => {
    const jobs = (text: string) => {
      const { scrape_configs: found } = parse(text) as { scrape_configs: { job_name: string }[] };
      return found.map(({ job_name: job }) => job);
    };
    const configured = scrapeConfiguration(example, TARGETS);

    expect(jobs(configured)).toEqual(jobs(example));
    expect(configured).toContain('127.0.0.1:2');
    expect(() => scrapeConfiguration(example, {})).toThrow('no process for the job payment-collection-api');
  });
});
