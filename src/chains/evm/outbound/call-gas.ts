import { initialGasFees } from '#contexts/networks/domain/outbound/gas-fees.js';
import type { PlannedCall } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { OutboundChain } from '#contexts/networks/application/outbound/outbound-chain.js';
import type { RpcRefusal } from '../../rpc/rpc-failures.js';

/** An upper bound, because rollups charge by the bytes of the nonce. */
const LARGEST_NONCE = 0xffff_ffff;

export async function maxCostOfCall(
  chain: OutboundChain,
  network: string,
  call: PlannedCall,
): Promise<bigint> {
  const fees = initialGasFees(await chain.gasFeeMarket(network), chain.feeLimits(network));
  const unsigned = { chainId: chain.chainId(network), nonce: LARGEST_NONCE, call, fees };
  return call.gasLimit * fees.maxFee + (await chain.dataFee(network, unsigned));
}

/** Recognizes the error messages of geth and most other nodes, of Nethermind, and of anvil. */
export function isGasLimitExceeded({ details }: RpcRefusal): boolean {
  return /gas required exceeds|exceeds (?:block )?gas limit|out of gas/i.test(details);
}
