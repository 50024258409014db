import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { allGone } from '../support/sandbox-programs.js';

const RUNTIME = join(process.cwd(), 'scripts', 'runtime.mjs');
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A bootstrap script that runs such a program, then says that it went on. */
function bootstrap(program: string): ChildProcess {
  const script = `
    import { runNode } from ${JSON.stringify(RUNTIME)};
    const status = await runNode(['--input-type=module', '-e', ${JSON.stringify(program)}]);
    console.log('went on');
    process.exit(status);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  return child;
}

/** Runs until a signal, and prints its process number first. */
const WAITING = `
  import { endWithParent } from ${JSON.stringify(RUNTIME)};
  endWithParent();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => { console.log(signal); process.exit(7); });
  setInterval(() => undefined, 1_000);
  console.log(process.pid);`;

describe('A program of a bootstrap script', () => {
  it('runs on the Node version of package.json and the image', () => {
    const file = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');
    const { devDependencies, engines } = JSON.parse(file('package.json')) as {
      devDependencies: Record<string, string>;
      engines: { node: string };
    };
    const [major] = devDependencies['node']!.split('.');

    expect(process.versions.node.split('.')[0]).toBe(major);
    expect(engines.node).toBe(`>=${major}`);
    expect(devDependencies['@types/node']!.split('.')[0]).toBe(major);
    const images = [...file('Dockerfile').matchAll(/^FROM node:([\d.]+)-/gm)].map(([, version]) => version);
    // The image may have a newer patch than the package `node`, whose releases end earlier.
    expect(images).toHaveLength(2);
    expect(new Set(images).size).toBe(1);
    expect(images[0]!.split('.')[0]).toBe(major);
  });

  it('sets the exit code of the script', async () => {
    const child = bootstrap('process.exit(3)');

    expect(await once(child, 'close')).toEqual([3, null]);
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'receives %s, and ends together with the script',
    async (signal) => {
      const child = bootstrap(WAITING);
      const printed = text(child.stdout!);
      await once(child.stdout!, 'readable');

      child.kill(signal);

      expect(await once(child, 'close')).toEqual([7, null]);
      expect(await printed).toMatch(new RegExp(`^\\d+\n${signal}\n$`));
    },
  );

  it('ends when the script is killed', async () => {
    const child = bootstrap(WAITING);
    const [pid] = (await once(child.stdout!, 'data')) as [Buffer];

    child.kill('SIGKILL');

    expect(await allGone([Number(pid.toString())], 60_000)).toBe(true);
  });
});
