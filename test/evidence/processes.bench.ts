import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '#sandbox/processes/free-port.js';
import { startTestService, type TestService } from '../support/service.js';
import { publishFigure, typical } from './figures.js';
import { FORM, median, shown } from './measures.js';
import { ask, startProgram } from './programs.js';

const [STARTS, IDLE_SECONDS, REQUESTS] = (
  { short: [1, 0, 100], figures: [5, 5, 5_000], long: [9, 60, 50_000] } as const
)[FORM];
const CONNECTIONS = 8;
/** Memory differs little from one start to the next, so it is read in a few. */
const WEIGHED = 3;

let service: TestService;
let load: ChildProcess;

beforeAll(async () => {
  service = await startTestService();
  load = startProgram('full-load.mjs');
}, 120_000);

afterAll(async () => {
  load?.kill();
  await service?.stop();
});

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly seconds: number;
}

/** Starts a built program, until it reports that it is ready. */
async function start(program: 'main' | 'worker'): Promise<Started> {
  const port = await freePort();
  const env = { ...service.environment, HTTP_PORT: String(port), METRICS_PORT: '' };
  const began = performance.now();
  const child = fork(join(process.cwd(), 'dist', `${program}.js`), [], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ isReady }] = (await once(child, 'message')) as [{ isReady: boolean }];
  expect(isReady).toBe(true);
  return { child, url: `http://127.0.0.1:${port}`, seconds: (performance.now() - began) / 1_000 };
}

async function stop({ child }: Started): Promise<void> {
  child.kill();
  await once(child, 'exit');
}

/** Resident memory in MB. */
function memoryOf({ child }: Started): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1_024;
}

async function memoryUnderLoad({ child, url }: Started): Promise<number> {
  const { apiKey, apiSecret, posId } = service.seed;
  const answered = await fetch(`${url}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: apiKey, api_secret: apiSecret }),
  });
  const { data } = (await answered.json()) as { data: { token: string } };
  const headers = {
    ...{ authorization: `Bearer ${data.token}`, 'x-service-api-key': apiKey },
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ amount: '12.50', unique_asset_id: service.assets[0]!.unique_asset_id });
  const calls = [{ method: 'POST', path: `/v1/pos/${posId}/payment-request`, headers, body }];
  const { answers } = await ask<{ answers: object }>(load, {
    ...{ url, calls, connections: CONNECTIONS, count: REQUESTS },
  });
  expect(answers).toEqual({ 200: REQUESTS });
  return memoryOf({ child, url, seconds: 0 });
}

describe('A process of the service', () => {
  it.each([
    ['API', 'main'],
    ['worker', 'worker'],
  ] as const)(
    'starts within seconds and keeps its memory small: %s',
    async (name, program) => {
      const [seconds, idle, loaded]: [number[], number[], number[]] = [[], [], []];
      for (let n = 0; n < STARTS; n += 1) {
        const started = await start(program);
        seconds.push(started.seconds);
        if (n < WEIGHED) {
          await sleep(IDLE_SECONDS * 1_000);
          idle.push(memoryOf(started));
          if (program === 'main') loaded.push(await memoryUnderLoad(started));
        }
        await stop(started);
      }

      process.stdout.write(
        `${name}: ready after ${shown(seconds)} s; ${shown(idle, 0)} MB idle` +
          `${loaded.length > 0 ? `, ${shown(loaded, 0)} MB after ${REQUESTS} creations` : ''}\n`,
      );
      const published = (work: string, values: readonly number[], unit: string, digits: number) =>
        publishFigure({
          work,
          result: `${typical(values, digits)} ${unit}`,
          spread: [Math.min(...values), Math.max(...values)],
          measurement: 'processes',
        });
      published(`start the ${name}, until it is ready`, seconds, 's', 2);
      published(`memory of the idle ${name}`, idle, 'MB', 0);
      if (loaded.length > 0) published(`memory of the ${name} after ${REQUESTS} creations`, loaded, 'MB', 0);
      // The goals are 1 s and 150 MB. A busy machine starts it more slowly.
      if (FORM === 'long') expect(median(idle)).toBeLessThan(200);
    },
    600_000,
  );
});
