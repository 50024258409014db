import { afterAll, beforeAll, describe, expect, it, beforeEach } from '@jest/globals';
import type { Command } from './command.js';
import { commands } from './commands.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import type { Database } from '#shared/platform/database/database.js';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService } from '../composition.js';
import { placeholderSettings } from '../settings/placeholder-settings.js';
import { runCommand, type CommandOutput } from './testing/run-command.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
let world: OperatorWorld;
beforeAll(async () => void (world = await OperatorWorld.open()));
afterAll(() => world.close());

const ABSENT = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

interface Entry {
  command: string;
  arguments: Record<string, string>;
  outcome: string;
  actor: string;
  reason: string | null;
}

let shop: string;
beforeEach(async () => {
  const create = 'organization create --support-contact help@shop.example --name';
  shop = (await world.runJson(create, 'Example Shops'))['id']!;
});

/** Reads the operator log, oldest entry first. */
async function entries(): Promise<Entry[]> {
  const { data } = (await world.runJson('audit', 'list', '--page-size', '1000')) as unknown as {
    data: Entry[];
  };
  return data.reverse();
}

/** A test command that runs `work` and is written to the operator log. */
function probe(audited: 'with it' | 'around it', work: () => Promise<void> = async () => undefined): Command {
  const changes = { what: 'nothing', undo: 'by nothing.', audited };
  const run = () => work().then(() => ({ data: {} }));
  return { words: 'probe', about: 'Probe.', example: '', changes, run };
}

const TOKEN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const NETWORKS = [
  {
    network: 'sandbox',
    name: 'Sandbox',
    chain_id: 31337,
    rpc_urls: ['http://127.0.0.1:9'],
    finality: { confirmations: 3 },
    assets: [{ token: TOKEN, symbol: 'USDC', name: 'USD Coin', decimals: 6, minimum_amount: '0.01' }],
  },
];

/** Starts a service on this database. Its RPC endpoints do not respond. */
async function serviceOn(databaseUrl: string): Promise<INestApplicationContext> {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const NETWORKS_FILE = join(folder, 'networks.json');
  writeFileSync(NETWORKS_FILE, JSON.stringify(NETWORKS));
  const settings = placeholderSettings({ NETWORKS_FILE });
  rmSync(folder, { recursive: true });
  const onPoolError = () => undefined;
  const options = { databaseUrl, poolSize: 5, applicationName: 'operator', onPoolError };
  const dataSource = await createDataSource(options).initialize();
  const service = composeService('operator', settings, dataSource);
  return NestFactory.createApplicationContext(service, {
    ...{ logger: new JsonLogger({ level: 'silent' }), abortOnError: false },
  });
}

/** Runs operator commands on a separate database. */
class OperatorWorld {
  private constructor(
    private readonly platform: TestPlatform,
    private readonly app: INestApplicationContext,
  ) {}

  static async open(): Promise<OperatorWorld> {
    const platform = await openTestDatabase();
    return new OperatorWorld(platform, await serviceOn(platform.url));
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.platform.close();
  }

  get database(): Database {
    return this.platform.database;
  }

  run(...words: string[]): Promise<CommandOutput> {
    return runCommand(this.app, words);
  }

  /** Runs a test command that the service does not have. */
  runOne(command: Command): Promise<CommandOutput> {
    return runCommand(this.app, [command.words], { commands: [command] });
  }

  /** Runs a command with `--json`, expects that it succeeds, and returns its output. */
  async runJson(...words: string[]): Promise<Record<string, string>> {
    const { status, out, err } = await this.run(...words, '--json');
    if (status !== 0) throw new Error(`${words.join(' ')}: ${err}`);
    return JSON.parse(out) as Record<string, string>;
  }

