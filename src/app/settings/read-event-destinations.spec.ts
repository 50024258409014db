import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { EventDestinationsSettings } from '#contexts/webhooks/domain/destinations/event-destination.js';
import { readSettings } from './settings.js';
import { COMPLETE_SETTINGS, PRODUCTION_SETTINGS, findSettingsProblems } from './testing/complete-settings.js';

const folder = mkdtempSync(join(tmpdir(), 'destinations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const URLS = 'teams=nats://one,two:4333/payments  warehouse=kafka+tls://[::1]:9093/shop.events-v1';

/** Returns settings that refer to a new file of destination secrets. */
function withSecrets(content: unknown, urls = URLS): Record<string, string> {
  const file = join(folder, 'secrets.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { EVENT_DESTINATION_URLS: urls, EVENT_DESTINATION_SECRETS_FILE: file };
}

function destinationsOf(values: Record<string, string>) {
  const { contexts } = readSettings({ ...COMPLETE_SETTINGS, ...values });
  return contexts.find((each) => each instanceof EventDestinationsSettings)!.destinations;
}

describe('The list of event destinations', () => {
  it('is empty by default, and contains each destination with its secret', () => {
    const secret = { user: 'service', password: 'pass word', mechanism: 'PLAIN' };

    expect(destinationsOf({})).toEqual([]);
    expect(destinationsOf(withSecrets({ warehouse: secret }))).toEqual([
      {
        ...{ name: 'teams', kind: 'nats', isEncrypted: false, prefix: 'payments', secret: {} },
        servers: ['one:4222', 'two:4333'],
      },
      {
        ...{ name: 'warehouse', kind: 'kafka', isEncrypted: true, prefix: 'shop.events-v1', secret },
        servers: ['[::1]:9093'],
      },
    ]);
  });

  it.each([
    ['nats://one/payments', 'must be a list like name=nats://host:port/prefix'],
    ['teams=amqp://one/payments', 'teams must begin with nats:// or tls:// or kafka:// or kafka+tls://'],
    ['teams=nats://me:secret@one/payments', 'teams must not have a user or password in its URL'],
    ['teams=nats://one/payments.>', 'must end in /the beginning of its subjects'],
    ['teams=kafka://one:99999/payments', 'must have hosts such as broker.example:9092'],
    ['Teams=nats://one/payments', 'Names may contain a-z, 0-9 and -'],
    ['teams=nats://one:0/payments', 'must have hosts such as broker.example:4222'],
    [`teams=nats://one/${'a'.repeat(201)}`, 'must end in /the beginning of its subjects'],
    ['teams=nats://one/a teams=nats://two/b', 'names teams twice'],
    [Array.from({ length: 9 }, (_, n) => `n${n}=nats://one/a`).join(' '), 'at most 8'],
  ])('rejects an invalid destination: %s', (EVENT_DESTINATION_URLS, sentence) => {
    const problems = findSettingsProblems({ ...COMPLETE_SETTINGS, EVENT_DESTINATION_URLS });

    expect(problems).toMatch(/^EVENT_DESTINATION_URLS/);
    expect(problems).toContain(sentence);
    expect(problems).not.toContain('secret@');
  });

  it.each([
    ['{"teams":', 'must contain JSON'],
    [{ teams: 'secret' }, 'must contain a JSON object with one object for each destination'],
    [{ others: {} }, 'others is not one of the names'],
    [{ teams: { mechanism: 'PLAIN' } }, 'teams.mechanism is not a secret of a destination of the kind nats'],
    [{ warehouse: { token: 'secret' } }, 'warehouse.token is not a secret'],
    [{ teams: { user: 'secret' } }, 'teams must have user and password together'],
    [{ warehouse: { user: 'a', password: 'secret', mechanism: 'MD5' } }, 'must be one of SCRAM-SHA-512'],
  ])('rejects invalid secrets without showing them: %j', (content, sentence) => {
    const problems = findSettingsProblems({ ...COMPLETE_SETTINGS, ...withSecrets(content) });

    expect(problems).toMatch(/^EVENT_DESTINATION_SECRETS_FILE/);
    expect(problems).toContain(sentence);
    expect(problems).not.toMatch(/secret"|: secret/);
  });

  it('accepts eight destinations with the highest port and the longest prefix', () => {
    const urls = Array.from({ length: 8 }, (_, n) => `n${n}=nats://one:65535/${'a'.repeat(200)}`);

    expect(destinationsOf({ EVENT_DESTINATION_URLS: urls.join(' ') })).toHaveLength(8);
  });

  it('requires TLS outside development', () => {
    const problemsWith = (urls: string) =>
      findSettingsProblems({ ...PRODUCTION_SETTINGS, EVENT_DESTINATION_URLS: urls });

    expect(findSettingsProblems({ ...COMPLETE_SETTINGS, EVENT_DESTINATION_URLS: URLS })).toBe('');
    expect(problemsWith(URLS)).toContain('teams would send events unencrypted');
    expect(problemsWith(URLS.replace('nats', 'tls'))).toBe('');
  });
});
