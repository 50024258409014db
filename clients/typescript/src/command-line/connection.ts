import { existsSync, readFileSync } from 'node:fs';
import { PaymentCollectionClient } from '../payment-collection-client.js';
import { CommandFailed } from './command-failed.js';

/** Fields of `sandbox.json` that the commands use. */
export interface SandboxFile {
  readonly api_url: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly account_id: string;
  readonly pos_id: string;
  readonly native_pos_id: string | null;
  readonly networks: readonly { assets: readonly SandboxAsset[] }[];
  readonly payer: { readonly address: string } | null;
  readonly wallet_url: string | null;
}
export interface SandboxAsset {
  readonly symbol: string;
  readonly unique_asset_id: string;
  readonly decimals: number;
}

export interface Connection {
  readonly client: PaymentCollectionClient;
  /** Sandbox of the credential; absent if the credential comes from the environment. */
  readonly sandbox?: SandboxFile;
}

const DEFAULT_FILE = '.sandbox/sandbox.json';

/**
 * Connects with the credential of the given sandbox file, of the environment, or of the sandbox file at the default path, in this order.
 * @throws CommandFailed
 */
export function connect(file: string | undefined): Connection {
  const isInEnvironment = process.env['PAYMENT_COLLECTION_URL'] !== undefined;
  if (file === undefined && (isInEnvironment || !existsSync(DEFAULT_FILE))) {
    try {
      return { client: PaymentCollectionClient.fromEnvironment() };
    } catch (error) {
      throw new CommandFailed(
        `${(error as Error).message} Set PAYMENT_COLLECTION_URL, PAYMENT_COLLECTION_API_KEY and ` +
          `PAYMENT_COLLECTION_API_SECRET, or specify the file of a sandbox with --sandbox ${DEFAULT_FILE}`,
      );
    }
  }
  const sandbox = readSandbox(file ?? DEFAULT_FILE);
  const { api_url: baseUrl, api_key: apiKey, api_secret: apiSecret } = sandbox;
  return { client: new PaymentCollectionClient({ baseUrl, apiKey, apiSecret }), sandbox };
}

/** Returns the given account, the sandbox's account, or the organization's first account. @throws CommandFailed, PaymentCollectionError */
export async function findAccountId(
  { client, sandbox }: Connection,
  named: string | undefined,
): Promise<string> {
  const known = named ?? sandbox?.account_id;
  if (known !== undefined) return known;
  for await (const { id } of client.list('/v1/account', { pageSize: 1 })) return id;
  throw new CommandFailed('The organization has no account. Create one first.');
}

/** @throws CommandFailed if the connection has no sandbox wallet */
export function requireWallet({ sandbox }: Connection): SandboxFile & { wallet_url: string } {
  if (sandbox?.wallet_url == null) {
    throw new CommandFailed(
      'This command needs the wallet of a sandbox with its own chain. Start one with npm start, and specify its file with --sandbox.',
    );
  }
  return { ...sandbox, wallet_url: sandbox.wallet_url };
}

function readSandbox(file: string): SandboxFile {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxFile;
  } catch (error) {
    throw new CommandFailed(`${file} is not a sandbox file: ${(error as Error).message}.`);
  }
}
