import { Injectable } from '@nestjs/common';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { type Endpoint, MAX_BLOCKS_BEHIND, endpointLabel } from '#contexts/networks/domain/endpoint.js';
import { type ChainIdentity, KnownChains } from '#contexts/networks/domain/wrong-chain.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { PooledInspection } from '../../rpc/pooled-inspection.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { type BitcoinChain, BITCOIN_CHAINS, bitcoinChainOf, isBitcoin } from '../bitcoin-network.js';
import { HeaderChain } from '../reading/header-chain.js';
import { CHAIN_INFO_CALL, blockHashCall } from '../rpc/block-calls.js';

const UNKNOWN_CHAIN_ID = 0;

@Injectable()
export class BitcoinChainInspection extends PooledInspection {
  private readonly chains: ReadonlyMap<string, BitcoinChain>;

  constructor(
    { networks }: NetworksSettings,
    known: KnownChains,
    rpc: JsonRpc,
    pool: EndpointPool,
    private readonly headers: HeaderChain,
  ) {
    super(known, rpc, pool);
    this.chains = new Map(networks.filter(isBitcoin).map((each) => [each.network, bitcoinChainOf(each)]));
  }

  /** Bitcoin nodes report no chain number. Forks share block 0; a later checkpoint tells them apart. */
  async identity(endpoint: Endpoint): Promise<ChainIdentity> {
    const genesisHash = await this.rpc.callOnce(endpoint, blockHashCall(0));
    if (genesisHash === null)
      throw toEndpointFailure(endpoint, 'getblockhash', new MalformedAnswer('the node has no block 0'));
    const chain = BITCOIN_CHAINS.find((each) => each.genesisHash === genesisHash);
    const isFork = chain !== undefined && (await this.isFork(endpoint, chain));
    return { chainId: isFork ? UNKNOWN_CHAIN_ID : (chain?.magic ?? UNKNOWN_CHAIN_ID), genesisHash };
  }

  private async isFork(endpoint: Endpoint, { checkpoints }: BitcoinChain): Promise<boolean> {
    const last = checkpoints.at(-1);
    const hash = last === undefined ? null : await this.rpc.callOnce(endpoint, blockHashCall(last.height));
    return hash !== null && hash !== last?.hash;
  }

  override chainName(chainId: number): string {
    return BITCOIN_CHAINS.find(({ magic }) => magic === chainId)?.name ?? 'unknown';
  }

  async head(endpoint: Endpoint): Promise<BlockHeader> {
    const info = await this.rpc.callOnce(endpoint, CHAIN_INFO_CALL);
    return this.headers.head(endpoint, this.chains.get(endpoint.network)!, info);
  }

  async configurationMismatches(endpoint: Endpoint): Promise<readonly string[]> {
    const { number, headers, isCatchingUp } = await this.rpc.callOnce(endpoint, CHAIN_INFO_CALL);
    if (!isCatchingUp && headers - number <= MAX_BLOCKS_BEHIND) return [];
    return [`${endpointLabel(endpoint)} is still syncing: it has ${number} of ${headers} blocks.`];
  }
}
