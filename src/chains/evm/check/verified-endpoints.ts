import { Injectable } from '@nestjs/common';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { ProvenEndpoints } from '../../rpc/proven-endpoints.js';
import { type EvmNetworkConfiguration, isEvm } from '../evm-network.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';

@Injectable()
export class VerifiedEndpoints extends ProvenEndpoints<EvmNetworkConfiguration> {
  constructor(settings: NetworksSettings, inspection: RpcChainInspection, rpc: JsonRpc) {
    super(settings, inspection, rpc, isEvm);
  }
}
