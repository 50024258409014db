import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { ChainIdentity } from '#contexts/networks/domain/wrong-chain.js';
import type { JsonRpc } from '../rpc/json-rpc.js';
import { readHeaderAt, requirePresent } from './block-answers.js';
import { readQuantity } from './hex-fields.js';

export async function readChainIdentity(rpc: JsonRpc, endpoint: Endpoint): Promise<ChainIdentity> {
  const [chainId, genesis] = await Promise.all([
    rpc.callOnce(endpoint, {
      method: 'eth_chainId',
      params: [],
      read: (id) => readQuantity(id, 'chain id'),
    }),
    rpc.callOnce(endpoint, {
      method: 'eth_getBlockByNumber',
      params: ['0x0', false],
      read: (answer) => requirePresent(readHeaderAt(0, answer), 'block 0'),
    }),
  ]);
  return { chainId, genesisHash: genesis.hash };
}
