import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { parse } from 'yaml';

/** Of dclint, whose own types do not resolve. */
interface LintResult {
  readonly filePath: string;
  readonly messages: readonly unknown[];
}

interface Service {
  readonly build?: string;
  readonly environment?: Record<string, string>;
  readonly secrets?: readonly string[];
}

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfile = DockerfileParser.parse(read('Dockerfile'));
const [, lastStage] = /^[^]*(^FROM [^]*)$/m.exec(read('Dockerfile'))!;
const linesOf = (keyword: string) => lastStage!.match(new RegExp(`^${keyword} .*$`, 'gm')) ?? [];
const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, Service> };
const own = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

describe('The image', () => {
  it('is written without a fault', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
  });

  it('runs on the Node that everything is tested on', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>;
    };

    for (const from of dockerfile.getFROMs())
      expect(from.getImageTag()).toBe(`${devDependencies['node']}-bookworm-slim`);
  });

  it('is not run by root, says whether it is well, and holds what was built alone', () => {
    expect(linesOf('USER')).toEqual(['USER node']);
    expect(linesOf('HEALTHCHECK')).toHaveLength(1);
    expect([...linesOf('COPY'), ...linesOf('ADD')]).toEqual(['COPY --from=build /service/image ./']);
  });
});

describe('The services of docker-compose.yml', () => {
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

  it('give each secret to the one that needs it', () => {
    const holders = (wanted: (service: Service) => boolean) =>
      own.filter(([, service]) => wanted(service)).map(([name]) => name);

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
