import { readFileSync } from 'node:fs';
import {
  EventDestinationsSettings,
  SASL_MECHANISMS,
  type EventDestinationCredentials,
  type EventDestination,
} from '#contexts/webhooks/domain/destinations/event-destination.js';
import type { SettingReader } from '#shared/platform/setting-reader.js';
import type { ProcessSettings } from './process-settings.js';

const MAX_DESTINATIONS = 8;
const DESTINATION_BY_SCHEME: Readonly<Record<string, Pick<EventDestination, 'kind' | 'isEncrypted'>>> = {
  nats: { kind: 'nats', isEncrypted: false },
  tls: { kind: 'nats', isEncrypted: true },
  kafka: { kind: 'kafka', isEncrypted: false },
  'kafka+tls': { kind: 'kafka', isEncrypted: true },
};
const BROKERS_BY_SECRET_FIELD: Readonly<
  Record<keyof EventDestinationCredentials, readonly EventDestination['kind'][]>
> = {
  user: ['nats', 'kafka'],
  password: ['nats', 'kafka'],
  mechanism: ['kafka'],
  token: ['nats'],
  creds: ['nats'],
  ca: ['nats', 'kafka'],
  certificate: ['nats', 'kafka'],
  key: ['nats', 'kafka'],
};

export function readEventDestinations(
  reader: SettingReader,
  { environment, publicUrl }: Pick<ProcessSettings, 'environment' | 'publicUrl'>,
): EventDestinationsSettings {
  const addresses = reader.parse('EVENT_DESTINATION_URLS', parseEventDestinations, '') ?? [];
  const secrets = reader.parse('EVENT_DESTINATION_SECRETS_FILE', readSecretsFile, '') ?? {};
  const problem = (sentence: string) => reader.addProblem(`EVENT_DESTINATION_SECRETS_FILE: ${sentence}`);
  for (const name of Object.keys(secrets))
    if (!addresses.some((each) => each.name === name))
      problem(`${name} is not one of the names in EVENT_DESTINATION_URLS.`);
  const destinations = addresses.map((address) => {
    const secret = secrets[address.name] ?? {};
    for (const sentence of findSecretProblems(secret, address)) problem(sentence);
    if (environment !== 'development' && !address.isEncrypted)
      reader.addProblem(
        `EVENT_DESTINATION_URLS: ${address.name} would send events unencrypted. Begin its URL with ` +
          'tls:// or kafka+tls://.',
      );
    return { ...address, secret };
  });
  return new EventDestinationsSettings(destinations, publicUrl);
}

/** Form: `name=nats://host,host/prefix name=kafka://host:port/topic`. */
export function parseEventDestinations(list: string): EventDestination[] {
  const destinations = list.split(/\s+/).flatMap((entry) => (entry === '' ? [] : [parseDestination(entry)]));
  if (destinations.length > MAX_DESTINATIONS)
    throw new Error(`must name at most ${MAX_DESTINATIONS} destinations.`);
  const names = destinations.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw new Error(`names ${twice} twice.`);
  return destinations;
}

function parseDestination(entry: string): EventDestination {
  const [, name, scheme = '', hosts = '', prefix = ''] =
    /^([^=]*)=([a-z+]+):\/\/([^/]*)\/(.*)$/.exec(entry) ?? [];
  if (name === undefined || !/^[a-z0-9-]{1,32}$/.test(name))
    throw new Error('must be a list like name=nats://host:port/prefix. Names may contain a-z, 0-9 and -.');
  const found = DESTINATION_BY_SCHEME[scheme];
  if (found === undefined)
    throw new Error(`${name} must begin with ${Object.keys(DESTINATION_BY_SCHEME).join(':// or ')}://.`);
  if (hosts.includes('@'))
    throw new Error(
      `${name} must not have a user or password in its URL. Set them in EVENT_DESTINATION_SECRETS_FILE.`,
    );
  const standard = found.kind === 'nats' ? 4222 : 9092;
  const servers = hosts.split(',').map((host) => {
    const [, own, port] = /^([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\])(?::(\d{1,5}))?$/.exec(host) ?? [];
    if (own === undefined || Number(port ?? 1) > 65_535 || Number(port ?? 1) < 1)
      throw new Error(`${name} must have hosts such as broker.example:${standard}, separated by commas.`);
    return `${own}:${port ?? standard}`;
  });
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(prefix) || prefix.length > 200)
    throw new Error(
      `${name} must end in /${found.kind === 'nats' ? 'the beginning of its subjects' : 'its topic'}: ` +
        'letters, digits, - and _, separated by dots.',
    );
  return { name, ...found, servers, prefix, secret: {} };
}

function readSecretsFile(file: string): Record<string, EventDestinationCredentials> {
  if (file === '') return {};
  const content = parseJsonFile(file);
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(content) || !Object.values(content as object).every(isObject))
    throw new Error('must contain a JSON object with one object for each destination.');
  return content as Record<string, EventDestinationCredentials>;
}

/** Parser errors quote the input, which may contain a secret. */
function parseJsonFile(file: string): unknown {
  let code: string | undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    ({ code } = error as NodeJS.ErrnoException);
  }
  throw new Error(code === undefined ? 'must contain JSON.' : `must be a readable file: ${code}.`);
}

function findSecretProblems(secret: EventDestinationCredentials, { name, kind }: EventDestination): string[] {
  const wrong = Object.entries(secret).flatMap(([field, value]) => {
    const kinds = Object.hasOwn(BROKERS_BY_SECRET_FIELD, field)
      ? BROKERS_BY_SECRET_FIELD[field as keyof EventDestinationCredentials]
      : [];
    if (!kinds.includes(kind))
      return [`${name}.${field} is not a secret of a destination of the kind ${kind}.`];
    return typeof value === 'string' && value !== '' ? [] : [`${name}.${field} must be a string.`];
  });
  if ((secret.user === undefined) !== (secret.password === undefined))
    wrong.push(`${name} must have user and password together.`);
  if ((secret.certificate === undefined) !== (secret.key === undefined))
    wrong.push(`${name} must have certificate and key together.`);
  const { mechanism } = secret;
  if (mechanism !== undefined && !SASL_MECHANISMS.includes(mechanism))
    wrong.push(`${name}.mechanism must be one of ${SASL_MECHANISMS.join(', ')}.`);
  return wrong;
}
