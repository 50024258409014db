import { resolve } from 'node:path';
import { SettingReader } from '#shared/platform/setting-reader.js';

type Values = Readonly<Record<string, string | undefined>>;

export interface SandboxSettings {
  /** Absolute path. */
  readonly directory: string;
  readonly postgresPort: number;
  readonly chainPort: number;
  /** Port of the wallet that checkout pages use to pay. */
  readonly walletPort: number;
  readonly bitcoinPort: number;
  readonly bitcoinBlockSeconds: number;
  /** URL of the user's own regtest node, used instead of btcd. */
  readonly bitcoinRpc?: string;
  readonly tronPort: number;
  readonly tronBlockSeconds: number;
  readonly httpHost: string;
  readonly httpPort: number;
  readonly publicUrl: string;
  /** The user's own PostgreSQL, used instead of the embedded server. */
  readonly databaseUrl?: string;
  /** Absolute path of the user's own networks file, used instead of the sandbox chain. */
  readonly networksFile?: string;
  /** The user's settings, passed on to the processes of the service. */
  readonly environment: Readonly<Record<string, string>>;
}

export function readSandboxSettings(values: Values): SandboxSettings {
  const reader = new SettingReader(values);
  const port = (name: string, fallback: number) => reader.integer(name, { min: 1, max: 65_535, fallback });
  const environment = reader.choice('SERVICE_ENV', ['development', 'staging', 'production'], 'development');
  if (environment !== 'development') {
    reader.addProblem(
      `SERVICE_ENV is ${environment}, and the sandbox is for development only: its keys and its chain are toys. ` +
        'Unset SERVICE_ENV (see also .env), or run the service itself with node dist/main.js and node dist/worker.js.',
    );
  }
  const httpPort = port('HTTP_PORT', 3000);
  const httpHost = reader.text('HTTP_HOST', '127.0.0.1');
  const databaseUrl = given(values, 'DATABASE_URL') && reader.databaseUrl('DATABASE_URL');
  const networksFile = given(values, 'NETWORKS_FILE');
  const bitcoinRpc =
    given(values, 'SANDBOX_BITCOIN_RPC') && reader.url('SANDBOX_BITCOIN_RPC', ['http', 'https']);
  const settings: SandboxSettings = {
    directory: resolve(reader.text('SANDBOX_DIRECTORY', '.sandbox')),
    postgresPort: port('SANDBOX_POSTGRES_PORT', 54_329),
    chainPort: port('SANDBOX_CHAIN_PORT', 8546),
    walletPort: port('SANDBOX_WALLET_PORT', 8547),
    bitcoinPort: port('SANDBOX_BITCOIN_PORT', 8548),
    bitcoinBlockSeconds: reader.integer('SANDBOX_BITCOIN_BLOCK_SECONDS', {
      min: 1,
      max: 3_600,
      fallback: 10,
    }),
    tronPort: port('SANDBOX_TRON_PORT', 8549),
    tronBlockSeconds: reader.integer('SANDBOX_TRON_BLOCK_SECONDS', { min: 1, max: 60, fallback: 1 }),
    ...(bitcoinRpc && { bitcoinRpc }),
    httpHost,
    httpPort,
    publicUrl: reader
      .url('PUBLIC_URL', ['http', 'https'], localUrl({ httpHost, httpPort }))
      .replace(/\/$/, ''),
    ...(databaseUrl && { databaseUrl }),
    ...(networksFile && { networksFile: resolve(networksFile) }),
    environment: Object.fromEntries(
      Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])),
    ),
  };
  reader.requireValid();
  return settings;
}

/** The API's URL on this machine. Unspecified addresses become the loopback address. */
export function localUrl({ httpHost, httpPort }: Pick<SandboxSettings, 'httpHost' | 'httpPort'>): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[httpHost] ?? httpHost;
  return `http://${host.includes(':') ? `[${host}]` : host}:${httpPort}`;
}

function given(values: Values, name: string): string | undefined {
  return values[name]?.trim() || undefined;
}
