import { randomUUID } from 'node:crypto';
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  publicActions,
} from 'viem';
import type { Asset } from '#shared/kernel/asset.js';
import { startTestChain, TEST_CHAIN_ID, type TestChain } from '../support/chain.js';
import type { DuePayout, SettlementBatch } from '#contexts/networks/contract/settlement-planning.js';
import { ForwarderDerivation } from '#chains/forwarders/forwarder-derivation.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { EvmSettlementPlanning } from '#chains/evm/settling/evm-settlement-planning.js';
import { RpcSettlementFacts } from '#chains/evm/settling/rpc-settlement-facts.js';
import { RpcSettlementSimulation } from '#chains/evm/settling/rpc-settlement-simulation.js';
import type { VerifiedEndpoints } from '#chains/evm/check/verified-endpoints.js';
import type { JsonRpc } from '#chains/rpc/json-rpc.js';
import type { RpcCall } from '#chains/rpc/rpc-envelope.js';
import type { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { RpcRefusal } from '#chains/rpc/rpc-failures.js';
import { deployFactory, deployTestToken, firstAccount } from '#chains/evm/testing/chain-contracts.js';
import { verifiedEndpoints, sendingChain } from '#contexts/networks/testing/outbound-parts.js';
import { nodeLayer } from '#chains/evm/testing/node-layer.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';

export type AssetName = 'USDT' | 'DAI' | 'ETH';

const TOKEN = parseAbi([
  'function mint(address,uint256)',
  'function balanceOf(address) view returns (uint256)',
]);
const SETTLEMENT = '0x5e771e5e771e5e771e5e771e5e771e5e771e5e77';
const FEE_RECIPIENT = '0xfee0fee0fee0fee0fee0fee0fee0fee0fee0fee0';
const BLOCK_GAS = 30_000_000n;

export interface DueOf {
  readonly settlementAddress?: string;
  readonly feeRecipient?: string;
  readonly derivation?: ForwarderDerivation;
}

/** A chain with the factory and tokens of 6 and 18 decimals, and what plans settlements there. */
export class PlannedSettlements {
  private constructor(
    readonly node: TestChain,
    private readonly account: Address,
    private readonly tokens: readonly Address[],
    private readonly assets: ReadonlyMap<string, Asset>,
    private readonly layer: ReturnType<typeof nodeLayer>,
    private readonly derivations: ForwarderDerivations,
    private readonly endpoints: VerifiedEndpoints,
  ) {}

  static async open(): Promise<PlannedSettlements> {
    const node = await startTestChain();
    const tokens = [await deployTestToken(node.url, 6), await deployTestToken(node.url, 18)];
    await deployFactory(node.url);
    const settings = settingsOf([node.url], tokens);
    const assets = new Map(settings.networks[0]!.assets.map((asset) => [asset.symbol, asset]));
    const account = await firstAccount(node.url);
    const { layer, derivations, endpoints } = parts(settings);
    return new PlannedSettlements(node, account, tokens, assets, layer, derivations, endpoints);
  }

  close = () => this.node.stop();

  due(name: AssetName, count: number, feeBasisPoints = 0, of: DueOf = {}): DuePayout[] {
    const { derivation = this.derivation(), ...ends } = of;
    const terms = { settlementAddress: SETTLEMENT, feeRecipient: FEE_RECIPIENT, feeBasisPoints, ...ends };
    const asset = this.assets.get(name)!;
    return Array.from({ length: count }, (_, i) => {
      const paymentRequestId = randomUUID();
      const depositAddress = derivation.canonicalAddressOf(derivation.initCodeHash(terms), paymentRequestId);
      const stored = { factory: derivation.factory, homeChainId: TEST_CHAIN_ID };
      return {
        depositAddress,
        derivation: stored,
        terms,
        paymentRequestId,
        asset,
        gross: 1_000_003n + BigInt(i),
      };
    });
  }

  async payAll(due: readonly DuePayout[]): Promise<void> {
    await this.node.rpc('evm_setAutomine', [false]);
    for (const { asset, depositAddress, gross } of due)
      await this.pay(asset, depositAddress as Address, gross);
    await this.node.mine(1);
    await this.node.rpc('evm_setAutomine', [true]);
  }

  plan = (due: readonly DuePayout[]) => this.planning().plan(this.account, due);

  planWithCreationOf(due: readonly DuePayout[], gas: bigint) {
    const facts = new RpcSettlementFacts(this.layer.rpc);
    facts.forwarderCreationGas = () => Promise.resolve(gas);
    return this.planning(this.layer.rpc, facts).plan(this.account, due);
  }

  /** Plans as if the first payout, which is simulated alone, had been so much cheaper. */
  planWithFirstCostDividedBy(due: readonly DuePayout[], divisor: bigint) {
    const simulation = new RpcSettlementSimulation(this.layer.rpc);
    const simulate = simulation.simulate.bind(simulation);
    let isFirst = true;
    simulation.simulate = async (...asked) => {
      const outcome = await simulate(...asked);
      const gasUsed = isFirst ? outcome.gasUsed / divisor : outcome.gasUsed;
      isFirst = false;
      return { ...outcome, gasUsed };
    };
    const facts = new RpcSettlementFacts(this.layer.rpc);
    return this.planning(this.layer.rpc, facts, simulation).plan(this.account, due);
  }

  /** Plans by a node that refuses these methods. */
  planWithout(due: readonly DuePayout[], methods: readonly string[]) {
    const refusing = Object.create(this.layer.rpc) as JsonRpc;
    refusing.callOnce = async <T>(endpoint: never, call: RpcCall<T>) => {
      if (!methods.includes(call.method)) return this.layer.rpc.callOnce(endpoint, call);
      return call.refused!(new RpcRefusal(-32_601, 'the method does not exist'));
    };
    return this.planning(refusing).plan(this.account, due);
  }

  /** Plans by a service whose endpoint to read from does not answer, and that has another one. */
  planBeside(silentUrl: string, due: readonly DuePayout[]) {
    const { layer, derivations, endpoints } = parts(settingsOf([silentUrl, this.node.url], this.tokens));
    const [facts, simulation] = [new RpcSettlementFacts(layer.rpc), new RpcSettlementSimulation(layer.rpc)];
    const chain = sendingChain(endpoints, layer.rpc);
    const planning = new EvmSettlementPlanning(
      'sandbox',
      ...([layer.pool, endpoints, derivations, facts, simulation, chain] as const),
    );
    return planning.plan(this.account, due);
  }

  async withFactoryCode<T>(code: Hex, work: () => Promise<T>): Promise<T> {
    const { factory } = this.derivation();
    const own = await this.node.rpc('eth_getCode', [factory, 'latest']);
    await this.node.rpc('anvil_setCode', [factory, code]);
    try {
      return await work();
    } finally {
      await this.node.rpc('anvil_setCode', [factory, own]);
    }
  }

  async withBlocksOf<T>(gas: bigint, work: () => Promise<T>): Promise<T> {
    const set = async (limit: bigint) => {
      await this.node.rpc('evm_setBlockGasLimit', [`0x${limit.toString(16)}`]);
      await this.node.mine(1);
    };
    await set(gas);
    try {
      return await work();
    } finally {
      await set(BLOCK_GAS);
    }
  }

  /** @returns what each recipient has more of, by asset, and how many `Settled` there are */
  async send({ call, payouts }: SettlementBatch) {
    const before = await this.held(payouts);
    const client = this.client();
    const { to, data, gas } = call;
    const hash = await client.sendTransaction({ to: to as Address, data, gas, chain: null });
    const receipt = await client.waitForTransactionReceipt({ hash });
    const after = await this.held(payouts);
    const events = receipt.logs.filter((log) => log.address.toLowerCase() === to.toLowerCase()).length;
    return { hash, sent: after.map((amount, i) => amount - before[i]!), gasUsed: receipt.gasUsed, events };
  }

  /** The settlement address and the fee recipient get this. All are of one asset. */
  expected(due: readonly DuePayout[]): [bigint, bigint] {
    const fees = due.map(({ gross, terms }) => (gross * BigInt(terms.feeBasisPoints)) / 10_000n);
    const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
    return [total(due.map(({ gross }) => gross)) - total(fees), total(fees)];
  }

  private held = (payouts: readonly DuePayout[]) =>
    Promise.all(
      [SETTLEMENT, FEE_RECIPIENT].map((holder) => this.balance(payouts[0]!.asset, holder as Address)),
    );

  private balance(asset: Asset, holder: Address): Promise<bigint> {
    const client = this.client();
    if (asset.symbol === 'ETH') return client.getBalance({ address: holder });
    const [address, abi] = [asset.token as Address, TOKEN];
    return client.readContract({ address, abi, functionName: 'balanceOf', args: [holder] });
  }

  private pay(asset: Asset, to: Address, amount: bigint): Promise<Hex> {
    if (asset.symbol === 'ETH')
      return this.client().sendTransaction({ to, value: amount, gas: 30_000n, chain: null });
    const data = encodeFunctionData({ abi: TOKEN, functionName: 'mint', args: [to, amount] });
    return this.client().sendTransaction({ to: asset.token as Address, data, gas: 100_000n, chain: null });
  }

  /** The outcome of a sent batch, of a network that has one more endpoint. */
  outcomeBeside(url: string, { call }: SettlementBatch, hash: string) {
    const { layer, derivations, endpoints } = parts(settingsOf([this.node.url, url], this.tokens));
    const { node, account, tokens, assets } = this;
    return new PlannedSettlements(node, account, tokens, assets, layer, derivations, endpoints)
      .planning()
      .outcome(call, hash);
  }

  planning(
    rpc = this.layer.rpc,
    facts = new RpcSettlementFacts(rpc),
    simulation = new RpcSettlementSimulation(rpc),
  ): EvmSettlementPlanning {
    return new EvmSettlementPlanning(
      'sandbox',
      ...([this.layer.pool, this.endpoints, this.derivations, facts, simulation] as const),
      sendingChain(this.endpoints, rpc),
    );
  }

  private derivation = (): ForwarderDerivation => this.derivations.configured('sandbox')!;

  private client() {
    const transport = http(this.node.url);
    return createWalletClient({ transport, account: this.account, pollingInterval: 5, cacheTime: 0 }).extend(
      publicActions,
    );
  }
}

function settingsOf(urls: readonly string[], tokens: readonly Address[]): NetworksSettings {
  return settingsFor(urls, {
    assets: [
      sampleAsset({ token: tokens[0]!.toLowerCase() }),
      sampleAsset({ token: tokens[1]!.toLowerCase(), symbol: 'DAI', decimals: 18 }),
      nativeAsset(),
    ],
  });
}

function parts(settings: NetworksSettings) {
  const layer = nodeLayer(settings);
  const endpoints = verifiedEndpoints(settings, layer.rpc);
  return { layer, endpoints, derivations: new ForwarderDerivations(settings) };
}
