import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Seed, SeedOptions } from '#sandbox/service/seed.js';

interface Answer {
  readonly id: number;
  readonly seeded?: object;
  readonly error?: string;
}

/**
 * Passes seeds asked for by HTTP on to one seeder, which is started by the first of them and ends with this process.
 * @returns its address
 */
export async function offerSeeding(): Promise<string> {
  const waiting = new Map<number, (answer: Answer) => void>();
  let seeder: ChildProcess | undefined;
  let asked = 0;
  const start = () => {
    const child = fork(join(process.cwd(), 'test', 'support', 'seeder.mjs'), { execArgv: [] });
    child.on('message', (answer: Answer) => {
      waiting.get(answer.id)?.(answer);
      waiting.delete(answer.id);
    });
    child.once('exit', () => {
      seeder = undefined;
      for (const [id, settle] of waiting) settle({ id, error: 'The seeder ended.' });
      waiting.clear();
    });
    return child;
  };
  const server = createServer((request, response) => {
    void json(request).then((options) => {
      const id = (asked += 1);
      waiting.set(id, ({ seeded, error }) => {
        response.statusCode = error === undefined ? 200 : 500;
        response.end(error ?? JSON.stringify(seeded));
      });
      seeder ??= start();
      seeder.send({ id, options });
    });
  });
  // A connection that this end closes may just be used for another request.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The run's seeder makes it, from the build: the whole application need not be loaded for each seed. */
export async function seedByTheRun(options: SeedOptions): Promise<Seed> {
  const response = await fetch(process.env['TEST_SEEDING_URL']!, {
    method: 'POST',
    body: JSON.stringify(options),
  });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Seed;
}
