import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { nodeReleaseWarning } from '#app/node-release.js';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

/** The types of dclint itself do not resolve. */
interface LintResult {
  readonly filePath: string;
  readonly messages: readonly unknown[];
}

interface Service {
  readonly build?: string;
  readonly environment?: Record<string, string>;
  readonly secrets?: readonly string[];
  readonly networks?: Readonly<Record<string, { readonly aliases?: readonly string[] }>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
}

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const [, lastStage] = /^[^]*(^FROM [^]*)$/m.exec(read('Dockerfile'))!;
const linesOf = (keyword: string) => lastStage!.match(new RegExp(`^${keyword} .*$`, 'gm')) ?? [];
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
};
const scrapeOf = (file: string) =>
  parse(read(`deploy/prometheus/${file}`)) as {
    rule_files: string[];
    scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
  };
const own = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

describe('The image', () => {
  it('is written without a fault', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('runs on the line of Node that everything is tested on, in a release without known holes', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>;
    };
    const tags = dockerfile.getFROMs().map((from) => from.getImageTag() ?? '');
    const [version = ''] = tags[0]!.split('-');

    expect(new Set(tags)).toEqual(new Set([`${version}-bookworm-slim`]));
    expect(version.split('.')[0]).toBe(devDependencies['node']!.split('.')[0]);
    expect(nodeReleaseWarning(version)).toBeNull();
  });

  it('is not run by root, says whether it is well, and holds what was built alone', () => {
    expect(linesOf('USER')).toEqual(['USER node']);
    expect(linesOf('HEALTHCHECK')).toHaveLength(1);
    expect([...linesOf('COPY'), ...linesOf('ADD')]).toEqual(['COPY --from=build /service/image ./']);
  });
});

describe('The image’s health check', () => {
  it('asks whether the process lives, lest an outage of the database restarts it', () => {
    expect(linesOf('HEALTHCHECK')[0]).toContain('/health/live`');
  });
});

describe('The services of docker-compose.yml', () => {
  it('are given the time to drain, and to end what is open after it', () => {
    const { api, worker } = compose.services;
    const grace = (service: Service | undefined) => Number(/^(\d+)s$/.exec(service!.stop_grace_period!)![1]);
    const drain = Number(api!.environment!['DRAIN_SECONDS']);

    // A request may take 10 seconds, and a connection of the database 8 more.
    expect(drain).toBeGreaterThan(0);
    expect(grace(api)).toBeGreaterThanOrEqual(drain + 18);
    expect(grace(worker)).toBeGreaterThanOrEqual(18);
  });

  it('serve metrics to Prometheus over an internal network, and publish them nowhere', () => {
    const { api, worker, database, prometheus } = compose.services;
    const port = api!.environment!['METRICS_PORT'];

    expect(compose.networks['metrics']).toEqual({ internal: true });
    for (const service of [api, worker]) {
      const [alias] = service!.networks!['metrics']!.aliases!;
      expect(service!.environment!['METRICS_HOST']).toBe(alias);
      expect(service!.networks!['default']).toEqual({});
    }
    expect([database!.networks, prometheus!.profiles]).toEqual([undefined, ['monitoring']]);
    expect(prometheus!.networks).toEqual(['metrics', 'monitoring']);
    expect(own.flatMap(([, { ports = [] }]) => ports)).toEqual(['127.0.0.1:3000:3000']);
    const [example, scrape] = [scrapeOf('prometheus.yml'), scrapeOf('prometheus-compose.yml')];
    expect(scrape.rule_files).toEqual(example.rule_files);
    expect(scrape.scrape_configs.map(({ job_name }) => job_name)).toEqual(
      example.scrape_configs.map(({ job_name }) => job_name),
    );
    expect(scrape.scrape_configs.flatMap(({ static_configs }) => static_configs[0]!.targets)).toEqual([
      `api-metrics:${port}`,
      `worker-metrics:${port}`,
    ]);
  });

  it('are written without a fault', () => {
    const results = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] }).lintFiles(
      ['docker-compose.yml'],
      false,
    );

    expect(results.map(({ filePath }: LintResult) => filePath)).toHaveLength(1);
    expect(results.flatMap(({ messages }: LintResult) => messages)).toEqual([]);
  });

  it.each(own)(
    '%s has no right it does not need, and a file system that it cannot write to',
    (_, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    },
  );

  it('hand each secret to the one that needs it', () => {
    const holders = (holds: (service: Service) => boolean) =>
      own.filter(([, service]) => holds(service)).map(([name]) => name);

    expect(holders(({ environment }) => environment?.['MIGRATION_DATABASE_URL'] !== undefined)).toEqual([
      'migrate',
    ]);
    for (const secret of ['gas-key', 'refund-key'])
      expect(holders(({ secrets }) => secrets?.includes(secret) === true)).toEqual(['worker']);
  });

  it('set what .env.example explains', () => {
    const known = [...read('.env.example').matchAll(/^#? ?([A-Z_]+)=/gm)].map(([, name]) => name);
    const set = own.flatMap(([, { environment }]) => Object.keys(environment ?? {}));

    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });
});
