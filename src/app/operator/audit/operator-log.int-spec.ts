import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Command } from '../command.js';
import { commands } from '../commands.js';
import { OperatorWorld } from '../testing/operator-world.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const ABSENT = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';

interface Entry {
  command: string;
  arguments: Record<string, string>;
  outcome: string;
  actor: string;
  reason: string | null;
}

let world: OperatorWorld;
let shop: string;
beforeAll(async () => void (world = await OperatorWorld.open()));
beforeEach(async () => {
  shop = (await world.runJson('organization', 'create', '--name', 'Example Shops'))['id']!;
});
afterAll(() => world.close());

/** Oldest first. */
async function entries(): Promise<Entry[]> {
  const { data } = (await world.runJson('audit', 'list', '--page-size', '1000')) as unknown as {
    data: Entry[];
  };
  return data.reverse();
}

/** A command of no context, beside those of the service. */
function probe(audited: 'with it' | 'around it', work: () => Promise<void> = async () => undefined): Command {
  const changes = { what: 'nothing', undo: 'by nothing.', audited };
  const run = () => work().then(() => ({ data: {} }));
  return { words: 'probe', about: 'Probe.', example: '', changes, run };
}

describe('A command that cannot be undone', () => {
  const terms = () => ['settlement-terms', 'set', '--organization', shop, '--network', 'sandbox'];

  it('says what it will do to whom, and refuses with status 2 where nobody can be asked', async () => {
    const refused = await world.run('organization', 'approve', shop);
    const json = await world.run(...terms(), '--address', ADDRESS, '--json');

    expect(refused).toEqual({
      status: 2,
      out: '',
      err:
        `"Example Shops" (${shop}) will be approved for production credentials. ` +
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

  it('asks a person to type the name, and does nothing where another one is typed', async () => {
    const asked: string[] = [];
    const answering = (answer: string) => async (question: string) => {
      asked.push(question);
      return answer;
    };

    const wrong = await world.runAsking(answering('yes'), 'organization', 'approve', shop);
    const right = await world.runAsking(answering(' Example Shops\n'), 'organization', 'approve', shop);

    expect(asked[0]).toMatch(/"Example Shops".*\nAn approval.*\nType Example Shops to continue: $/);
    expect(wrong).toEqual({ status: 2, out: '', err: 'Not confirmed. Nothing was done.' });
    expect([right.status, right.out]).toEqual([0, expect.stringMatching(/approved_at +2/)]);
  });

  it('asks nobody with --json, which programs read', async () => {
    const nobody = () => Promise.reject(new Error('asked'));

    expect(await world.runAsking(nobody, 'organization', 'approve', shop, '--json')).toMatchObject({
      status: 2,
      err: expect.stringContaining('Add --yes'),
    });
  });

  it('is refused before it asks, where whom it names does not exist', async () => {
    expect(await world.run('organization', 'approve', ABSENT)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^No such organization\./),
    });
  });

  it('alone knows --yes', async () => {
    expect(await world.run('organization', 'list', '--yes')).toMatchObject({
      status: 2,
      err: expect.stringContaining("Unknown option '--yes'"),
    });
  });
});

describe('The operator’s log', () => {
  it('has each change with who made it, as it was typed, and not its confirmation', async () => {
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

  it('never has a secret that a command shows', async () => {
    const made = await world.runJson(
      ...['credential', 'create', '--organization', shop, '--name', 'Till', '--roles', 'read'],
    );

    const log = JSON.stringify(await entries());

    expect(log).toContain('credential create');
    expect(log).not.toContain(made['api_secret']);
  });

  it('has nothing of a transaction that was refused, which changed nothing', async () => {
    const before = (await entries()).length;

    expect((await world.run('organization', 'approve', ABSENT, '--yes')).status).toBe(1);

    expect((await entries()).length).toBe(before);
  });

  it('commits with its change, or not at all', async () => {
    const before = (await entries()).length;
    const command = probe('with it', async () => {
      await world.database.query(`UPDATE identity.organizations SET name = 'Changed' WHERE id = $1`, [shop]);
      // The entry cannot be written after the change was made.
      await world.database.query('SET LOCAL transaction_read_only = on');
    });

    expect((await world.runOne(command, 'probe')).err).toContain('read-only transaction');

    expect((await world.run('organization', 'list', '--page-size', '1000')).out).not.toContain('Changed');
    expect((await entries()).length).toBe(before);
  });

  it('has what was begun and how it ended of a change that is not one transaction', async () => {
    const before = (await entries()).length;
    const fails = (error: Error) =>
      probe('around it', async () => {
        expect((await entries()).at(-1)).toMatchObject({ command: 'probe', outcome: 'begun' });
        throw error;
      });

    await world.runOne(fails(new Error('postgres://user:password@host refused')), 'probe');
    await world.runOne(probe('around it'), 'probe');

    expect((await entries()).slice(before).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['begun', null],
      ['failed', 'Error'],
      ['begun', null],
      ['done', null],
    ]);
  });

  it('cannot be changed', async () => {
    await expect(world.database.query('DELETE FROM platform.operator_actions')).rejects.toThrow();
    await expect(
      world.database.query(`UPDATE platform.operator_actions SET actor = 'somebody'`),
    ).rejects.toThrow();
  });

  it('is written by whatever changes anything: every other command works where nothing can be written', async () => {
    // Those of networks ask endpoints until they give up, and have files of their own.
    const reading = commands.filter(
      ({ words, changes, ...rest }) =>
        changes === undefined && 'run' in rest && !words.startsWith('network '),
    );
    const options: Record<string, string[]> = {
      ...Object.fromEntries(
        ['account list', 'credential list', 'collaborator list', 'pos list'].map((words) => [
          words,
          ['--organization', shop],
        ]),
      ),
      'settlement-terms list': ['--organization', shop],
      'settlement-terms history': ['--organization', shop],
      'refund-limits list': ['--organization', shop],
      'descriptor show': ['--organization', shop, '--network', 'sandbox'],
      'descriptor labels': ['--organization', shop, '--network', 'sandbox', '--file', '/dev/null'],
    };

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
