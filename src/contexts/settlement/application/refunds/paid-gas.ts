import { isNative } from '#shared/kernel/asset.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { PaidGas } from '../../contract/refund-events.js';

/** As events tell it: of a native coin that is catalogued, and where there was any. */
export function paidGas(catalogue: NetworkCatalogue, network: string, gas: bigint): { gas?: PaidGas } {
  const native = catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  if (native === undefined || gas === 0n) return {};
  return { gas: { uniqueAssetId: native.uniqueAssetId, amount: gas.toString() } };
}
