import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { commandGroups } from './commands.js';
import { OperatorWorld, TOKEN } from './testing/operator-world.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

let world: OperatorWorld;
beforeAll(async () => void (world = await OperatorWorld.open()));
afterAll(() => world.close());

describe('The operator', () => {
  it('sets up a merchant, who can then list their points of sale', async () => {
    const organization = await world.runJson('organization', 'create', '--name', 'Example Shops');
    const owner = ['--organization', organization['id']!];
    const branch = await world.runJson(
      'account',
      'create',
      ...owner,
      '--name',
      'Berlin',
      '--external-id',
      'b-1',
    );
    await world.runJson(
      'settlement-terms',
      'set',
      ...owner,
      '--network',
      'sandbox',
      '--address',
      ADDRESS,
      '--yes',
    );
    const asset = `nsandbox_t${TOKEN}`;
    const create = ['pos', 'create', ...owner, '--name', 'Web shop', '--payment-options', asset];
    const pos = await world.runJson(
      ...create,
      '--account',
      organization['account_id']!,
      '--return-url',
      'https://shop.example/r',
    );
    await world.runJson(...create, '--account', branch['id']!);
    const credential = ['credential', 'create', ...owner, '--name', 'Till', '--roles', 'read'];
    const whole = await world.runJson(...credential);
    const own = await world.runJson(...credential, '--account', organization['account_id']!);

    const seen = await world.call('/v1/pos?page=1&page_size=10', { headers: await world.headersOf(whole) });
    const narrowed = await world.call(`/v1/pos?page=1&page_size=10&account_id=${branch['id']}`, {
      headers: await world.headersOf(whole),
    });
    const mine = await world.call('/v1/pos?page=1&page_size=10', { headers: await world.headersOf(own) });
    const refused = await world.call(`/v1/pos?page=1&page_size=10&account_id=${organization['account_id']}`, {
      headers: await world.headersOf(own),
    });

    expect(seen.data).toMatchObject({ total: 2, page: 1, page_size: 10, total_pages: 1 });
    expect((seen.data['data'] as object[])[0]).toEqual({
      id: pos['id'],
      name: 'Web shop',
      type: 'online',
      organization_id: organization['id'],
      organization_name: 'Example Shops',
      account_id: organization['account_id'],
      account_name: 'Example Shops',
      config: {
        merchant: { name: 'Web shop' },
        payment_options: [asset],
        return_url: 'https://shop.example/r',
        checkout_first: 'address',
        open_amount: false,
      },
      created_at: pos['created_at'],
      updated_at: pos['created_at'],
    });
    expect(narrowed.data).toMatchObject({
      total: 1,
      data: [{ account_id: branch['id'], account_name: 'Berlin' }],
    });
    expect(mine.data).toMatchObject({ total: 1, data: [{ id: pos['id'] }] });
    expect([refused.status, refused.code]).toEqual([403, 'account_not_allowed']);
    expect(await world.runJson('settlement-terms', 'list', ...owner)).toMatchObject([
      { settlement_address: ADDRESS },
    ]);
    expect(await world.runJson('pos', 'list', ...owner, '--page-size', '1')).toMatchObject({
      total: 2,
      total_pages: 2,
    });
    expect(await world.runJson('account', 'list', ...owner)).toMatchObject({ total: 2 });
  });

  it('changes, disables, enables and deletes a credential by its key id', async () => {
    const { id } = await world.runJson('organization', 'create', '--name', 'Shop');
    const created = await world.run(
      'credential',
      'create',
      '--organization',
      id!,
      '--name',
      'Till',
      '--roles',
      'write',
    );
    const keyId = /svc\.dev\.\S+/.exec(created.out)?.[0] ?? '';
    expect(created.out).toContain('Save the secret now. It cannot be displayed again.');

    const changed = await world.runJson(
      'credential',
      'change',
      keyId,
      '--roles',
      'read,write',
      '--allowed-ips',
      '10.1.2.3/8',
    );
    expect(changed).toMatchObject({ roles: ['read', 'write'], allowed_ips: ['10.0.0.0/8'], enabled: true });
    expect(await world.runJson('credential', 'change', keyId, '--allowed-ips', '')).toMatchObject({
      allowed_ips: [],
    });
    expect(await world.runJson('credential', 'disable', keyId)).toMatchObject({ enabled: false });
    expect(await world.runJson('credential', 'enable', keyId)).toMatchObject({ enabled: true });
    await world.runJson('credential', 'delete', keyId, '--yes');
    expect(await world.runJson('credential', 'list', '--organization', id!)).toMatchObject({ total: 0 });
    expect(await world.run('credential', 'enable', keyId)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('No such credential'),
    });
  });

  it('approves an organization and lists it', async () => {
    const { id } = await world.runJson('organization', 'create', '--name', 'Shop');

    const approved = await world.runJson('organization', 'approve', id!, '--yes');

    expect(approved['approved_at']).toMatch(/Z$/);
    expect((await world.run('organization', 'list', '--page-size', '1000')).out).toContain(id);
  });

  it('reports a rejection in a sentence and with status 1', async () => {
    const refused = await world.run('organization', 'create', '--name', ' ');
    const missing = await world.run(
      'organization',
      'approve',
      '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
      '--yes',
      '--json',
    );

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

  it('reports an unknown command with the usage and status 2', async () => {
    const unknown = await world.run('organization', 'sell');
    const option = await world.run('organization', 'create', '--nmae', 'x');
    const json = await world.run('organization', 'approve', 'x', '--json');

    expect(unknown).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(
        /^There is no command "organization sell"\. Did you mean "organization list"\?\n\nUsage:/,
      ),
    });
    expect(option.err).toMatch(/^Unknown option '--nmae'\.\n\nUsage: .*organization create/);
    expect([json.status, JSON.parse(json.err)]).toMatchObject([2, { code: 'usage' }]);
  });

  it('prints help for all commands and for one', async () => {
    const all = await world.run('help');
    const one = await world.run('pos', 'create', '--help');

    expect(all.status).toBe(0);
    for (const name of Object.keys(commandGroups)) expect(all.out).toContain(`\n  ${name}`);
    expect(one.out).toContain('--payment-options <a,b>');
  });
});
