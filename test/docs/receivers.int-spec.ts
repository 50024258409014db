import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJson } from '#shared/kernel/canonical-json.js';
import { newAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '../support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { openTestDatabase, type TestPlatform } from '../support/open-database.js';

interface Language {
  readonly name: string;
  /** Answers its version where it is installed. */
  readonly interpreter: string;
  args(port: number): string[];
  /** How it answers what is signed but no Unicode text; PHP's parser refuses it. */
  readonly halves: 200 | 401;
}

const place = (file: string) => join(process.cwd(), 'docs/receivers', file);
const LOADER = join(process.cwd(), 'test/support/typescript-loader.mjs');
const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    interpreter: process.execPath,
    args: () => ['--import', LOADER, place('verify-webhook.ts')],
    halves: 200,
  },
  { name: 'Python', interpreter: 'python3', args: () => [place('verify_webhook.py')], halves: 200 },
  {
    name: 'PHP',
    interpreter: 'php',
    args: (port) => ['-S', `127.0.0.1:${port}`, place('verify_webhook.php')],
    halves: 401,
  },
];

/** References that languages escape, order or count differently. */
const REFERENCES = ['Ñ/"😀', 'line\u2028separator\u2029', '𐀀\uFFFD𝔘', 'a\u007f\\\b\f\n\r\t\u001f', '10'];

/** Bodies as others may spell them, which stay the values that were signed. */
const SPELLINGS = [
  '{ "data" : { "b" : 1.0, "a" : [ ] , "c" : { } } }',
  '{"data":{"10":1,"9":2,"Z":3,"a":4,"":5}}',
  '{"data":{"\\uFFFD":1,"😀":2,"\\uE000":3,"é":4,"e":5}}',
  '{"data":{"n":[9007199254740993,18446744073709551616,-123456789.125,1E400,3.0e+2,1.25e-9]}}',
];

/**
 * In canonical form. A receiver refuses what its language cannot take: PHP's parser and Python's end at a depth, Node.js
 * parses it and runs out of stack where it is spelled anew.
 */
const nested = (depth: number) => `{"data":{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}}`;

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;
let worker: { stop(): Promise<void> };

beforeAll(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform);
  worker = fixture.startWorker();
});
afterAll(async () => {
  await worker.stop();
  await platform.close();
});

for (const language of LANGUAGES) {
  const isInstalled = spawnSync(language.interpreter, ['--version']).status === 0;
  if (!isInstalled) {
    process.stderr.write(
      `Skipped: the receiver in ${language.name}, because ${language.interpreter} is not installed.\n`,
    );
  }

  (isInstalled ? describe : describe.skip)(`The receiver in ${language.name}`, () => {
    const account = newAccount();
    let url: string;
    let webhook: { id: string; secret: string };
    let program: ChildProcess;

    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}/hooks`;
      webhook = await fixture.register(account, url);
      const { PATH } = process.env;
      program = spawn(language.interpreter, language.args(port), {
        // Two, as while a secret is being rotated.
        env: { PATH, PORT: String(port), WEBHOOK_SECRET: `whsec_of-before ${webhook.secret}` },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      program.stderr!.resume();
      const answers = () => fetch(url, { method: 'POST' }).then(Boolean, () => false);
      await eventually(answers);
    });
    afterAll(async () => {
      program.kill('SIGKILL');
      if (program.exitCode === null && program.signalCode === null) await once(program, 'exit');
    });

    const post = async (body: string, signature: string, timestamp: number | string) => {
      const headers = {
        'content-type': 'application/json',
        'x-request-signature': signature,
        'x-request-timestamp': String(timestamp),
      };
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    const sign = (canonical: string, timestamp: number, secret = webhook.secret) =>
      createHmac('sha256', secret).update(`${timestamp}.${canonical}`).digest('hex');
    const now = () => Math.floor(Date.now() / 1000);

    it('acknowledges the deliveries of the service, for any reference', async () => {
      await fixture.happen(...REFERENCES.map((referenceId) => statusChanged(account, { referenceId })));

      const statuses = async () =>
        (
          await fixture.rows<{ status: string }>(
            'SELECT status FROM webhooks.deliveries WHERE webhook_id = $1',
            [webhook.id],
          )
        ).map(({ status }) => status);
      // On a busy machine one may be answered too late, and is sent again 5 seconds later.
      await eventually(async () => !(await statuses()).includes('pending'));
      expect(await statuses()).toEqual(REFERENCES.map(() => 'delivered'));
      const answers = await fixture.rows(
        `SELECT DISTINCT http_status FROM webhooks.delivery_attempts
         WHERE webhook_id = $1 AND http_status IS NOT NULL`,
        [webhook.id],
      );
      expect(answers).toEqual([{ httpStatus: 200 }]);
    });

    it.each(SPELLINGS)('accepts the signed value in another spelling: %s', async (body) => {
      const at = now();

      expect(await post(body, sign(canonicalJson(JSON.parse(body)), at), at)).toBe(200);
    });

    it(`${language.halves === 200 ? 'accepts' : 'rejects'} half a surrogate pair, which the service never sends`, async () => {
      const body = '{"data":{"reference":"\\ud83d"}}';
      const at = now();

      expect(await post(body, sign(body, at), at)).toBe(language.halves);
    });

    it('rejects unsigned, changed and old deliveries', async () => {
      const body = '{"data":{"status":"completed"}}';
      const at = now();
      const good = sign(body, at);

      expect({
        good: await post(body, good, at),
        anotherBody: await post(body.replace('completed', 'overpaid'), good, at),
        anotherSecret: await post(body, sign(body, at, `${webhook.secret}x`), at),
        anotherTimestamp: await post(body, good, at + 1),
        tooOld: await post(body, sign(body, at - 301), at - 301),
        unsigned: await post(body, '', at),
        notJson: await post('{', sign('{', at), at),
        deep: await post(nested(200), sign(nested(200), at), at),
        tooDeep: await post(nested(30_000), sign(nested(30_000), at), at),
        afterwards: await post(body, good, at),
        tooLarge: await post(`{"data":"${'x'.repeat(70_000)}"}`, good, at).catch(() => 401),
      }).toEqual({
        good: 200,
        anotherBody: 401,
        anotherSecret: 401,
        anotherTimestamp: 401,
        tooOld: 401,
        unsigned: 401,
        notJson: 401,
        deep: 200,
        tooDeep: 401,
        afterwards: 200,
        tooLarge: 401,
      });
    });
  });
}
