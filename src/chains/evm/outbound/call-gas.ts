import { firstFees } from '#contexts/networks/domain/outbound/fees.js';
import type { PlannedCall } from '#contexts/networks/domain/outbound/outbound-transaction.js';
import type { OutboundChain } from '#contexts/networks/application/outbound/outbound-chain.js';
import type { RpcRefusal } from '../../rpc/rpc-failures.js';

/** A nonce is not known yet; no real one takes more bytes, which rollups charge for. */
const LONG_NONCE = 0xffff_ffff;

/** The most that a call may cost in gas and data at the fees of now. @throws ChainUnavailable */
export async function mostCost(chain: OutboundChain, network: string, call: PlannedCall): Promise<bigint> {
  const fees = firstFees(await chain.market(network), chain.feeLimits(network));
  const unsigned = { chainId: chain.chainId(network), nonce: LONG_NONCE, call, fees };
  return call.gasLimit * fees.maxFee + (await chain.dataFee(network, unsigned));
}

/** In the words of geth and most others, of Nethermind, and of anvil. */
export function isAboveAllowance({ details }: RpcRefusal): boolean {
  return /gas required exceeds|exceeds (?:block )?gas limit|out of gas/i.test(details);
}
