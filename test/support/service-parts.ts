import type { ChildExit } from '#sandbox/processes/child-process.js';
import { startWalletServer, type WalletServer } from '#sandbox/payer/wallet-server.js';
import { sandboxNetwork, sandboxNetworkConfiguration, sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import type { TestChain } from './chain.js';
import type { NetworkAsset, ServiceOptions } from './service.js';

export async function networkEntry(chain: TestChain, { moreAssets, rpcUrls, network }: ServiceOptions) {
  const [entry] = sandboxNetworkConfiguration(chain.url) as [{ assets: NetworkAsset[] }];
  const code = await chain.rpc('eth_getCode', [entry.assets[0]!.token, 'latest']);
  for (const { token } of moreAssets ?? []) await chain.rpc('anvil_setCode', [token, code]);
  const assets = [...entry.assets, ...(moreAssets ?? [])];
  const urls = await rpcUrls?.(chain.url);
  // Blocks mined on demand are a second apart each, so that the chain comes to be ahead of the clock.
  const ahead = { max_lag_seconds: 86_400 };
  return { ...entry, ...ahead, ...(urls && { rpc_urls: urls }), assets, ...network?.(entry.assets) };
}

/** Waits for all also when one fails, so that the others can be stopped. */
export async function allOrNone<T extends readonly unknown[]>(
  work: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as T;
}

export function startWallet(chainUrl: string): Promise<WalletServer> {
  return startWalletServer({
    network: sandboxNetwork(chainUrl),
    payer: sandboxPayer,
    port: 0,
    portSetting: 'nothing',
    say: (sentence) => console.error(sentence),
  });
}

export function reportExit(name: string) {
  return ({ code, signal }: ChildExit) => {
    // A test that kills a process on purpose sees SIGKILL; everything else is news.
    if (signal !== 'SIGKILL')
      console.error(`The ${name} ended by itself (${signal ?? `exit status ${code}`}).`);
  };
}
