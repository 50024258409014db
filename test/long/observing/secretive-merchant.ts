import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { DashboardPerson } from '#test/support/dashboard-person.js';
import { eventually } from '#test/support/eventually.js';
import type { TestService } from '#test/support/service.js';
import type { SmtpReceiver } from '#test/support/smtp-receiver.js';

const EMAIL = 'anna@shop.example';
const PASSWORD = 'kettle harbour lantern 7';
/** Settings that are secrets, or have one in them. */
const SECRET_SETTINGS = [
  ...[
    'TOKEN_SIGNING_KEYS',
    'WEBHOOK_SECRET_KEYS',
    'DASHBOARD_SECRET_KEYS',
    'NASPIP_SECRET_KEY',
    'REFUND_KEY',
  ],
  ...['DATABASE_URL', 'SMTP_URL', 'GAS_KEY'],
];

/** Somebody who sends every kind of secret to the service, also where it does not belong, and remembers each. */
export class SecretiveMerchant {
  readonly secrets = new Map<string, string>();
  readonly failedRequests: string[] = [];
  private token = '';

  constructor(
    private readonly service: TestService,
    private readonly smtp: SmtpReceiver,
    webhookSecret: string,
  ) {
    const { environment, seed } = service;
    this.know('secret of a credential', seed.apiSecret);
    this.know('secret of a webhook', webhookSecret);
    this.know('password of the database', decodeURIComponent(new URL(environment['DATABASE_URL']!).password));
    for (const name of ['WEBHOOK_SECRET_KEYS', 'DASHBOARD_SECRET_KEYS'])
      this.know(name, environment[name]!.split(':')[1]!);
    const signingKeys = readFileSync(environment['SIGNING_KEYS_FILE']!, 'utf8');
    for (const [index, [, secret]] of [...signingKeys.matchAll(/"secret(?:_key)?": "([^"]+)"/g)].entries())
      this.know(`signing key ${index}`, secret!);
    this.know('REFUND_KEY', environment['REFUND_KEY']!.replace(/^0x/, ''));
    this.know('gas key', readFileSync(environment['GAS_KEY_FILE']!, 'utf8').trim().replace(/^0x/, ''));
  }

  know(name: string, secret: string): void {
    this.secrets.set(name, secret);
  }

  async usesTheApi(): Promise<void> {
    const { seed } = this.service;
    const exchange = (body: string, headers = {}) => this.send('POST', '/v1/auth/token', body, headers);
    const pair = { api_key: seed.apiKey, api_secret: seed.apiSecret };
    const answer = (await (await exchange(JSON.stringify(pair))).json()) as { data: { token: string } };
    this.token = answer.data.token;
    this.know('token', this.token);
    this.know('signature of the token', this.token.split('.')[2]!);
    const misplaced = this.made('misplaced secret');
    await exchange(`{"api_secret":"${misplaced}"`);
    await exchange(`{"api_key":"x","api_secret":["${misplaced}"]}`);
    await exchange(`{"${misplaced}":1}`);
    await exchange(JSON.stringify({ ...pair, api_secret: misplaced }));
    await exchange(JSON.stringify({ ...pair, api_key: misplaced }), { 'x-service-api-key': misplaced });
    await exchange('{}', { 'content-type': `application/${misplaced}` });
    for (const path of ['/v1/pos', `/v1/pos/${misplaced}`, `/v1/pos?page=${misplaced}`, `/${misplaced}`])
      await this.send('GET', path, undefined, {
        authorization: `Bearer ${misplaced}`,
        cookie: `a=${misplaced}`,
      });
    const webhooks = `/v1/account/${seed.accountId}/webhook`;
    const gone = `http://127.0.0.1:9/hook?key=${this.made('key in the URL of a receiver')}`;
    const made = await this.asked('POST', webhooks, { url: gone, event_type: 'payment_request' });
    const { data } = (await made.json()) as { data: { id: string; secret: string } };
    this.know('secret of another webhook', data.secret);
    await this.asked('POST', webhooks, {
      url: `http://a:${misplaced}@127.0.0.1:9/`,
      event_type: 'payment_request',
    });
    const rotated = await this.asked('POST', `${webhooks}/${data.id}/rotate-secret`, { overlap_seconds: 60 });
    if (rotated.ok)
      this.know('rotated secret', ((await rotated.json()) as { data: { secret: string } }).data.secret);
    // Whose delivery to the receiver that is gone fails.
    const [asset] = this.service.assets;
    await this.asked('POST', `/v1/pos/${seed.posId}/payment-request`, {
      ...{ amount: '1', unique_asset_id: asset!.unique_asset_id },
    });
  }

  async usesTheDashboard(): Promise<void> {
    const operator = new OperatorCommandRunner({ environment: this.service.environment, actor: 'test' });
    const of = ['--organization', this.service.seed.organizationId, '--email', EMAIL];
    const { link } = await operator.run<{ link: string }>('owner', 'invite', ...of);
    await operator.close();
    this.know('invitation', new URL(link).pathname.split('/').at(-1)!);
    this.know('password', PASSWORD);
    const anna = new DashboardPerson(this.service.apiUrl);
    const codes = await anna.join(link, PASSWORD);
    codes.forEach((code, index) => this.know(`recovery code ${index}`, code));
    this.know('secret of an authenticator app', anna.authenticatorSecret);
    this.know('session', anna.cookie('__Host-dashboard_session')!);
    const other = new DashboardPerson(this.service.apiUrl);
    const wrong = this.made('wrong password');
    await other.post('/app/sign-in', { email: EMAIL, password: wrong });
    await other.post('/app/sign-in', { email: wrong, [wrong]: wrong });
    await other.post('/app/sign-in', { email: EMAIL, password: PASSWORD });
    this.know('session before the second factor', other.cookie('__Host-dashboard_session')!);
    await other.post('/app/second-factor', { code: wrong });
    await other.post('/app/second-factor', { code: codes[0]! });
    await other.post('/app/password-reset', { email: EMAIL });
    const unfolded = () => this.smtp.mails.map((text) => text.replaceAll('=\n', ''));
    const mailed = () => unfolded().find((text) => text.includes('/app/password-reset/'));
    const mail = (await eventually(
      async () => mailed(),
      (text) => text !== undefined,
    ))!;
    const path = /\/app\/password-reset\/[^\s"]+/.exec(mail)![0];
    this.know('link of a password reset', path.split('/').at(-1)!);
    await other.post(path, { password: 'short' });
    const chosen = this.made('new password');
    await other.post(path, { password: chosen });
    await other.post('/app/sign-in', { email: EMAIL, password: chosen });
  }

  /** A database that refuses rows, which says their values; an endpoint that is not there. */
  async isFailed(): Promise<void> {
    const { query, seed } = this.service;
    // Within a minute of the last link there is no row to refuse.
    await query('DELETE FROM identity.reset_links');
    const inOneRow = this.made('value of a refused row');
    const tables = ['webhooks.webhooks', 'identity.reset_links'];
    for (const table of tables)
      await query(`ALTER TABLE ${table} ADD CONSTRAINT refuses_all CHECK (false) NOT VALID`);
    const url = `http://127.0.0.1:9/?key=${inOneRow}`;
    await this.asked('POST', `/v1/account/${seed.accountId}/webhook`, { url, event_type: 'payment_request' });
    const person = new DashboardPerson(this.service.apiUrl);
    // Its link is stored once it is answered: what is refused then stands in the log alone.
    await person.post('/app/password-reset', { email: EMAIL });
    await eventually(
      async () => this.service.log('api'),
      (log) => log.includes('reset_links'),
    );
    for (const table of tables) await query(`ALTER TABLE ${table} DROP CONSTRAINT refuses_all`);
    const worker = await this.service.anotherWorker([
      `http://127.0.0.1:9/?apikey=${this.made('key of an endpoint that is not there')}`,
    ]);
    await worker.stop();
  }

  /** @returns what processes print that do not start: with each secret setting malformed, and without a database */
  async startsWrongly(): Promise<Record<string, string>> {
    const malformed = SECRET_SETTINGS.map((name) => [name, `x ${this.made(`malformed ${name}`)}`]);
    const password = this.made('password of a database that is not there');
    const databaseUrl = `postgres://service:${password}@127.0.0.1:9/payments`;
    return {
      malformed: await this.started('main.js', Object.fromEntries(malformed) as Record<string, string>),
      noDatabase: await this.started('worker.js', { DATABASE_URL: databaseUrl }),
      operator: await this.started('cli.js', { DATABASE_URL: databaseUrl }, 'organization', 'list'),
    };
  }

  private started(program: string, settings: Record<string, string>, ...words: string[]): Promise<string> {
    const file = join(process.cwd(), 'dist', program);
    const env = { ...this.service.environment, ...settings, PATH: process.env['PATH']! };
    return new Promise((resolve, reject) => {
      execFile(process.execPath, [file, ...words], { env, cwd: '/' }, (error, stdout, stderr) =>
        error === null ? reject(new Error(`${program} has started.`)) : resolve(stdout + stderr),
      );
    });
  }

  private made(name: string): string {
    const secret = `s3cret${Math.random().toString(36).slice(2)}${this.secrets.size}`;
    this.know(name, secret);
    return secret;
  }

  private asked(method: string, path: string, body: object): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, 'x-service-api-key': this.service.seed.apiKey };
    return this.send(method, path, JSON.stringify(body), headers);
  }

  private async send(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Response> {
    const answer = await fetch(this.service.apiUrl + path, {
      ...{ method, redirect: 'manual', body: body ?? null },
      headers: { 'content-type': 'application/json', ...headers },
    });
    if (answer.status === 500) this.failedRequests.push(answer.headers.get('x-request-id')!);
    return answer;
  }
}
