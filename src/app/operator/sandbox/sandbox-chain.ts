import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { isNative } from '#shared/kernel/asset.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import type { Environment } from '#app/settings/environment.js';
import { readNetworksFile } from '#app/settings/settings.js';
import { callAnvil, refused } from './reorganise-chain.js';
import { BITCOIN_SANDBOX } from './sandbox-blocks.js';

export const SANDBOX_NETWORK = 'sandbox';

const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;

/** The ends of two sentences: why a command is for a sandbox alone, and what is wrong with networks of the user's own. */
export interface SandboxOnly {
  readonly elsewhere: string;
  readonly otherNetworks: string;
}

export interface SandboxChain {
  readonly url: string;
  /** Addresses of its contracts, the assets' among them. */
  readonly contracts: readonly string[];
  /** True where the sandbox has Bitcoin beside it. */
  readonly hasBitcoin: boolean;
  /** Names of networks that are configured beside them. */
  readonly otherNetworks: readonly string[];
}

/**
 * A sandbox's own chain.
 * @param network absent: the one that every sandbox has
 * @throws DomainError wherever it could be another's, and where it does not answer
 */
export async function sandboxChain(
  environment: Environment,
  words: SandboxOnly,
  network: string = SANDBOX_NETWORK,
): Promise<SandboxChain> {
  const reader = new SettingReader(environment);
  const serviceEnvironment = reader.text('SERVICE_ENV', 'not set');
  if (serviceEnvironment !== 'development') {
    throw refused(`SERVICE_ENV is ${serviceEnvironment}: ${words.elsewhere}`);
  }
  const networks = reader.parsed('NETWORKS_FILE', readNetworksFile);
  reader.finish();
  const named = (name: string) => networks!.find((one) => one.network === name);
  const sandbox = named(SANDBOX_NETWORK);
  const hasBitcoin = named(BITCOIN_SANDBOX) !== undefined;
  const url = sandbox?.rpcUrls[0];
  if (url === undefined || !LOOPBACK.test(new URL(url).hostname)) {
    throw refused(`NETWORKS_FILE does not configure a sandbox: ${words.otherNetworks}`);
  }
  const client = await callAnvil<string>(url, 'web3_clientVersion').catch(() => {
    throw refused(`No sandbox is running at ${url}. Start one with npm start.`);
  });
  const chainId = Number(await callAnvil<string>(url, 'eth_chainId'));
  if (client.startsWith('anvil/') && chainId === sandbox!.chainId) {
    if (named(network) === undefined)
      throw refused(`This sandbox has no ${network}. Start it with npm start -- --bitcoin.`);
    const own = [SANDBOX_NETWORK, BITCOIN_SANDBOX];
    const otherNetworks = networks!.map((one) => one.network).filter((name) => !own.includes(name));
    const shown = network === SANDBOX_NETWORK ? url : hostOf(named(network)!.rpcUrls[0]!);
    return { url: shown, contracts: contractsOf(sandbox!), hasBitcoin, otherNetworks };
  }
  throw refused(`${url} is not the sandbox's chain: it runs ${client} with chain id ${chainId}.`);
}

/** An endpoint without its name and password. */
function hostOf(url: string): string {
  return new URL(url).host;
}

function contractsOf({ assets, contracts }: NetworkConfiguration): string[] {
  return [...contracts, ...assets.filter((asset) => !isNative(asset)).map(({ token }) => token)];
}
