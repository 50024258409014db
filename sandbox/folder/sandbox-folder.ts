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

/** The network's entry in `sandbox.json`. Addresses in Base58Check. */
export interface SandboxTronNetwork {
  /** Below it lie `/wallet`, `/walletsolidity` and `/jsonrpc`. */
  readonly url: string;
  readonly token: string;
  readonly factory: string;
  /** The account of the payer's key. */
  readonly payer: string;
}

/** `npm run operator -- totp <email>` shows the one-time code. */
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

/** `sandbox.json`: everything that a program needs to use the sandbox. */
export interface SandboxFile {
  api_url: string;
  docs_url: string;
  dashboard_url: string;
  /** Sign-in of the dashboard's Owner. Null if another person has become the Owner. */
  dashboard_owner: DashboardOwner | null;
  api_key: string;
  api_secret: string;
  organization_id: string;
  account_id: string;
  pos_id: string;
  /** Point of sale that accepts only native coins. Null if no network lists a native coin. */
  native_pos_id: string | null;
  /** Point of sale that accepts only bitcoin. Null unless the sandbox was started with --bitcoin. */
  bitcoin_pos_id: string | null;
  networks: SandboxNetwork[];
  /** The contracts of the TRON network. Null unless the sandbox was started with --tron. */
  tron: SandboxTronNetwork | null;
  /** Null if the networks are the user's own: the sandbox has no wallet there. */
  payer: SandboxPayer | null;
  /** Accepts `POST /payments` for the payer while the sandbox runs. Null without a wallet. */
  wallet_url: string | null;
  /** Page of a checkout created at this start, payable within its window. Null without a wallet. */
  checkout_url: string | null;
  /** Page of a checkout in bitcoin created at this start. Null without Bitcoin. */
  bitcoin_checkout_url: string | null;
  /** Page of a payment link, payable at any time. Null without a wallet. */
  payment_link_url: string | null;
  /** Page of a monthly subscription that the sandbox's wallet has accepted. Null without a wallet. */
  subscription_url: string | null;
}

export class SandboxFolder {
  readonly postgres: string;
  readonly chain: string;
  readonly bitcoin: string;
  readonly tron: string;
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
    this.tron = join(path, 'tron');
    this.networks = join(path, 'networks.json');
    this.serviceEnvironment = join(path, 'service.env');
    this.gasKey = join(path, 'gas.key');
    this.logs = join(path, 'logs');
    this.lock = join(path, 'running.json');
    this.summary = join(path, 'sandbox.json');
  }

  make(): void {
    mkdirSync(this.logs, { recursive: true });
    // The folder may be inside a repository, and its keys must not be committed.
    writeFileSync(join(this.path, '.gitignore'), '*\n');
  }

  /** Undefined if the file is missing or unreadable. */
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
   * Deletes only the sandbox's files, because the configured folder may be the wrong one. The caller deletes the
   * database.
   * @returns names of the remaining files
   */
  remove(): string[] {
    const { chain, bitcoin, tron, networks, serviceEnvironment, gasKey, logs, lock, summary } = this;
    const gitignore = join(this.path, '.gitignore');
    // Unfinished files of a first start that was killed.
    const begun = [`${this.postgres}.new`, `${this.postgres}.new-password`];
    const files = [
      chain,
      bitcoin,
      tron,
      networks,
      serviceEnvironment,
      gasKey,
      logs,
      lock,
      summary,
      gitignore,
    ];
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

/** Writes atomically. Only the owner can read the file. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600, flush: true });
  renameSync(part, path);
}

/** Real values for the examples at /docs, by field or parameter name. */
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
    // Does not require a market price, because a stablecoin has a peg.
    coin_code: 'USD',
    // The address of `npm run listen`.
    url: 'http://127.0.0.1:4100/',
  };
}
