import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { nodeReleaseWarning } from '#app/run-process.js';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

/** Services have no types here: a wrong path in them fails its test. */
type Yaml = ReturnType<typeof parse>;

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const [, lastStage] = /^[^]*(^FROM [^]*)$/m.exec(read('Dockerfile'))!;
const linesOf = (keyword: string) => lastStage!.match(new RegExp(`^${keyword} .*$`, 'gm')) ?? [];
const compose = parse(read('docker-compose.yml'), { merge: true });
const scrapeOf = (file: string) => parse(read(`deploy/prometheus/${file}`));
const own = Object.entries<Yaml>(compose.services).filter(([, { build }]) => build !== undefined);

describe('The image', () => {
  it('has a valid Dockerfile', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('uses the tested major version of Node, in a release without known vulnerabilities', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>;
    };
    const tags = dockerfile.getFROMs().map((from) => from.getImageTag() ?? '');
    const [version = ''] = tags[0]!.split('-');

    expect(new Set(tags)).toEqual(new Set([`${version}-bookworm-slim`]));
    expect(version.split('.')[0]).toBe(devDependencies['node']!.split('.')[0]);
    expect(nodeReleaseWarning(version)).toBeNull();
  });

  it('runs without root, has a health check of the process only, and contains only the build', () => {
    expect(linesOf('USER')).toEqual(['USER node']);
    expect(linesOf('HEALTHCHECK')).toEqual([expect.stringContaining('/health/live`')]);
    expect([...linesOf('COPY'), ...linesOf('ADD')]).toEqual(['COPY --from=build /service/image ./']);
  });
});

describe('docker-compose.yml', () => {
  it('gives services the time to drain, and to complete open requests', () => {
    const { api, worker } = compose.services;
    const grace = (service: Yaml) => Number(/^(\d+)s$/.exec(service.stop_grace_period)![1]);
    const drain = Number(api.environment['DRAIN_SECONDS']);

    // A request may take 10 seconds, and a connection of the database 8 more.
    expect(drain).toBeGreaterThan(0);
    expect(grace(api)).toBeGreaterThanOrEqual(drain + 18);
    expect(grace(worker)).toBeGreaterThanOrEqual(18);
  });

  it('serves metrics only to Prometheus over an internal network', () => {
    const { api, worker, database, prometheus } = compose.services;
    const port = api.environment['METRICS_PORT'];

    expect(compose.networks['metrics']).toEqual({ internal: true });
    for (const service of [api, worker]) {
      const [alias] = service.networks['metrics'].aliases;
      expect(service.environment['METRICS_HOST']).toBe(alias);
      expect(service.networks['default']).toEqual({});
    }
    expect([database.networks, prometheus.profiles]).toEqual([undefined, ['monitoring']]);
    expect(prometheus.networks).toEqual(['metrics', 'monitoring']);
    expect(own.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:3000:3000']);
    const [example, scrape] = [scrapeOf('prometheus.yml'), scrapeOf('prometheus-compose.yml')];
    expect(scrape.rule_files).toEqual(example.rule_files);
    expect(scrape.scrape_configs.map(({ job_name }: Yaml) => job_name)).toEqual(
      example.scrape_configs.map(({ job_name }: Yaml) => job_name),
    );
    expect(scrape.scrape_configs.flatMap(({ static_configs }: Yaml) => static_configs[0].targets)).toEqual([
      `api-metrics:${port}`,
      `worker-metrics:${port}`,
    ]);
  });

  it('is valid', () => {
    const results = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] }).lintFiles(
      ['docker-compose.yml'],
      false,
    );

    expect(results.map(({ filePath }: Yaml) => filePath)).toHaveLength(1);
    expect(results.flatMap(({ messages }: Yaml) => messages)).toEqual([]);
  });

  it.each(own)('gives each service minimal rights and a read-only file system: %s', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('gives each secret only to the service that needs it', () => {
    const holders = (holds: (service: Yaml) => boolean) =>
      own.filter(([, service]) => holds(service)).map(([name]) => name);

    expect(holders(({ environment }) => environment?.['MIGRATION_DATABASE_URL'] !== undefined)).toEqual([
      'migrate',
    ]);
    for (const secret of ['gas-key', 'refund-key'])
      expect(holders(({ secrets }) => secrets?.includes(secret) === true)).toEqual(['worker']);
  });

  it('has only settings that .env.example explains', () => {
    const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    const set = own.flatMap(([, { environment }]) => Object.keys(environment ?? {}));

    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });
});
