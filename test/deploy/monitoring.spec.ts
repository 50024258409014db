import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse as parseYaml } from 'yaml';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { metricsOfRole, namesOfSamples, registeredIn } from '../support/exported-metrics.js';
import { demandFaultOfEach } from '../rehearsals/alerts/scenes.js';
import { namesOfRules } from '../rehearsals/alerts/shortened-rules.js';

const read = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');

/** Rules and panels have no types here: a wrong path in them fails its test. */
type Yaml = ReturnType<typeof parseYaml>;
const alerts: Yaml[] = parseYaml(read('deploy/prometheus/alerts.yml')).groups.flatMap(
  ({ rules }: Yaml) => rules,
);
const scraping = parseYaml(read('deploy/prometheus/prometheus.yml'));
const panels: Yaml[] = JSON.parse(read('deploy/grafana/payment-collection.json')).panels;

/** Prometheus itself adds these labels, or the scrape does. */
const OF_PROMETHEUS = ['job', 'instance'];
const AVAILABILITY = 'up';

interface Selector {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** @throws where PromQL's own grammar does not take it */
function parse(expression: string): { selectors: Selector[]; groupings: string[]; jobs: string[] } {
  // Grafana puts a range in this place.
  const text = expression.replaceAll('$__rate_interval', '5m');
  const selectors: { metric: string; labels: string[] }[] = [];
  const groupings: string[] = [];
  const jobs: string[] = [];
  parser.parse(text).iterate({
    enter({ name, from, to, node, type }) {
      const own = text.slice(from, to);
      if (type.isError) throw new Error(`PromQL does not take ${JSON.stringify(expression)} at ${from}.`);
      if (name === 'VectorSelector') {
        const identifier = node.getChild('Identifier');
        if (identifier === null) throw new Error(`${own} names no metric.`);
        selectors.push({ metric: text.slice(identifier.from, identifier.to), labels: [] });
      }
      if (name !== 'LabelName') return;
      if (node.parent!.name !== 'UnquotedLabelMatcher') groupings.push(own);
      else {
        selectors.at(-1)!.labels.push(own);
        const value = node.parent!.getChild('StringLiteral')!;
        if (own === 'job') jobs.push(text.slice(value.from + 1, value.to - 1));
      }
    },
  });
  return { selectors, groupings, jobs };
}

/** Names of samples with the labels of each. */
let exported: ReadonlyMap<string, readonly string[]>;
beforeAll(async () => {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  const all = [
    ...(await metricsOfRole('api')),
    ...(await metricsOfRole('worker')),
    ...registeredIn(defaults),
  ];
  exported = new Map([...all.flatMap(namesOfSamples), [AVAILABILITY, []]]);
});

/** Each name that an expression asks for and that no process exports makes a sentence. */
function problemsOf(expression: string): string[] {
  const { selectors, groupings } = parse(expression);
  const known = new Set(OF_PROMETHEUS);
  const problems = selectors.flatMap(({ metric, labels }) => {
    const own = exported.get(metric);
    if (own === undefined) return [`There is no metric ${metric}.`];
    for (const label of own) known.add(label);
    const foreign = labels.filter((label) => ![...OF_PROMETHEUS, ...own].includes(label));
    return foreign.map((label) => `${metric} has no label ${label}.`);
  });
  const unknown = groupings.filter((label) => !known.has(label));
  return [...problems, ...unknown.map((label) => `No metric of the expression has the label ${label}.`)];
}

/** The labels that are left of an expression's result, for those who name them in a text. */
function namedIn(text: string): string[] {
  const inAlerts = [...text.matchAll(/\$labels\.(\w+)/g)];
  const inLegends = [...text.matchAll(/\{\{(\w+)\}\}/g)];
  return [...inAlerts, ...inLegends].map(([, label]) => label!);
}

function labelsOfResult(expression: string): string[] {
  const { selectors, groupings } = parse(expression);
  const isAggregated = /\b(?:sum|min|max|count|avg)\b/.test(expression);
  const own = selectors.flatMap(({ metric }) => exported.get(metric) ?? []);
  return isAggregated ? groupings : [...OF_PROMETHEUS, ...own];
}

describe('The file of alert rules', () => {
  it.each(alerts.map((alert): [string, Yaml] => [alert.alert, alert]))(
    'uses exported metrics and labels, and links to the runbook: %s',
    (_, { expr, labels, annotations }) => {
      expect(problemsOf(expr)).toEqual([]);
      const named = namedIn(annotations.summary ?? '');
      expect(named.filter((label) => !labelsOfResult(expr).includes(label))).toEqual([]);
      expect(['critical', 'warning']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$/);
      const [file, anchor] = annotations.runbook_url.split('#');
      expect(sections.get(file!)).toContain(anchor);
    },
  );

  it('has a rehearsed fault for each rule', () => {
    expect(() => demandFaultOfEach(namesOfRules())).not.toThrow();
  });

  it('has unique names, and one for every section of alerts in the runbook', () => {
    const names = alerts.map(({ alert }) => alert);
    const linked = new Set(alerts.map(({ annotations }) => annotations.runbook_url.split('#')[1]));

    expect(new Set(names).size).toBe(names.length);
    const all = [...sections.values()].flat();
    expect(all.filter((section) => section.startsWith('paymentcollection'))).toEqual(
      all.filter((section) => linked.has(section)),
    );
  });

  it('selects jobs of the example configuration', () => {
    const jobs = scraping.scrape_configs.map(({ job_name: job }: Yaml) => job);
    const asked = alerts.flatMap(({ expr }) => parse(expr).jobs);

    expect(asked.length).toBeGreaterThan(2);
    for (const job of asked)
      expect(jobs.some((each: string) => new RegExp(`^(?:${job})$`).test(each))).toBe(true);
  });
});

/** Anchors of the headings of each page of the runbook, as GitHub spells those of one word. */
const sections = new Map(
  readdirSync('docs/operating/runbook').map((name) => {
    const page = `docs/operating/runbook/${name}`;
    return [page, [...read(page).matchAll(/^#+ (\w+)$/gm)].map(([, heading]) => heading!.toLowerCase())];
  }),
);

describe('The dashboard', () => {
  const targets: [string, Yaml][] = panels.flatMap(({ title, targets = [] }) =>
    targets.map((target: Yaml) => [`${title}: ${target.legendFormat}`, target]),
  );

  it.each(targets)('uses exported metrics and labels: %s', (_, { expr, legendFormat }) => {
    expect(problemsOf(expr)).toEqual([]);
    const named = namedIn(legendFormat);
    expect(named.filter((label) => !labelsOfResult(expr).includes(label))).toEqual([]);
  });

  it('shows each metric of the service', () => {
    const shown = new Set(
      targets.flatMap(([, { expr }]) => parse(expr).selectors.map(({ metric }) => metric)),
    );
    const own = [...exported.keys()].filter((name) => name.startsWith('payment_collection_'));

    expect(own.length).toBeGreaterThan(30);
    expect(own.filter((name) => !shown.has(name) && !/_(?:sum|count)$/.test(name))).toEqual([]);
  });
});

describe('The check of PromQL queries', () => {
  it('detects unknown metrics and labels, and invalid PromQL', () => {
    expect(problemsOf('payment_collection_nothing > 0').join()).toContain('There is no metric');
    expect(problemsOf('payment_collection_ready{colour="red"} == 0').join()).toContain('has no label colour');
    expect(() => parse('sum(rate(payment_collection_ready[5m])')).toThrow('PromQL does not take');
  });
});
