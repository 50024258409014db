import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { ResealAuthenticators } from '#contexts/identity/infrastructure/people/persistence/authenticator-secrets.js';
import { NotificationsSettings } from '#contexts/notifications/application/notifications-settings.js';
import { ChatChannels } from '#contexts/notifications/infrastructure/persistence/chat-channels.js';
import { ResealWebhookSecrets } from '#contexts/webhooks/infrastructure/registration/persistence/aes-webhook-secrets.js';
import { newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { SecretBox } from '#shared/platform/secrets/secret-box.js';
import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import { runCommand } from '../testing/run-command.js';

const WEBHOOKS = 250;
const keyOf = (id: string): KeyRingEntry => ({ id, secret: randomBytes(32) });
const [lost, old, first] = [keyOf('lost'), keyOf('old'), keyOf('first')];

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

async function rotate(ring: readonly KeyRingEntry[]) {
  const { database } = platform;
  const parts = new Map<unknown, object>([
    [Database, database],
    [ResealWebhookSecrets, new ResealWebhookSecrets(database, new SecretBox('Webhook secrets', ring))],
    [
      ResealAuthenticators,
      new ResealAuthenticators(database, new SecretBox('Secrets of authenticator apps', ring)),
    ],
    [ChatChannels, new ChatChannels(database, new NotificationsSettings(ring))],
  ]);
  const { status, out } = await runCommand(parts, ['keys', 'rotate', '--json']);
  return { status, ...(JSON.parse(out) as object) };
}

/** @param previous true if the webhook also has a secret from before a rotation */
async function webhook(ring: readonly KeyRingEntry[], previous = false): Promise<string> {
  const id = newId<string>();
  const box = new SecretBox('Webhook secrets', ring);
  const [present, before] = [box.encrypt(id, `present of ${id}`), box.encrypt(id, `previous of ${id}`)];
  await platform.database.query(
    `INSERT INTO webhooks.webhooks (id, organization_id, account_id, url, event_type, secret_key_id, sealed_secret,
       previous_secret_key_id, previous_sealed_secret, previous_secret_until, active, deleted_at)
     VALUES ($1, $1, $1, 'https://shop.example/hook', 'payment_request', $2, $3, $4, $5, $6, false, now())`,
    [
      ...[id, present.keyId, present.bytes],
      ...(previous ? [before.keyId, before.bytes, new Date()] : [null, null, null]),
    ],
  );
  return id;
}

async function opened(id: string, ring: readonly KeyRingEntry[]) {
  const box = new SecretBox('Webhook secrets', ring);
  const [row] = await platform.database.query<Record<string, string & Buffer>>(
    'SELECT secret_key_id, sealed_secret, previous_secret_key_id, previous_sealed_secret FROM webhooks.webhooks WHERE id = $1',
    [id],
  );
  const sealed = [
    { keyId: row!.secretKeyId!, bytes: row!.sealedSecret! },
    { keyId: row!.previousSecretKeyId!, bytes: row!.previousSealedSecret! },
  ];
  return sealed.map((one) => (one.keyId === null ? null : box.decrypt(id, one)));
}

describe('The command "keys rotate"', () => {
  it('encrypts all secrets with the first key, and skips those that it cannot read', async () => {
    const ids: string[] = [];
    for (let n = 0; n < WEBHOOKS; n += 1) ids.push(await webhook([old], n === 0));
    const unreadable = await webhook([lost]);
    const fresh = await webhook([first]);
    const person = newId<string>();
    await platform.database.query(
      `INSERT INTO identity.organizations (id, name, created_at, updated_at) VALUES ($1, 'Shop', now(), now())`,
      [person],
    );
    await platform.database.query(
      `INSERT INTO identity.collaborators (id, organization_id, email, name, role, password_hash, created_at, updated_at)
       VALUES ($1, $1, 'anna@shop.example', 'Anna', 'owner', '$argon2id$', now(), now())`,
      [person],
    );
    platform.makesUp(['collaborators-are-as-audited', 'organization-has-an-account']);
    const app = new SecretBox('Secrets of authenticator apps', [old]).encrypt(person, 'totp secret');
    await platform.database.query(
      `INSERT INTO identity.authenticators (id, collaborator_id, key_id, sealed_secret, confirmed_at, created_at)
       VALUES ($1, $1, $2, $3, now(), now())`,
      [person, app.keyId, app.bytes],
    );

    expect(await rotate([first, old])).toEqual({
      status: 1,
      webhook_secrets: { resealed: WEBHOOKS + 1, unreadable: 1 },
      authenticator_secrets: { resealed: 1, unreadable: 0 },
      chat_channels: { resealed: 0, unreadable: 0 },
    });

    expect(await opened(ids[0]!, [first])).toEqual([`present of ${ids[0]}`, `previous of ${ids[0]}`]);
    for (const id of [...ids.slice(1), fresh])
      expect(await opened(id, [first])).toEqual([`present of ${id}`, null]);
    expect(await opened(unreadable, [lost])).toEqual([`present of ${unreadable}`, null]);
    const [row] = await platform.database.query<{ keyId: string; bytes: Buffer }>(
      'SELECT key_id AS "keyId", sealed_secret AS bytes FROM identity.authenticators',
    );
    expect(new SecretBox('Secrets of authenticator apps', [first]).decrypt(person, row!)).toBe('totp secret');
    expect(await rotate([first])).toEqual({
      status: 1,
      webhook_secrets: { resealed: 0, unreadable: 1 },
      authenticator_secrets: { resealed: 0, unreadable: 0 },
      chat_channels: { resealed: 0, unreadable: 0 },
    });
    expect(await rotate([first, lost])).toMatchObject({ status: 0, webhook_secrets: { resealed: 1 } });
  });
});
