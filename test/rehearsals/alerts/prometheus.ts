import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild, waitUntil } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { Rehearsal } from '../rehearsal.js';
import { until } from './fault.js';
import { RULES_FILE, SCRAPE_FILE, scrapeConfiguration, shortened } from './shortened-rules.js';

export interface ActiveAlert {
  readonly name: string;
  readonly state: 'pending' | 'firing';
  /** The summary as Prometheus rendered it. */
  readonly summary: string;
}

/** @returns what promtool says of the files as they are delivered @throws Error with what it finds wrong */
export function checkDeliveredFiles(): string {
  const checks = [
    ['config', SCRAPE_FILE],
    ['rules', RULES_FILE],
  ].map(([kind, file]) => execFileSync('promtool', ['check', kind!, file!], { encoding: 'utf8' }));
  return checks.join('\n').match(/\d+ rules found/)![0];
}

/** Prometheus on the delivered files with shorter durations, scraping the processes of this machine. */
export class Prometheus {
  private constructor(private readonly url: string) {}

  /** @param targets host and port of each job */
  static async start(rehearsal: Rehearsal, targets: Readonly<Record<string, string>>): Promise<Prometheus> {
    const folder = join(rehearsal.folder, 'prometheus');
    mkdirSync(folder);
    const file = join(folder, 'prometheus.yml');
    writeFileSync(join(folder, 'alerts.yml'), shortened(readFileSync(RULES_FILE, 'utf8')));
    writeFileSync(file, scrapeConfiguration(readFileSync(SCRAPE_FILE, 'utf8'), targets));
    execFileSync('promtool', ['check', 'config', file]);
    const address = `127.0.0.1:${await freePort()}`;
    const logFile = join(folder, 'output.log');
    const options = { 'storage.tsdb.path': join(folder, 'data'), 'web.listen-address': address };
    const args = Object.entries({ 'config.file': file, ...options }).map(
      ([name, value]) => `--${name}=${value}`,
    );
    const server = await spawnChild({ command: 'prometheus', args, logFile, deathSignal: 'SIGKILL' });
    rehearsal.atEnd(() => server.end('SIGTERM'));
    const url = `http://${address}`;
    const isReady = () =>
      fetch(`${url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await waitUntil(isReady, { timeoutMs: 60_000 })))
      throw new Error(`Prometheus is not ready: ${readFileSync(logFile, 'utf8')}`);
    const prometheus = new Prometheus(url);
    const jobs = Object.keys(targets).length;
    // Until its first scrapes every process would seem to be down.
    await until('every process was scraped', async () => {
      return (await prometheus.values('up == 1')).length === jobs && (await prometheus.alerts()).length === 0;
    });
    return prometheus;
  }

  async alerts(): Promise<ActiveAlert[]> {
    interface Row {
      state: ActiveAlert['state'];
      labels: { alertname: string };
      annotations: { summary: string };
    }
    const { alerts } = await this.ask<{ alerts: Row[] }>('/api/v1/alerts');
    return alerts.map(({ state, labels, annotations }) => {
      return { name: labels.alertname, state, summary: annotations.summary };
    });
  }

  /** Asks an instant query. @returns the values, without their labels */
  async values(query: string): Promise<number[]> {
    const path = `/api/v1/query?query=${encodeURIComponent(query)}`;
    const { result } = await this.ask<{ result: { value: [number, string] }[] }>(path);
    return result.map(({ value: [, value] }) => Number(value));
  }

  private async ask<Data>(path: string): Promise<Data> {
    const answer = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(30_000) });
    return ((await answer.json()) as { data: Data }).data;
  }
}
