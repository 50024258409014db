import { Injectable } from '@nestjs/common';
import { type Abi, parseAbi, toHex } from 'viem';
import { isNative } from '#shared/kernel/asset.js';
import { ChainInspection } from '#contexts/networks/application/chain-families.js';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { type ContractFacts, PROBES, type Probe, mismatches } from '../forwarders/contract-facts.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import {
  type ChainIdentity,
  type ForeignChain,
  foreignness,
  KnownChains,
} from '#contexts/networks/domain/foreign-chain.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { saltOf } from '../forwarders/forwarder-derivation.js';
import { type EvmNetworkConfiguration, isEvm } from '../evm-network.js';
import { NetworksSettings } from '../../networks-settings.js';
import { ERC20_ABI, askContract } from '../rpc/contract-calls.js';
import { EndpointPool } from '../endpoints/endpoint-pool.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivation.js';
import { readQuantity } from '../rpc/hex-fields.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { NEWEST_HEADER, present, readHeaderAt } from '../rpc/block-answers.js';

const FACTORY_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function implementation() view returns (address)',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
]);

export interface IdentifiedEndpoint {
  readonly identity: ChainIdentity;
  /** True where the service has met this chain, or another of this network. */
  readonly isStored: boolean;
  /** Why it is not the network's chain; null where it is. */
  readonly foreign: ForeignChain | null;
}

@Injectable()
export class RpcChainInspection extends ChainInspection {
  /** The time since which each endpoint had been as it was when it was admitted. */
  private readonly admittedAs = new Map<Endpoint, Date>();

  constructor(
    private readonly settings: NetworksSettings,
    private readonly known: KnownChains,
    private readonly derivations: ForwarderDerivations,
    private readonly rpc: JsonRpc,
    private readonly pool: EndpointPool,
  ) {
    super();
  }

  endpoints(network: string): readonly Endpoint[] {
    return this.rpc.endpoints(network);
  }

  /** Also those that were away: what answers under an address may have become another node meanwhile. */
  unproven(network: string): readonly Endpoint[] {
    return this.endpoints(network).filter((endpoint) => {
      const { state, since } = this.shown(endpoint);
      const isUsed = state === 'well' || state === 'lagging';
      // Each change makes a date of its own: two are the same one, or not, however the clock was set meanwhile.
      return !isUsed || since !== this.admittedAs.get(endpoint);
    });
  }

  admit(endpoint: Endpoint): void {
    this.pool.admit(endpoint);
    this.admittedAs.set(endpoint, this.shown(endpoint).since);
  }

  banish(endpoint: Endpoint, reason: string): void {
    this.pool.banish(endpoint, reason);
  }

  async identity(endpoint: Endpoint): Promise<ChainIdentity> {
    const [chainId, genesis] = await Promise.all([
      this.rpc.callOnce(endpoint, {
        method: 'eth_chainId',
        params: [],
        read: (id) => readQuantity(id, 'chain id'),
      }),
      this.rpc.callOnce(endpoint, {
        method: 'eth_getBlockByNumber',
        params: ['0x0', false],
        read: (answer) => present(readHeaderAt(0, answer), 'block 0'),
      }),
    ]);
    return { chainId, genesisHash: genesis.hash };
  }

  /** For operators: nothing is stored, and whether the endpoint is read from stays as it is. @throws ChainUnavailable */
  async identified(network: NetworkConfiguration, endpoint: Endpoint): Promise<IdentifiedEndpoint> {
    const identity = await this.identity(endpoint);
    const stored = await this.known.find(network.network, identity);
    return { identity, isStored: stored !== null, foreign: foreignness(network, endpoint, stored, identity) };
  }

  head(endpoint: Endpoint): Promise<BlockHeader> {
    return this.rpc.callOnce(endpoint, NEWEST_HEADER);
  }

  async problems(endpoint: Endpoint): Promise<readonly string[]> {
    const { assets } = this.configuration(endpoint.network);
    return mismatches(this.derivations.configured(endpoint.network)!, assets, await this.contracts(endpoint));
  }

  /** The answers of the network's factory and tokens. @throws ChainUnavailable */
  async contracts(endpoint: Endpoint): Promise<ContractFacts> {
    const configuration = this.configuration(endpoint.network);
    const { factory } = this.derivations.configured(endpoint.network)!;
    const ask = (abi: Abi, to: string, functionName: string, args: readonly unknown[] = []) =>
      askContract(this.rpc, endpoint, { abi, to, functionName, args });
    const tokens = configuration.assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
    const [implementation, probes, decimals] = await Promise.all([
      ask(FACTORY_ABI, factory, 'implementation'),
      Promise.all(
        PROBES.map((probe) => ask(FACTORY_ABI, factory, 'addressOf', argsOf(probe, configuration.chainId))),
      ),
      Promise.all(tokens.map(async (token) => [token, await ask(ERC20_ABI, token, 'decimals')] as const)),
    ]);
    return {
      implementation: textOrNull(implementation),
      probes: probes.map(textOrNull),
      decimals: new Map(decimals.map(([token, value]) => [token, typeof value === 'number' ? value : null])),
    };
  }

  private configuration(network: string): EvmNetworkConfiguration {
    const found = this.settings.networks.filter(isEvm).find((candidate) => candidate.network === network);
    if (found === undefined) throw new Error(`${network} is not configured.`);
    return found;
  }

  private shown({ network, position }: Endpoint) {
    return this.pool.snapshot().find((shown) => shown.network === network && shown.position === position)!;
  }
}

/** Arguments of the factory's `addressOf`. */
function argsOf({ terms, requestId }: Probe, chainId: number): unknown[] {
  const { settlementAddress: settlement, feeRecipient, feeBasisPoints } = terms;
  const homeChainId = BigInt(chainId);
  return [{ settlement, feeRecipient, feeBasisPoints, homeChainId }, toHex(saltOf(requestId))];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
