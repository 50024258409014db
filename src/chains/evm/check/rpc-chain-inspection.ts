import { Injectable } from '@nestjs/common';
import { type Abi, parseAbi, toHex } from 'viem';
import { isNative } from '#shared/kernel/asset.js';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import {
  type ContractFacts,
  FORWARDER_DERIVATION_SAMPLES,
  type ForwarderDerivationSample,
  contractMismatches,
} from '../../forwarders/contract-facts.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { type ChainIdentity, KnownChains } from '#contexts/networks/domain/wrong-chain.js';
import { saltOf } from '../../forwarders/forwarder-derivation.js';
import { type EvmNetworkConfiguration, isEvm } from '../evm-network.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { ERC20_ABI, queryContract } from '../../ethereum-rpc/contract-calls.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { PooledInspection } from '../../rpc/pooled-inspection.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { readQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { NEWEST_HEADER_CALL, requirePresent, readHeaderAt } from '../../ethereum-rpc/block-answers.js';

const FACTORY_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function implementation() view returns (address)',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
]);

@Injectable()
export class RpcChainInspection extends PooledInspection {
  constructor(
    private readonly settings: NetworksSettings,
    known: KnownChains,
    private readonly derivations: ForwarderDerivations,
    rpc: JsonRpc,
    pool: EndpointPool,
  ) {
    super(known, rpc, pool);
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
        read: (answer) => requirePresent(readHeaderAt(0, answer), 'block 0'),
      }),
    ]);
    return { chainId, genesisHash: genesis.hash };
  }

  head(endpoint: Endpoint): Promise<BlockHeader> {
    return this.rpc.callOnce(endpoint, NEWEST_HEADER_CALL);
  }

  async configurationMismatches(endpoint: Endpoint): Promise<readonly string[]> {
    const { assets } = this.configuration(endpoint.network);
    return contractMismatches(
      this.derivations.configured(endpoint.network)!,
      assets,
      await this.contractFacts(endpoint),
    );
  }

  async contractFacts(endpoint: Endpoint): Promise<ContractFacts> {
    const configuration = this.configuration(endpoint.network);
    const { factory } = this.derivations.configured(endpoint.network)!;
    const ask = (abi: Abi, to: string, functionName: string, args: readonly unknown[] = []) =>
      queryContract(this.rpc, endpoint, { abi, to, functionName, args });
    const tokens = configuration.assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
    const [implementation, probes, decimals] = await Promise.all([
      ask(FACTORY_ABI, factory, 'implementation'),
      Promise.all(
        FORWARDER_DERIVATION_SAMPLES.map((probe) =>
          ask(FACTORY_ABI, factory, 'addressOf', argsOf(probe, configuration.chainId)),
        ),
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
}

function argsOf({ terms, requestId }: ForwarderDerivationSample, chainId: number): unknown[] {
  const { settlementAddress: settlement, feeRecipient, feeBasisPoints } = terms;
  const homeChainId = BigInt(chainId);
  return [{ settlement, feeRecipient, feeBasisPoints, homeChainId }, toHex(saltOf(requestId))];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
