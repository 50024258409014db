import { type CanActivate, type ExecutionContext, Global, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '../../../../../test/support/open-database.js';
import { newId, type AccountId, type OrganizationId, type WebhookId } from '../../../../shared/kernel/ids.js';
import { Database } from '../../../../shared/platform/database/database.js';
import { configureHttp } from '../../../../shared/platform/http/http-application.js';
import type { Principal, ProvenRequest } from '../../../../shared/platform/http/principal.js';
import { ORGANIZATION_SCOPE_ROUTE } from '../../../../shared/platform/http/route-markers.js';
import { JsonLogger } from '../../../../shared/platform/logging/logger.js';
import { AccountDirectory } from '../../../identity/contract/account-directory.js';
import { WebhookSecrets } from '../../domain/webhook-secrets.js';
import { anAccount } from '../../testing/delivery-bench.js';
import { StatedResolver } from '../../testing/stated-resolver.js';
import { WebhooksModule } from '../../webhooks.module.js';
import { HostResolver } from '../delivery/host-resolver.js';
import { WebhooksSettings } from '../webhooks-settings.js';
import { WebhookController } from './webhook.controller.js';

const home = anAccount();
const resolver = new StatedResolver();
resolver.state('shop.example', '93.184.215.14');
resolver.state('inner.example', '93.184.215.14', '10.0.0.7');
resolver.hang('slow.example');

class OneAccount extends AccountDirectory {
  override async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return account === home.accountId && organization === home.organizationId;
  }
}

/** Stands where identity's guard does, with a caller of the whole organization. */
class ProvenCaller implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const principal = { scope: { organizationId: home.organizationId, accountId: null } } as Principal;
    context.switchToHttp().getRequest<ProvenRequest>().principal = principal;
    return true;
  }
}

let platform: TestPlatform;
let app: NestExpressApplication;
let url: string;

beforeAll(async () => {
  platform = await openTestDatabase();
  const settings = new WebhooksSettings({
    secretKeys: [{ id: 'test', secret: randomBytes(32) }],
    allowLoopbackHttp: false,
  });
  @Global()
  @Module({
    providers: [
      { provide: Database, useValue: platform.database },
      { provide: AccountDirectory, useClass: OneAccount },
      { provide: WebhooksSettings, useValue: settings },
      { provide: APP_GUARD, useClass: ProvenCaller },
    ],
    exports: [Database, AccountDirectory, WebhooksSettings],
  })
  class Surroundings {}
  @Module({ imports: [Surroundings, WebhooksModule] })
  class Application {}

  const logger = new JsonLogger({
    level: 'error',
    destination: new Writable({ write: (_c, _e, done) => done() }),
  });
  app = await NestFactory.create<NestExpressApplication>(Application, { bodyParser: false, logger });
  (app.get(HostResolver) as { addresses: HostResolver['addresses'] }).addresses = (host) =>
    resolver.addresses(host);
  configureHttp(app, { logger });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(async () => {
  await app.close();
  await platform.close();
});

async function register(body: unknown, accountId: string = home.accountId) {
  const response = await fetch(`${url}/v1/account/${accountId}/webhook`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { httpStatus: response.status, ...((await response.json()) as Record<string, unknown>) };
}

const valid = { url: 'https://shop.example:8443/hooks?shop=1', event_type: 'payment_request' };

describe('Registering a webhook', () => {
  it('answers its fields with the secret, and stores the secret only sealed', async () => {
    const answer = await register({ ...valid, description: 'Order system' });

    const { id, secret, created_at } = (answer as unknown as { data: Record<string, string> }).data;
    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        account_id: home.accountId,
        url: valid.url,
        event_type: 'payment_request',
        description: 'Order system',
        active: true,
        failing: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: created_at,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
      },
    });
    const [row] = await platform.database.query<{
      organization_id: string;
      secret_key_id: string;
      sealed_secret: Buffer;
    }>('SELECT * FROM webhooks.webhooks WHERE id = $1', [id]);
    expect(row!.organization_id).toBe(home.organizationId);
    expect(JSON.stringify(row)).not.toContain(secret);
    const sealed = { keyId: row!.secret_key_id, bytes: row!.sealed_secret };
    expect(app.get(WebhookSecrets).open(id as WebhookId, sealed)).toBe(secret);
  });

  it.each(['payment_request', 'incoming_transfer', 'refund'])(
    'takes the event type %s',
    async (event_type) => {
      expect(await register({ ...valid, event_type })).toMatchObject({
        httpStatus: 200,
        data: { event_type },
      });
    },
  );

  it('takes the account id in upper case too', async () => {
    expect(await register(valid, home.accountId.toUpperCase())).toMatchObject({
      data: { account_id: home.accountId },
    });
  });

  it.each([
    [{ url: 'http://shop.example/' }, 'url', 'https'],
    [{ url: 'https://127.0.0.1/' }, 'url', 'public_address'],
    [{ url: 'https://[::ffff:7f00:1]/' }, 'url', 'public_address'],
    [{ url: 'https://inner.example/' }, 'url', 'public_address'],
    [{ url: 'https://unknown.example/' }, 'url', 'resolvable'],
    [{ url: 'https://slow.example/' }, 'url', 'resolvable'],
    [{ url: 'https://user:pass@shop.example/' }, 'url', 'no_credentials'],
    [{ url: `https://shop.example/${'a'.repeat(2_100)}` }, 'url', 'max_length'],
    [{ url: 'https://shop.example/a b' }, 'url', 'url'],
    [{ url: '' }, 'url', 'url'],
    [{ url: 7 }, 'url', 'string'],
    [{ url: undefined }, 'url', 'required'],
    [{ event_type: 'payment' }, 'event_type', 'in'],
    [{ description: '' }, 'description', 'text'],
    [{ secret: 'mine' }, 'secret', 'unknown_field'],
  ])('refuses %j, naming %s and the rule %s', async (change, field, rule) => {
    const answer = await register({ ...valid, ...change });

    expect(answer).toMatchObject({ httpStatus: 400, status: 'error', errors: [{ field, rule }] });
  });

  it.each([
    ['another organization’s account, or none', newId<string>()],
    ['what is no id', 'mine'],
    ['what is nearly an id', `${home.accountId}0`],
  ])('refuses %s in the same words', async (_, accountId) => {
    const { request_id: _id, ...answer } = (await register(valid, accountId)) as Record<string, unknown>;

    expect(answer).toEqual({
      httpStatus: 403,
      status: 'error',
      code: 'account_not_allowed',
      message: expect.any(String),
    });
  });

  it('is marked for credentials of a whole organization', () => {
    expect(Reflect.getMetadata(ORGANIZATION_SCOPE_ROUTE, WebhookController.prototype.register)).toBe(true);
  });
});
