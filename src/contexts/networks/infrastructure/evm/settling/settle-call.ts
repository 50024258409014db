import { type Abi, type Hex, encodeFunctionData, toHex } from 'viem';
import { isNative } from '../../../../../shared/kernel/asset.js';
import type { PlannedPayout } from '../../../contract/settlement-planning.js';
import type { GasLimits } from '../../../domain/settlement-plan/gas-limits.js';
import { ZERO_ADDRESS } from '../forwarders/evm-address.js';
import { contractArtifact } from '../forwarders/forwarder-artifacts.js';
import { type ForwarderDerivation, saltOf } from '../forwarders/forwarder-derivation.js';

export const FACTORY_ABI = contractArtifact('ForwarderFactory').abi as Abi;

/** A payout with what the chain says about its forwarder. */
export interface ForwarderPayout extends PlannedPayout {
  readonly isDeployed: boolean;
}

/** Payouts of one group of a call have one key: terms, token, and whether the forwarders are there already. */
export function groupKey({ asset, terms, isDeployed }: ForwarderPayout): string {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  const recipients = `${settlementAddress} ${feeRecipient}`.toLowerCase();
  return [asset.uniqueAssetId, recipients, feeBasisPoints, isDeployed].join(' ');
}

/** In runs of one group, so that a batch is cut out of few of them. */
export function inGroups(payouts: readonly ForwarderPayout[]): ForwarderPayout[] {
  return [...Map.groupBy(payouts, groupKey).values()].flat();
}

/** The factory's `settle` of these payouts, in the order of `inGroups`. */
export function settleData(
  derivation: ForwarderDerivation,
  payouts: readonly ForwarderPayout[],
  limits: GasLimits,
): Hex {
  const groups = [...Map.groupBy(payouts, groupKey).values()].map((group) => groupOf(derivation, group));
  return encodeFunctionData({ abi: FACTORY_ABI, functionName: 'settle', args: [groups, limits] });
}

function groupOf({ chainId }: ForwarderDerivation, payouts: readonly ForwarderPayout[]) {
  const { terms, asset, isDeployed } = payouts[0]!;
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  return {
    terms: {
      settlement: settlementAddress,
      feeRecipient: feeBasisPoints === 0 ? ZERO_ADDRESS : feeRecipient,
      feeBasisPoints,
      homeChainId: BigInt(chainId),
    },
    token: isNative(asset) ? ZERO_ADDRESS : asset.token,
    undeployed: !isDeployed,
    salts: payouts.map(({ paymentRequestId }) => toHex(saltOf(paymentRequestId))),
  };
}
