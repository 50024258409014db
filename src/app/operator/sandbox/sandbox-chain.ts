import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { isNative } from '#shared/kernel/asset.js';
import { SettingReader } from '#shared/platform/settings/setting-reader.js';
import type { Environment } from '#app/settings/environment.js';
import { readNetworksFile } from '#app/settings/settings.js';
import { callAnvil, refused } from './reorganise-chain.js';

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
  /** Names of networks that are configured beside it. */
  readonly otherNetworks: readonly string[];
}

/** The sandbox's own chain. @throws DomainError wherever it could be another's, and where it does not answer */
export async function sandboxChain(environment: Environment, words: SandboxOnly): Promise<SandboxChain> {
  const reader = new SettingReader(environment);
  const serviceEnvironment = reader.text('SERVICE_ENV', 'not set');
  if (serviceEnvironment !== 'development') {
    throw refused(`SERVICE_ENV is ${serviceEnvironment}: ${words.elsewhere}`);
  }
  const networks = reader.parsed('NETWORKS_FILE', readNetworksFile);
  reader.finish();
  const sandbox = networks!.find(({ network }) => network === SANDBOX_NETWORK);
  const url = sandbox?.rpcUrls[0];
  if (url === undefined || !LOOPBACK.test(new URL(url).hostname)) {
    throw refused(`The networks are not the sandbox’s (NETWORKS_FILE): ${words.otherNetworks}`);
  }
  const client = await callAnvil<string>(url, 'web3_clientVersion').catch(() => {
    throw refused(`No sandbox is running: nothing answers at ${url}. Start one with npm start.`);
  });
  const chainId = Number(await callAnvil<string>(url, 'eth_chainId'));
  if (client.startsWith('anvil/') && chainId === sandbox!.chainId) {
    const names = networks!.map(({ network }) => network);
    const otherNetworks = names.filter((name) => name !== SANDBOX_NETWORK);
    return { url, contracts: contractsOf(sandbox!), otherNetworks };
  }
  throw refused(`At ${url} there is not the sandbox's chain, but ${client} with chain id ${chainId}.`);
}

function contractsOf({ assets, contracts }: NetworkConfiguration): string[] {
  return [...contracts, ...assets.filter((asset) => !isNative(asset)).map(({ token }) => token)];
}
