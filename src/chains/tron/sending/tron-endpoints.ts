import { Injectable } from '@nestjs/common';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { ProvenEndpoints } from '../../rpc/proven-endpoints.js';
import { TronChainInspection } from '../check/tron-chain-inspection.js';
import { type TronNetworkConfiguration, isTron } from '../tron-network.js';

@Injectable()
export class TronEndpoints extends ProvenEndpoints<TronNetworkConfiguration> {
  constructor(settings: NetworksSettings, inspection: TronChainInspection, rpc: JsonRpc) {
    super(settings, inspection, rpc, isTron);
  }
}
