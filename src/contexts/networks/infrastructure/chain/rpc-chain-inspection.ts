import { Injectable } from '@nestjs/common';
import { type Hex, encodeFunctionData, parseAbi, toHex } from 'viem';
import { isNative } from '../../../../shared/kernel/asset.js';
import { type ChainEndpoint, ChainInspection } from '../../application/chain-inspection.js';
import type { BlockHeader } from '../../contract/chain-reader.js';
import { type ContractFacts, PROBES, type Probe } from '../../domain/chain-facts.js';
import type { ChainIdentity } from '../../domain/foreign-chain.js';
import { saltOf } from '../../domain/forwarder.js';
import { NetworksSettings } from '../networks-settings.js';
import { contractCall, decoded } from './contract-calls.js';
import { EndpointPool } from './endpoint-pool.js';
import type { Endpoint } from './endpoint.js';
import { ForwarderDerivations } from './forwarder-derivations.js';
import { readQuantity } from './hex-fields.js';
import { JsonRpc } from './json-rpc.js';
import { present, readHeader, readHeaderAt } from './rpc-answers.js';

const ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function implementation() view returns (address)',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
  'function decimals() view returns (uint8)',
]);

@Injectable()
export class RpcChainInspection extends ChainInspection {
  private readonly admittedAt = new Map<ChainEndpoint, number>();

  constructor(
    private readonly settings: NetworksSettings,
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
    const states = this.pool.snapshot().filter((snapshot) => snapshot.network === network);
    return this.endpoints(network).filter((endpoint) => {
      const shown = states.find(({ position }) => position === endpoint.position);
      const isUsed = shown?.state === 'well' || shown?.state === 'lagging';
      return !isUsed || shown.since.getTime() > (this.admittedAt.get(endpoint) ?? 0);
    });
  }

  admit(endpoint: ChainEndpoint): void {
    this.pool.admit(endpoint);
    this.admittedAt.set(endpoint, Date.now());
  }

  banish(endpoint: ChainEndpoint, reason: string): void {
    this.pool.banish(endpoint, reason);
  }

  async identity(endpoint: ChainEndpoint): Promise<ChainIdentity> {
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

  head(endpoint: ChainEndpoint): Promise<BlockHeader> {
    return this.rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      params: ['latest', false],
      read: (answer) => present(readHeader(answer), 'newest block'),
    });
  }

  async contracts(endpoint: ChainEndpoint): Promise<ContractFacts> {
    const { network } = endpoint;
    const derivation = this.derivations.of(network);
    const configuration = this.settings.networks.find((candidate) => candidate.network === network);
    if (derivation === undefined || configuration === undefined)
      throw new Error(`${network} is not configured.`);
    const { factory } = derivation;
    const ask = (to: string, functionName: string, data: Hex) => this.ask(endpoint, to, functionName, data);
    const [implementation, probes, decimals] = await Promise.all([
      ask(factory, 'implementation', encodeFunctionData({ abi: ABI, functionName: 'implementation' })),
      Promise.all(
        PROBES.map((probe) => ask(factory, 'addressOf', addressOfCall(probe, configuration.chainId))),
      ),
      Promise.all(
        configuration.assets
          .filter((asset) => !isNative(asset))
          .map(async ({ token }) => {
            const data = encodeFunctionData({ abi: ABI, functionName: 'decimals' });
            return [token, await ask(token, 'decimals', data)] as const;
          }),
      ),
    ]);
    return {
      implementation: textOrNull(implementation),
      probes: probes.map(textOrNull),
      decimals: new Map(decimals.map(([token, value]) => [token, typeof value === 'number' ? value : null])),
    };
  }

  private async ask(endpoint: ChainEndpoint, to: string, functionName: string, data: Hex): Promise<unknown> {
    return decoded(ABI, functionName, await this.rpc.callOnce(endpoint, contractCall(to, data)));
  }
}

function addressOfCall({ terms, requestId }: Probe, chainId: number): Hex {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  const args = {
    settlement: settlementAddress as Hex,
    feeRecipient: feeRecipient as Hex,
    feeBasisPoints,
    homeChainId: BigInt(chainId),
  };
  return encodeFunctionData({ abi: ABI, functionName: 'addressOf', args: [args, toHex(saltOf(requestId))] });
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
