import type { Address } from 'viem';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import type { BlockContents, ChainReader } from '../contract/chain-reader.js';
import { NetworkReadiness } from '../domain/network-readiness.js';
import { ForwarderAddresses } from '../infrastructure/evm/forwarders/forwarder-addresses.js';
import { ForwarderDerivations } from '../infrastructure/evm/forwarders/forwarder-derivation.js';
import { deployTestToken, firstAccount } from './chain-contracts.js';
import { nodeLayer } from './node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from './sample-configuration.js';

/** A node's chain with a token on it, and what a service has of it whose network is `sandbox`. */
export class RealChain {
  private constructor(
    readonly node: TestChain,
    readonly token: Address,
    /** Funded, and unlocked at the node. */
    readonly account: Address,
  ) {}

  static async start(): Promise<RealChain> {
    const node = await startTestChain();
    return new RealChain(node, await deployTestToken(node.url, 6), await firstAccount(node.url));
  }

  connect(changes: object = {}) {
    const settings = settingsFor(this.node.url, { assets: [this.asset()], ...changes });
    const readiness = new NetworkReadiness();
    readiness.set('sandbox', { kind: 'ready' });
    return {
      ...nodeLayer(settings, readiness),
      addresses: new ForwarderAddresses(new ForwarderDerivations(settings), readiness),
    };
  }

  /** With the native coin too. */
  connectNative() {
    return this.connect({ assets: [this.asset(), nativeAsset()] });
  }

  /** Contents of the block of that hash, read by hash, or as a range of final blocks. */
  async contentsOf(
    { reader }: { readonly reader: ChainReader },
    hash: string,
    isFinal = false,
  ): Promise<BlockContents> {
    const told = await this.node.rpc<{ number: string }>('eth_getBlockByHash', [hash, false]);
    const number = Number(told.number);
    const [block] = await reader.blocks('sandbox', number, number, isFinal ? number : null);
    if (block?.header.hash !== hash) throw new Error('Another block was read.');
    return { transfers: block.transfers, payouts: block.payouts };
  }

  private asset(): object {
    return sampleAsset({ token: this.token.toLowerCase() });
  }
}
