import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import type { PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { ApiClient } from './api-client.js';
import { chainRpc } from '#sandbox/chain/chain-rpc.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { SandboxFile } from '#sandbox/folder/sandbox-folder.js';
import { fastFolder } from './fast-folder.js';
import { childrenOf, endPrograms, run, untilPrinted, type Run } from './sandbox-programs.js';

const PARTS = ['bin/postgres', 'bin/anvil', 'main.js', 'worker.js'];
/** A limit for a start that hangs. The machine may be busy. */
const START_MS = 200_000;
const BETWEEN_BLOCKS = 200;

export class SandboxWorld {
  private sandbox: Run | undefined;

  private constructor(
    readonly home: string,
    readonly settings: Record<string, string>,
  ) {}

  static async make(): Promise<SandboxWorld> {
    const home = mkdtempSync(join(fastFolder(), 'sandbox-e2e-'));
    return new SandboxWorld(home, {
      SANDBOX_DIRECTORY: join(home, 'world'),
      SANDBOX_POSTGRES_PORT: String(await freePort()),
      SANDBOX_CHAIN_PORT: String(await freePort()),
      SANDBOX_WALLET_PORT: String(await freePort()),
      SANDBOX_BITCOIN_PORT: String(await freePort()),
      SANDBOX_TRON_PORT: String(await freePort()),
      HTTP_PORT: String(await freePort()),
    });
  }

  get directory(): string {
    return this.settings['SANDBOX_DIRECTORY']!;
  }

  run(program: string, args: string[] = [], settings: Record<string, string> = {}): Run {
    return run(program, { ...this.settings, ...settings }, args);
  }

  async start(settings: Record<string, string> = {}, args: string[] = []): Promise<Run> {
    this.sandbox = this.run('sandbox.js', args, settings);
    await untilPrinted(this.sandbox, 'The sandbox is running', START_MS);
    return this.sandbox;
  }

  /**
   * Starts the sandbox with shorter intervals: payments become final in one second instead of five. The additional blocks have the
   * timestamp of the block before them, so the chain stays in real time. A killed chain would lose more blocks than finality takes.
   */
  async startFast(settings: Record<string, string> = {}): Promise<Run> {
    const sandbox = await this.start({ WATCH_INTERVAL_MS: '150', ...settings });
    const { rpc_url: chain } = this.file().networks[0]!;
    const mine = async () => {
      while (sandbox.process.exitCode === null && sandbox.process.signalCode === null) {
        await chainRpc(chain, 'evm_mine').catch(() => undefined);
        await pause(BETWEEN_BLOCKS);
      }
    };
    void mine();
    return sandbox;
  }

  get running(): Run {
    if (this.sandbox === undefined) throw new Error('No sandbox was started.');
    return this.sandbox;
  }

  parts(): number[] {
    const children = childrenOf(this.running.process.pid!);
    return PARTS.flatMap((part) =>
      children.filter(({ command }) => command.includes(part)).map(({ pid }) => pid),
    );
  }

  file(): SandboxFile {
    return JSON.parse(readFileSync(join(this.directory, 'sandbox.json'), 'utf8')) as SandboxFile;
  }

  client({ api_url, api_key, api_secret } = this.file()): ApiClient {
    return new ApiClient(api_url, { apiKey: api_key, apiSecret: api_secret });
  }

  async webhooks(): Promise<WebhookDto[]> {
    return (await this.client().get<PageBody<WebhookDto>>(`${this.webhookPath}/list`)).data;
  }

  /** A program leaves its webhook like this when it is killed. */
  async leaveWebhook(description: string): Promise<void> {
    const url = `http://127.0.0.1:${await freePort()}/`;
    await this.client().post(this.webhookPath, { url, event_type: 'payment_request', description });
  }

  private get webhookPath(): string {
    return `/v1/account/${this.file().account_id}/webhook`;
  }

  async stop(): Promise<void> {
    this.sandbox?.process.kill('SIGTERM');
    await this.sandbox?.ended;
    this.sandbox = undefined;
  }

  async remove(): Promise<void> {
    await endPrograms();
    await this.run('reset.js').ended;
    rmSync(this.home, { recursive: true, force: true });
  }
}