  /** Runs commands on read-only connections to this database. */
  async readingOnly<Result>(work: (run: OperatorWorld['run']) => Promise<Result>): Promise<Result> {
    const url = new URL(this.platform.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    url.searchParams.set('target_session_attrs', 'any');
    const app = await serviceOn(url.href);
    return work((...words) => runCommand(app, words)).finally(() => app.close());
  }
}

describe('The program for operators', () => {
  it('sets up a merchant and lists its accounts, terms and points of sale', async () => {
    const created = await world.runJson('organization create --name', 'Example Shops');
    const owner = ['--organization', created['id']!];
    const branch = await world.runJson('account create --external-id b-1 --name Berlin', ...owner);
    const terms = `settlement-terms set --network sandbox --yes --address ${ADDRESS}`;
    await world.runJson(terms, ...owner);
    const create = `pos create --payment-options nsandbox_t${TOKEN} --name Web`;
    await world.runJson(create, ...owner, '--account', created['account_id']!);
    await world.runJson(create, ...owner, '--account', branch['id']!);

    expect(await world.runJson('settlement-terms list', ...owner)).toMatchObject([
      { settlement_address: ADDRESS },
    ]);
    const total = { total: 2, total_pages: 2 };
    expect(await world.runJson('pos list --page-size 1', ...owner)).toMatchObject(total);
    expect(await world.runJson('account list --page-size 1', ...owner)).toMatchObject(total);
    const { data } = await world.runJson('organization list --page-size 1000');
    const ids = (data as unknown as { id: string }[]).map(({ id }) => id);
    expect(ids.slice(-2)).toEqual([shop, created['id']]);
  });

  it('changes, disables, enables and deletes a credential by its key id', async () => {
    const { id } = await world.runJson('organization create --name Shop');
    const { out } = await world.run('credential create --name Till --roles write --organization', id!);
    const keyId = /svc\.dev\.\S+/.exec(out)?.[0] ?? '';
    expect(out).toContain('Save the secret now. It cannot be displayed again.');

    expect(
      await world.runJson('credential change --roles read,write --allowed-ips 10.1.2.3/8', keyId),
    ).toMatchObject({ roles: ['read', 'write'], allowed_ips: ['10.0.0.0/8'], enabled: true });
    expect(await world.runJson('credential change', keyId, '--allowed-ips', '')).toMatchObject({
      allowed_ips: [],
    });
    expect(await world.runJson('credential disable', keyId)).toMatchObject({ enabled: false });
    expect(await world.runJson('credential enable', keyId)).toMatchObject({ enabled: true });
    await world.runJson('credential delete --yes', keyId);
    expect(await world.runJson('credential list --organization', id!)).toMatchObject({ total: 0 });
    expect(await world.run('credential enable', keyId)).toMatchObject({
      ...{ status: 1, out: '', err: expect.stringContaining('No such credential') },
    });
  });

  it('reports a rejection in a sentence and exits with 1', async () => {
    const refused = await world.run('organization', 'create', '--name', ' ');
    const missing = await world.run('organization', 'approve', ABSENT, '--yes', '--json');

    expect(refused).toEqual({
      status: 1,
      out: '',
      err: 'name: must be one line of 1 to 200 characters, without control characters or text-direction marks.',
    });
    expect([missing.status, JSON.parse(missing.err)]).toEqual([
      1,
      { code: 'not_found', message: expect.any(String) },
    ]);
  });
});

describe('An irreversible command', () => {
  const terms = () => ['settlement-terms', 'set', '--organization', shop, '--network', 'sandbox'];

  it('shows its effect, and exits with 2 if it is not confirmed', async () => {
    const refused = await world.run('organization', 'approve', shop);
    const json = await world.run(...terms(), '--address', ADDRESS, '--json');

    expect(refused).toEqual({
      status: 2,
      out: '',
      err:
        `"Example Shops" (${shop}) will be approved for production. ` +
        'An approval cannot be withdrawn. You can still disable credentials. Nothing was done. Add --yes to confirm.',
    });
    expect([json.status, JSON.parse(json.err)]).toEqual([
      2,
      {
        code: 'not_confirmed',
        message: expect.stringContaining(
          `New payments to "Example Shops" on sandbox will be settled to ${ADDRESS}, without a fee.`,
        ),
      },
    ]);
    expect(await world.runJson('settlement-terms', 'list', '--organization', shop)).toEqual([]);
  });

  it('rejects a missing organization before it asks for confirmation', async () => {
    expect(await world.run('organization', 'approve', ABSENT)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^No such organization\./),
    });
  });
});

describe('The approval of an organization', () => {
  it('requires the support contact that payers see', async () => {
    const { id } = await world.runJson('organization create --name', 'Without Help');

    expect(await world.run('organization', 'approve', id!, '--yes')).toEqual({
      status: 1,
      out: '',
      err:
        'support: is required for production. An Owner or Admin sets the support contact of the organization at ' +
        '/app/branding: an email address or an https:// URL.',
    });
    expect(await world.runJson('organization', 'approve', shop, '--yes')).toMatchObject({ id: shop });
  });
});

