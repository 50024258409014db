import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { DeploymentCell } from '#shared/kernel/deployment-cell.js';
import { SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { JsonLogger } from '#shared/platform/logging/logger.js';
import { connectToDatabase } from './composition.js';
import { startFailureSentence } from '#shared/platform/setting-reader.js';
import type { ProcessSettings } from './settings/process-settings.js';
import type { Settings } from './settings/settings.js';

describe('Connecting to the database', () => {
  let platform: TestPlatform;
  beforeEach(async () => void (platform = await openTestDatabase()));
  afterEach(() => platform.close());

  const settings = (environment: ProcessSettings['environment']): Settings => ({
    process: {
      environment,
      cell: new DeploymentCell(),
      ...{ databaseUrl: platform.url, stateDirectory: undefined, databasePoolSize: 2 },
      ...({
        databasePooler: 'none',
        databaseReplica: undefined,
        httpHost: '127.0.0.1',
        httpPort: 3000,
      } as const),
      ...{ drainSeconds: 0, keepAliveSeconds: 75, metrics: undefined, tracing: undefined },
      ...({ publicUrl: 'https://api.example', logLevel: 'silent' } as const),
      docsExamples: {},
    },
    signingKeys: { token: new SigningKeyRing([]), naspip: new SigningKeyRing([]) },
    contexts: [],
  });
  const opens = async (environment: ProcessSettings['environment']): Promise<string> => {
    try {
      const logger = new JsonLogger({ level: 'silent' });
      await (await connectToDatabase('worker', settings(environment), logger)).destroy();
      return 'opened';
    } catch (error) {
      return startFailureSentence(error);
    }
  };

  it('rejects a database whose clock was moved, except in development', async () => {
    expect([await opens('development'), await opens('production')]).toEqual(['opened', 'opened']);
    await platform.advance(1);

    expect(await opens('development')).toBe('opened');
    expect(await opens('production')).toContain('clock was moved');
  });

  it('suggests to migrate if the schema is missing', async () => {
    await platform.database.query('DROP SCHEMA platform CASCADE');

    const sentence = await opens('production');
    await platform.close('any').catch(() => undefined);
    platform = await openTestDatabase();

    expect(sentence).toContain('migrate');
  });
});
