import pg from 'pg';
import type { DatabaseAddress, DatabaseHost } from './database-address.js';
import { readWritableServerIdentity, type ServerIdentity } from './server-identity.js';

const HOST_ANSWER_TIMEOUT_MS = 3_000;
/**
 * Time to wait for other servers after one is found writable. The server with the highest timeline is the primary.
 */
const OTHER_HOSTS_GRACE_MS = 500;

export class NoWritableServer extends Error {
  override readonly name = 'NoWritableServer';
  readonly code = '08001';
}

/** A primary that was cut off during a failover may still accept writes, but its successor has a higher timeline. */
export class WritableHostFinder {
  private found: DatabaseHost | null = null;
  private searching: Promise<DatabaseHost> | null = null;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly session: Pick<pg.ClientConfig, 'application_name' | 'options'>,
  ) {}

  async find(): Promise<DatabaseHost | null> {
    if (this.address.hosts.length === 1) return null;
    if (this.found !== null) return this.found;
    this.searching ??= this.search().finally(() => (this.searching = null));
    return this.searching;
  }

  forgetHost(): void {
    this.found = null;
  }

  private async search(): Promise<DatabaseHost> {
    const writable: { host: DatabaseHost; server: ServerIdentity }[] = [];
    const refusals: string[] = [];
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const asked = this.address.hosts.map(async (host) => {
        const answer = await this.queryHost(host);
        if (typeof answer === 'string') return void refusals.push(`${host.host}:${host.port}: ${answer}`);
        writable.push({ host, server: answer });
        timer ??= setTimeout(resolve, OTHER_HOSTS_GRACE_MS);
      });
      void Promise.all(asked).then(() => resolve());
    });
    clearTimeout(timer);
    writable.sort((one, other) => other.server.timeline - one.server.timeline);
    if (writable.length === 0)
      throw new NoWritableServer(`No host of DATABASE_URL accepts writes (${refusals.join('; ')}).`);
    return (this.found = writable[0]!.host);
  }

  private async queryHost({ host, port }: DatabaseHost): Promise<ServerIdentity | string> {
    const client = new pg.Client({
      connectionString: this.address.url,
      connectionTimeoutMillis: HOST_ANSWER_TIMEOUT_MS,
      query_timeout: HOST_ANSWER_TIMEOUT_MS,
      ...this.session,
    });
    client.on('error', () => undefined);
    Object.assign(client, { host, port });
    try {
      await client.connect();
      return (await readWritableServerIdentity(client)) ?? 'it does not accept writes';
    } catch (error) {
      return error instanceof Error ? error.message || error.name : String(error);
    } finally {
      client.end().catch(() => undefined);
    }
  }
}
