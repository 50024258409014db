import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { startTestService, type TestService } from '../../support/service.js';
import { answer, ask, startProgram } from '../programs.js';

export interface Scene {
  readonly name: string;
  readonly kind?: 'idle' | 'headers' | 'body' | 'deaf' | 'ahead' | 'many';
  readonly count?: number;
  readonly loadedBy?: number;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Calls {
  readonly took: number[];
  readonly answers: Record<string, number>;
}

interface Met extends Resources {
  readonly api: Calls;
  readonly health: Calls;
  readonly crowd: object;
}

/** The API process: open files, and resident memory in MB. */
export interface Resources {
  readonly files: number;
  readonly memory: number;
}

export interface HonestCallers {
  readonly perSecond: number;
  readonly seconds: number;
  readonly addresses: number;
}

/** A service that honest callers call evenly, beside crowds that do not behave. */
export class CrowdedService {
  private constructor(
    readonly service: TestService,
    private readonly callers: ChildProcess,
    readonly calls: readonly Call[],
    private readonly asked: HonestCallers,
  ) {}

  static async open(asked: HonestCallers, settings: Record<string, string>): Promise<CrowdedService> {
    const open = { PUBLIC_REQUESTS_PER_MINUTE: '1000000000' };
    const service = await startTestService({ settings: { ...open, ...settings } });
    try {
      const calls = await ordinaryCalls(service);
      return new CrowdedService(service, startProgram('hostile-clients/honest-callers.mjs'), calls, asked);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  private async withCrowd<T>(
    { kind, count }: Scene,
    work: () => Promise<T>,
  ): Promise<{ met: T; crowd: object }> {
    if (kind === undefined) return { met: await work(), crowd: {} };
    const program = startProgram('hostile-clients/hostile-crowd.mjs');
    const { hostname: host, port } = new URL(this.service.apiUrl);
    const [create] = this.calls;
    const body = create!.body!.padEnd(1_000);
    // With a credential, which alone makes the service wait for a body; or without, so that no rate bounds what is sent.
    const head = headOf(kind === 'body' ? create! : { ...create!, headers: {} });
    const asked = { kind, count, host, port, addresses: this.asked.addresses, head, body };
    await ask(program, asked);
    const met = await work();
    const crowd = await ask<object>(program, { stop: true });
    program.kill();
    return { met, crowd };
  }

  private async withLoad<T>({ loadedBy }: Scene, work: () => Promise<T>): Promise<T> {
    if (loadedBy === undefined) return work();
    const program = startProgram('full-load.mjs');
    const reported = answer<{ answers: Record<string, number> }>(program);
    program.send({ url: this.service.apiUrl, calls: this.calls, connections: loadedBy });
    const done = await work();
    program.send({ stop: true });
    const { answers } = await reported;
    program.kill();
    process.stdout.write(`The load was answered: ${JSON.stringify(answers)}\n`);
    if (Object.keys(answers).join() !== '200') throw new Error('The load was not answered with 200 alone.');
    return done;
  }

  private resources(): Resources {
    const { pid } = this.service.processes.api;
    const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    return { files: readdirSync(`/proc/${pid}/fd`).length, memory: Math.round(Number(kb) / 1024) };
  }

  async meet(scene: Scene): Promise<Met> {
    const { perSecond, seconds } = this.asked;
    const asked = { url: this.service.apiUrl, calls: this.calls, perSecond, seconds };
    const { met, crowd } = await this.withCrowd(scene, () =>
      this.withLoad(scene, async () => {
        const both = await ask<{ api: Calls; health: Calls }>(this.callers, asked);
        return { ...both, ...this.resources() };
      }),
    );
    return { ...met, crowd };
  }

  async close(): Promise<void> {
    this.callers.kill();
    await this.service.stop();
  }
}

async function ordinaryCalls({ apiUrl, api, seed, assets }: TestService): Promise<Call[]> {
  const exchange = await fetch(`${apiUrl}/v1/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: seed.apiKey, api_secret: seed.apiSecret }),
  });
  const { data } = (await exchange.json()) as { data: { token: string } };
  const proofs = { authorization: `Bearer ${data.token}`, 'x-service-api-key': seed.apiKey };
  const session = await api.post<{ session_id: string }>(`/v1/pos/${seed.posId}/payment-request-checkout`, {
    amount: '12.50',
    coin_code: 'USD',
  });
  return [
    {
      method: 'POST',
      path: `/v1/pos/${seed.posId}/payment-request`,
      headers: { ...proofs, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: '1', unique_asset_id: assets[0]!.unique_asset_id }),
    },
    { method: 'GET', path: '/v1/transactions?page=1&page_size=5', headers: proofs },
    { method: 'GET', path: `/public/checkout/${session.session_id}` },
  ];
}

function headOf({ method, path, headers = {} }: Call): string {
  const lines = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}`;
}