describe('The operator’s log', () => {
  it('records each change with its actor and arguments, without the confirmation', async () => {
    const before = (await entries()).length;

    await world.runJson('account', 'create', '--organization', shop, '--name', 'Berlin');
    await world.runJson('organization', 'approve', shop, '--yes');
    await world.run('organization', 'list');

    expect((await entries()).slice(before)).toEqual([
      {
        action_id: expect.any(String),
        at: expect.stringMatching(/Z$/),
        reason: null,
        outcome: 'done',
        actor: expect.stringMatching(/^operator \S/),
        command: 'account create',
        arguments: { organization: shop, name: 'Berlin' },
      },
      expect.objectContaining({ command: 'organization approve', arguments: { organization: shop } }),
    ]);
  });

  it('contains no secret that a command shows', async () => {
    const made = await world.runJson(
      ...['credential', 'create', '--organization', shop, '--name', 'Till', '--roles', 'read'],
    );

    const log = JSON.stringify(await entries());

    expect(log).toContain('credential create');
    expect(log).not.toContain(made['api_secret']);
  });

  it('has no entry for a rejected transaction', async () => {
    const before = (await entries()).length;

    expect((await world.run('organization', 'approve', ABSENT, '--yes')).status).toBe(1);

    expect((await entries()).length).toBe(before);
  });

  it('commits together with its change', async () => {
    const before = (await entries()).length;
    const command = probe('with it', async () => {
      await world.database.query(`UPDATE identity.organizations SET name = 'Changed' WHERE id = $1`, [shop]);
      // Makes the log entry after the change fail.
      await world.database.query('SET LOCAL transaction_read_only = on');
    });

    expect((await world.runOne(command)).err).toContain('read-only transaction');

    expect((await world.run('organization', 'list', '--page-size', '1000')).out).not.toContain('Changed');
    expect((await entries()).length).toBe(before);
  });

  it('records the start and the end of a change that is not one transaction', async () => {
    const before = (await entries()).length;
    const fails = (error: Error) =>
      probe('around it', async () => {
        expect((await entries()).at(-1)).toMatchObject({ command: 'probe', outcome: 'begun' });
        throw error;
      });

    await world.runOne(fails(new Error('postgres://user:password@host refused')));
    await world.runOne(probe('around it'));

    expect((await entries()).slice(before).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['begun', null],
      ['failed', 'Error'],
      ['begun', null],
      ['done', null],
    ]);
  });

  it('rejects changes of its entries', async () => {
    await expect(world.database.query('DELETE FROM platform.operator_actions')).rejects.toThrow();
    await expect(
      world.database.query(`UPDATE platform.operator_actions SET actor = 'somebody'`),
    ).rejects.toThrow();
  });

  it('includes every command that writes: all others work on a read-only connection', async () => {
    // Excludes commands on networks, which would call RPC endpoints until they time out. Other files test them.
    const reading = commands.filter(
      ({ words, changes, ...rest }) =>
        changes === undefined && 'run' in rest && !words.startsWith('network '),
    );
    const owner = ['--organization', shop];
    const options: Record<string, string[]> = Object.fromEntries(
      ['account', 'credential', 'collaborator', 'pos', 'settlement-terms', 'refund-limits']
        .map((words): [string, string[]] => [`${words} list`, owner])
        .concat([
          ['settlement-terms history', owner],
          ['descriptor show', [...owner, '--network', 'sandbox']],
          ['descriptor labels', [...owner, '--network', 'sandbox', '--file', '/dev/null']],
        ]),
    );

    const outcome = await world.readingOnly(async (run) => {
      const answers = [];
      for (const { words } of reading)
        answers.push([words, (await run(...words.split(' '), ...(options[words] ?? []))).err]);
      const approve = await run('organization', 'approve', shop, '--yes');
      return { answers, approve: approve.err };
    });

    expect(reading.length).toBeGreaterThan(15);
    expect(outcome.approve).toContain('read-only transaction');
    expect(outcome.answers.filter(([, err]) => /read-only|missing/.test(err!))).toEqual([]);
  });
});
