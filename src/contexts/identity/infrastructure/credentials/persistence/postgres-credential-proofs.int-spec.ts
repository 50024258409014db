import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityApi } from '#contexts/identity/testing/identity-api.js';
import type { Credential } from '#contexts/identity/domain/credentials/credential.js';
import { Credentials } from '#contexts/identity/domain/credentials/credential.js';
import { Database } from '#shared/platform/database/database.js';
import { PostgresCredentialProofs } from './postgres-credential-proofs.js';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));

let api: IdentityApi;
let credential: Credential;
beforeAll(async () => {
  api = await IdentityApi.start();
  const { organization } = await api.organization();
  ({ credential } = await api.credential({ organizationId: organization.id }));
});
afterAll(() => api.close());

const lastUsed = async () =>
  (await api.app.get(Credentials).read(credential.organizationId, credential.id)).lastUsedAt;

describe('The last use of a credential', () => {
  it('keeps the latest time when replicas store it out of order', async () => {
    const [one, other] = [0, 1].map(() => new PostgresCredentialProofs(api.app.get(Database)));
    one!.noteUse(credential.id, at(9));
    other!.noteUse(credential.id, at(5));

    await one!.writeUse();
    await other!.writeUse();

    expect(await lastUsed()).toEqual(at(9));
  });

  it('stores the newest use after the database was unavailable', async () => {
    const database = api.app.get(Database);
    let isDown = true;
    const proofs: PostgresCredentialProofs = new PostgresCredentialProofs({
      query: async (text: string, values: unknown[]) => {
        if (!isDown) return database.query(text, values);
        proofs.noteUse(credential.id, at(30));
        throw new Error('down');
      },
    } as unknown as Database);
    proofs.noteUse(credential.id, at(20));
    await proofs.writeUse();
    isDown = false;

    await proofs.writeUse();

    expect(await lastUsed()).toEqual(at(30));
  });
});
