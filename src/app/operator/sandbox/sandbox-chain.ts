import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { isNative } from '#shared/kernel/asset.js';
import { SettingReader } from '#shared/platform/setting-reader.js';
import type { EnvironmentVariables } from '#app/settings/environment.js';
import { readNetworksFile } from '#app/settings/settings.js';
import { callAnvil } from './reorganize-chain.js';
import { SANDBOX_BITCOIN_NETWORK, SANDBOX_TRON_NETWORK } from './sandbox-blocks.js';

export const SANDBOX_NETWORK = 'sandbox';

const LOOPBACK_HOST = /^(127(\.\d+){3}|localhost|\[::1\])$/;

export interface SandboxRejectionTexts {
  readonly elsewhere: string;
  readonly otherNetworks: string;
}

export interface SandboxChain {
  readonly url: string;
  readonly contracts: readonly string[];
  readonly hasBitcoin: boolean;
  readonly otherNetworks: readonly string[];
}

/**
 * @param network default: the sandbox's EVM chain @throws DomainError if the chain may not be a sandbox's, or does
 * not respond
 */
export async function findSandboxChain(
  environment: EnvironmentVariables,
  words: SandboxRejectionTexts,
  network: string = SANDBOX_NETWORK,
): Promise<SandboxChain> {
  const reader = new SettingReader(environment);
  const serviceEnvironment = reader.text('SERVICE_ENV', 'not set');
  if (serviceEnvironment !== 'development') {
    throw stateConflict(`SERVICE_ENV is ${serviceEnvironment}: ${words.elsewhere}`);
  }
  const networks = reader.parse('NETWORKS_FILE', readNetworksFile);
  reader.requireValid();
  const named = (name: string) => networks!.find((one) => one.network === name);
  const sandbox = named(SANDBOX_NETWORK);
  const hasBitcoin = named(SANDBOX_BITCOIN_NETWORK) !== undefined;
  const url = sandbox?.rpcUrls[0];
  if (url === undefined || !LOOPBACK_HOST.test(new URL(url).hostname)) {
    throw stateConflict(`NETWORKS_FILE does not configure a sandbox: ${words.otherNetworks}`);
  }
  const client = await callAnvil<string>(url, 'web3_clientVersion').catch(() => {
    throw stateConflict(`No sandbox is running at ${url}. Start one with npm start.`);
  });
  const chainId = Number(await callAnvil<string>(url, 'eth_chainId'));
  if (client.startsWith('anvil/') && chainId === sandbox!.chainId) {
    // The service does not use the TRON network, so its file does not list it.
    if (named(network) === undefined && network !== SANDBOX_TRON_NETWORK)
      throw stateConflict(`This sandbox has no ${network}. Start it with npm start -- --bitcoin.`);
    const own = [SANDBOX_NETWORK, SANDBOX_BITCOIN_NETWORK, SANDBOX_TRON_NETWORK];
    const otherNetworks = networks!.map((one) => one.network).filter((name) => !own.includes(name));
    const { CHECKOUT_SANDBOX_WALLET_URL: maker = url } = environment;
    const shown = network === SANDBOX_NETWORK ? url : hostOf(named(network)?.rpcUrls[0] ?? maker);
    return { url: shown, contracts: contractAddressesOf(sandbox!), hasBitcoin, otherNetworks };
  }
  throw stateConflict(`${url} is not the sandbox's chain: it runs ${client} with chain id ${chainId}.`);
}

function hostOf(url: string): string {
  return new URL(url).host;
}

function contractAddressesOf({ assets, contracts }: NetworkConfiguration): string[] {
  return [...contracts, ...assets.filter((asset) => !isNative(asset)).map(({ token }) => token)];
}
