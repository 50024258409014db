import type { SandboxNetwork } from '../folder/sandbox-folder.js';

export const BITCOIN_NETWORK = 'sandbox-bitcoin';
const ASSET = { symbol: 'BTC', unique_asset_id: `n${BITCOIN_NETWORK}_tBTC`, decimals: 8 };

/** The network magic of regtest. */
const REGTEST = 0xdab5bffa;
const MINIMUM_AMOUNT = '0.00001';
/** Allows for a payment mined an hour later, within the limit for moving the sandbox's clock. */
const INCLUSION_GRACE_SECONDS = 5_400;

/** Settles to a wallet of the node's well-known mnemonic, whose coins are worthless. */
export const BITCOIN_TERMS = {
  network: BITCOIN_NETWORK,
  descriptor:
    "wpkh([16a93ed0/84'/1'/0']tpubDCTawRj1voCsGHoKQopGdxi1UXEfy8eeogsbA7SxDL1j7tvTfwdF6jQNSneAQw5a2x29XY6PWbnKMx68oM7BYoew8eRySvVaLZxkrBzWr4A/0/*)#a222upy4",
};

export function bitcoinNetwork(rpcUrl: string): SandboxNetwork {
  return { network: BITCOIN_NETWORK, chain_id: REGTEST, rpc_url: rpcUrl, assets: [ASSET] };
}

export function isBitcoin({ network }: Pick<SandboxNetwork, 'network'>): boolean {
  return network === BITCOIN_NETWORK;
}

/** The chain's name for people. Bitcoin has no commonly known chain id. */
export function chainName(network: Pick<SandboxNetwork, 'network' | 'chain_id'>): string {
  return isBitcoin(network) ? 'regtest' : `chain id ${network.chain_id}`;
}

/** The chain's entry in `NETWORKS_FILE`. The service derives confirmations from the amount. */
export function bitcoinNetworkConfiguration(rpcUrl: string, blockSeconds: number): object {
  return {
    network: BITCOIN_NETWORK,
    name: 'Sandbox Bitcoin',
    family: 'bitcoin',
    chain: 'regtest',
    rpc_urls: [rpcUrl],
    inclusion_grace_seconds: INCLUSION_GRACE_SECONDS,
    block_seconds: blockSeconds,
    mempool_poll_seconds: 1,
    assets: [
      {
        token: ASSET.symbol,
        symbol: ASSET.symbol,
        name: 'Bitcoin',
        decimals: ASSET.decimals,
        minimum_amount: MINIMUM_AMOUNT,
      },
    ],
  };
}
