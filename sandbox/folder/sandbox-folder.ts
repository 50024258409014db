import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** The one-time code is shown by `npm run operator -- totp <email>`. */
export interface DashboardOwner {
  email: string;
  password: string;
}

export interface SandboxAsset {
  symbol: string;
  unique_asset_id: string;
  decimals: number;
}

export interface SandboxNetwork {
  network: string;
  chain_id: number;
  rpc_url: string;
  assets: SandboxAsset[];
}

export interface SandboxPayer {
  address: `0x${string}`;
  private_key: `0x${string}`;
}

/** `sandbox.json`: what a program needs to use the sandbox. */
export interface SandboxFile {
  api_url: string;
  docs_url: string;
  dashboard_url: string;
  /** Who signs in to the dashboard. Null where somebody else is the Owner by now. */
  dashboard_owner: DashboardOwner | null;
  api_key: string;
  api_secret: string;
  organization_id: string;
  account_id: string;
  pos_id: string;
  /** The point of sale that takes native coins and nothing else. Null where no network lists one. */
  native_pos_id: string | null;
  /** The point of sale that takes bitcoin and nothing else. Null unless the sandbox was started with --bitcoin. */
  bitcoin_pos_id: string | null;
  networks: SandboxNetwork[];
  /** Null where the networks are the user's own: the sandbox holds no wallet there. */
  payer: SandboxPayer | null;
  /** Takes `POST /payments` for the payer, while the sandbox runs. Null without a wallet. */
  wallet_url: string | null;
  /** The page of a checkout that this start created, to be paid within its window. Null without a wallet. */
  checkout_url: string | null;
  /** The page of a checkout in bitcoin that this start created. Null without Bitcoin. */
  bitcoin_checkout_url: string | null;
  /** The page of a payment link: payable at any time. Null without a wallet. */
  payment_link_url: string | null;
  /** The payer's page of a monthly subscription that the sandbox's wallet has accepted. Null without a wallet. */
  subscription_url: string | null;
}

/** The paths of everything below the sandbox's folder. */
export class SandboxFolder {
  readonly postgres: string;
  readonly chain: string;
  readonly bitcoin: string;
  readonly networks: string;
  readonly serviceEnvironment: string;
  readonly gasKey: string;
  readonly logs: string;
  readonly lock: string;
  private readonly summary: string;

  constructor(readonly path: string) {
    this.postgres = join(path, 'postgres');
    this.chain = join(path, 'chain.json.gz');
    this.bitcoin = join(path, 'bitcoin');
    this.networks = join(path, 'networks.json');
    this.serviceEnvironment = join(path, 'service.env');
    this.gasKey = join(path, 'gas.key');
    this.logs = join(path, 'logs');
    this.lock = join(path, 'running.json');
    this.summary = join(path, 'sandbox.json');
  }

  make(): void {
    mkdirSync(this.logs, { recursive: true });
    // The folder may lie in a repository: its keys must not be committed.
    writeFileSync(join(this.path, '.gitignore'), '*\n');
  }

  /** Undefined when there is none, or none that can be read. */
  read(): SandboxFile | undefined {
    try {
      return JSON.parse(readFileSync(this.summary, 'utf8')) as SandboxFile;
    } catch {
      return undefined;
    }
  }

  write(file: SandboxFile): void {
    writeWhole(this.summary, `${JSON.stringify(file, null, 2)}\n`);
  }

  exists(): boolean {
    return existsSync(this.path);
  }

  /**
   * Deletes the sandbox's files and no others, since the folder is a setting that may name the wrong one. The database's
   * data may lie elsewhere and are not deleted.
   * @returns names of the files that are not the sandbox's
   */
  remove(): string[] {
    const { chain, bitcoin, networks, serviceEnvironment, gasKey, logs, lock, summary } = this;
    const gitignore = join(this.path, '.gitignore');
    // Unfinished files of a first start that was killed.
    const begun = [`${this.postgres}.new`, `${this.postgres}.new-password`];
    const files = [chain, bitcoin, networks, serviceEnvironment, gasKey, logs, lock, summary, gitignore];
    for (const part of [...begun, ...files]) {
      for (const path of [part, `${part}.part`, `${part}.cache`, `${part}.unpacked.json`]) {
        rmSync(path, { recursive: true, force: true });
      }
    }
    const left = this.exists() ? readdirSync(this.path) : [];
    if (left.length === 0 && this.exists()) rmdirSync(this.path);
    return left;
  }
}

/** Writes atomically, readable by its owner only. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600, flush: true });
  renameSync(part, path);
}

/** Values that the sandbox really has stand for examples at /docs, by the names of fields and parameters. */
export function examplesOf(file: SandboxFile): Record<string, string> {
  const { unique_asset_id } = file.networks[0]!.assets[0]!;
  return {
    api_key: file.api_key,
    api_secret: file.api_secret,
    posID: file.pos_id,
    accountID: file.account_id,
    account_id: file.account_id,
    unique_asset_id,
    payment_option: unique_asset_id,
    payment_options: unique_asset_id,
    // A stablecoin needs no market's price for it.
    coin_code: 'USD',
    // Where `npm run listen` listens.
    url: 'http://127.0.0.1:4100/',
  };
}
