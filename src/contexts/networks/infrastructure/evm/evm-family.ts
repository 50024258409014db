import { Injectable } from '@nestjs/common';
import { ChainFamily } from '../../application/chain-families.js';
import { EVM } from '../../domain/network-configuration.js';
import { EvmNetworkExamination } from './examination/evm-network-examination.js';
import { RpcChainInspection } from './examination/rpc-chain-inspection.js';
import { EvmPayoutAddresses } from './forwarders/evm-address.js';
import { ForwarderAddresses } from './forwarders/forwarder-addresses.js';
import { RpcChainReader } from './reading/rpc-chain-reader.js';
import { RpcSecondEndpoint } from './reading/rpc-second-endpoint.js';
import { RpcTransactionLookup } from './reading/rpc-transaction-lookup.js';

/** Chains of the Ethereum Virtual Machine: JSON-RPC endpoints, and forwarder contracts as deposit addresses. */
@Injectable()
export class EvmFamily extends ChainFamily {
  readonly name = EVM;

  constructor(
    readonly reader: RpcChainReader,
    readonly secondEndpoint: RpcSecondEndpoint,
    readonly lookup: RpcTransactionLookup,
    readonly depositAddresses: ForwarderAddresses,
    readonly payoutAddresses: EvmPayoutAddresses,
    readonly inspection: RpcChainInspection,
    readonly examination: EvmNetworkExamination,
  ) {
    super();
  }
}
