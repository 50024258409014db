import { startTestChain, type TestChain } from '#test/support/chain.js';
import { deployFactory, deployTestToken, sendToToken } from '#contexts/networks/testing/chain-contracts.js';
import { sampleAsset } from '#contexts/networks/testing/sample-configuration.js';
import { OTHER_HASH, block } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { NetworkWorld } from './network-world.js';

/** Nothing listens there. */
export const DEAD = 'http://127.0.0.1:9';
/** Every chain has the factory there. */
export const FACTORY = '0x79398E3B7e4DC4E644179c65883663bE72c7F9C9';

const HOLDER = `0x${'33'.repeat(20)}`;

/** A chain with factory and token, and networks that are configured by its endpoint or by worse ones. */
export class ExaminedNetworks {
  private readonly opened: { close(): Promise<void> }[] = [];

  private constructor(
    readonly chain: TestChain,
    /** A token of six decimals, in lower case; somebody holds some. */
    readonly token: string,
  ) {}

  static async start(): Promise<ExaminedNetworks> {
    const chain = await startTestChain();
    const token = await deployTestToken(chain.url, 6);
    await sendToToken(chain.url, token as `0x${string}`, 'mint', [HOLDER, 5_000_000n]);
    await deployFactory(chain.url);
    return new ExaminedNetworks(chain, token.toLowerCase());
  }

  /** Opens a network whose only asset is the token unless changed. */
  async open(urls: readonly string[] = [this.chain.url], changes: object = {}): Promise<NetworkWorld> {
    const assets = [sampleAsset({ token: this.token })];
    const world = await NetworkWorld.open(urls, { assets, max_lag_seconds: 86_400, ...changes });
    this.opened.push(world);
    return world;
  }

  async stubNode(): Promise<{ node: StubNode; url: string }> {
    const node = new StubNode();
    const url = await node.start();
    this.opened.push({ close: () => node.stop() });
    return { node, url };
  }

  /** @returns the address of a node that serves chain 1 */
  async foreignNode(): Promise<string> {
    const { node, url } = await this.stubNode();
    node.answers('eth_chainId', '0x1');
    node.answers('eth_getBlockByNumber', block({ number: '0x0', hash: OTHER_HASH }));
    return url;
  }

  /** Closes the connections, and not the chain. */
  async close(): Promise<void> {
    for (const each of this.opened.splice(0).reverse()) await each.close();
  }

  async stop(): Promise<void> {
    await this.chain.stop();
  }
}
