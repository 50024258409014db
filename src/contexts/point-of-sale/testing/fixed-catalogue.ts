import type { Asset } from '#shared/kernel/asset.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import { OUTPUT_CONFIGURATION } from '#contexts/networks/testing/output-chain-type.js';

export const TOKEN_ADDRESS = '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359';
export const ASSET = `npolygon_t${TOKEN_ADDRESS}`;
export const OTHER_ASSET = 'nerc20_t0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

/** A catalogue of two networks with one asset each, and one network whose settlement terms name wallets. */
export class FixedCatalogue extends NetworkCatalogue {
  networks(): readonly Network[] {
    const evm = ['polygon', 'erc20'].map((network): Network => ({
      network,
      name: network,
      family: 'evm',
      hidesNativeTransfers: true,
      deliversDirectly: false,
      finality: { kind: 'confirmations', confirmations: 3 },
      blockSeconds: 12,
      inclusionGraceSeconds: 60,
      maxLagSeconds: 300,
    }));
    return [...evm, OUTPUT_CONFIGURATION];
  }

  network(name: string): Network | undefined {
    return this.networks().find(({ network }) => network === name);
  }

  assets(): readonly Asset[] {
    return [ASSET, OTHER_ASSET].map((uniqueAssetId) => ({
      uniqueAssetId,
      network: uniqueAssetId === ASSET ? 'polygon' : 'erc20',
      token: uniqueAssetId.slice(-42),
      symbol: 'USDC',
      name: 'USD Coin',
      decimals: 6,
      minimumAmount: 1n,
    }));
  }

  asset(uniqueAssetId: string): Asset | undefined {
    return this.assets().find((asset) => asset.uniqueAssetId === uniqueAssetId.toLowerCase());
  }

  acceptsPaymentRequests(): boolean {
    return true;
  }
}
