import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { allGone, childrenOf, killAll } from '../../support/sandbox-programs.js';
import { spawnChild, type RunningChild } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { eventually } from '../../support/eventually.js';
import type { Rehearsal } from '../rehearsal.js';

/** A folder of PostgreSQL 18 with all its programs: Patroni uses pg_basebackup, pg_rewind, pg_controldata and pg_isready. */
const BIN = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/18/bin';
/** Servers refuse to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const PASSWORD = 'rehearsal';
/** Seconds until a leader that is silent has lost its lock: the least that Patroni takes. */
const TTL = 20;

interface Member {
  readonly name: string;
  readonly port: number;
  readonly rest: number;
  process: RunningChild | undefined;
}

/** Three members of Patroni with their PostgreSQL, one etcd, and HAProxy before them, as docs/operating/failover.md configures them. */
export class PatroniCluster {
  private constructor(
    private readonly folder: string,
    private readonly members: readonly Member[],
    private readonly etcd: number,
    private readonly proxy: number,
  ) {}

  static async start(rehearsal: Rehearsal): Promise<PatroniCluster> {
    if (!existsSync(join(BIN, 'pg_basebackup')))
      throw new Error(
        `There is no pg_basebackup in ${BIN}: POSTGRES_BIN must name a folder of PostgreSQL 18.`,
      );
    const folder = join(rehearsal.folder, 'patroni');
    mkdirSync(folder);
    chmodSync(rehearsal.folder, 0o755);
    chownSync(folder, NOBODY.uid, NOBODY.gid);
    const members: Member[] = [];
    for (const name of ['alpha', 'beta', 'gamma'])
      members.push({ name, port: await freePort(), rest: await freePort(), process: undefined });
    const cluster = new PatroniCluster(folder, members, await freePort(), await freePort());
    rehearsal.atEnd(() => cluster.stop());
    const peers = `http://127.0.0.1:${await freePort()}`;
    const clients = `http://127.0.0.1:${cluster.etcd}`;
    const etcd = await cluster.spawn('etcd', [
      ...[
        '--data-dir',
        join(folder, 'etcd'),
        '--listen-client-urls',
        clients,
        '--advertise-client-urls',
        clients,
      ],
      ...[
        '--listen-peer-urls',
        peers,
        '--initial-advertise-peer-urls',
        peers,
        '--initial-cluster',
        `default=${peers}`,
      ],
    ]);
    rehearsal.atEnd(() => etcd.end('SIGTERM'));
    for (const member of members) await cluster.run(member);
    writeFileSync(join(folder, 'haproxy.cfg'), cluster.proxySettings());
    const haproxy = await cluster.spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]);
    rehearsal.atEnd(() => haproxy.end('SIGTERM'));
    await eventually(
      () => cluster.query('postgres', 'SELECT 1').catch(() => []),
      ({ length }) => length > 0,
      180_000,
    );
    await cluster.query('postgres', 'CREATE DATABASE payments');
    await cluster.synchronous();
    return cluster;
  }

  get url(): string {
    return this.urlOf('payments');
  }

  async query<Row extends object>(database: string, text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.urlOf(database), connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Until a standby confirms commits, and etcd knows which: until then no standby may take over. */
  async synchronous(): Promise<void> {
    await eventually(() => this.memberThatIs('synchronous'), Boolean, 180_000);
  }

  /** SIGKILL to the leader's Patroni, its server and all sessions. @returns what starts the member again */
  async killLeader(): Promise<() => Promise<void>> {
    const leader = await this.memberThatIs('primary');
    if (leader === undefined) throw new Error('No member is the leader.');
    const patroni = leader.process!;
    // The server is no child of Patroni, so that it outlives a Patroni that ends alone.
    const server = Number(
      readFileSync(join(this.folder, leader.name, 'postmaster.pid'), 'utf8').split('\n')[0],
    );
    const servers = [server, ...childrenOf(server).map(({ pid }) => pid)];
    const killed = patroni.end('SIGKILL');
    killAll(servers);
    await killed;
    if (!(await allGone(servers, 30_000))) throw new Error('A session outlived the killed member.');
    return () => this.run(leader);
  }

  /** Asks Patroni itself. */
  private async memberThatIs(role: 'primary' | 'synchronous'): Promise<Member | undefined> {
    for (const member of this.members) {
      const answer = await fetch(`http://127.0.0.1:${member.rest}/${role}`).catch(() => undefined);
      if (answer?.ok) return member;
    }
    return undefined;
  }

  private async run(member: Member): Promise<void> {
    const file = join(this.folder, `${member.name}.yml`);
    writeFileSync(file, JSON.stringify(this.settingsOf(member)));
    member.process = await this.spawn('patroni', [file], member.name);
  }

  private spawn(command: string, args: string[], name = command): Promise<RunningChild> {
    const user = process.getuid?.() === 0 ? NOBODY : undefined;
    const logFile = join(this.folder, `${name}.log`);
    return spawnChild({ command, args, user, logFile, deathSignal: 'SIGINT' });
  }

  private async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.process?.end('SIGTERM', 30_000)));
  }

  /** JSON is YAML. */
  private settingsOf({ name, port, rest }: Member): object {
    const of = (username: string) => ({ username, password: PASSWORD });
    const parameters = { unix_socket_directories: this.folder, shared_buffers: '32MB', jit: 'off' };
    return {
      scope: 'payments',
      name,
      restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
      etcd3: { host: `127.0.0.1:${this.etcd}` },
      bootstrap: {
        dcs: {
          ...{ ttl: TTL, loop_wait: 3, retry_timeout: 5, maximum_lag_on_failover: 1_048_576 },
          ...{ synchronous_mode: true, postgresql: { use_pg_rewind: true } },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        pg_hba: [
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication all 127.0.0.1/32 scram-sha-256',
        ],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, parameters },
        ...{ data_dir: join(this.folder, name), bin_dir: BIN, pgpass: join(this.folder, `${name}.pgpass`) },
        authentication: { superuser: of('postgres'), replication: of('replicator'), rewind: of('rewinder') },
      },
    };
  }

  private proxySettings(): string {
    const servers = this.members.map(
      ({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`,
    );
    return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${this.proxy}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  }

  private urlOf(database: string): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.proxy}/${database}`;
  }
}
