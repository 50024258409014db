import { type Abi, parseAbi, toHex } from 'viem';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, queryContract } from '../ethereum-rpc/contract-calls.js';
import type { JsonRpc } from '../rpc/json-rpc.js';
import {
  type ContractFacts,
  FORWARDER_DERIVATION_SAMPLES,
  type ForwarderDerivationSample,
} from './contract-facts.js';
import { type ForwarderDerivation, saltOf } from './forwarder-derivation.js';

const FACTORY_ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function implementation() view returns (address)',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
]);

/** @param tokens in hex */
export async function readContractFacts(
  rpc: JsonRpc,
  endpoint: Endpoint,
  { factory, chainId }: Pick<ForwarderDerivation, 'factory' | 'chainId'>,
  tokens: readonly string[],
): Promise<ContractFacts> {
  const ask = (abi: Abi, to: string, functionName: string, args: readonly unknown[] = []) =>
    queryContract(rpc, endpoint, { abi, to, functionName, args });
  const [implementation, probes, decimals] = await Promise.all([
    ask(FACTORY_ABI, factory, 'implementation'),
    Promise.all(
      FORWARDER_DERIVATION_SAMPLES.map((probe) =>
        ask(FACTORY_ABI, factory, 'addressOf', argsOf(probe, chainId)),
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

function argsOf({ terms, requestId }: ForwarderDerivationSample, chainId: number): unknown[] {
  const { settlementAddress: settlement, feeRecipient, feeBasisPoints } = terms;
  const homeChainId = BigInt(chainId);
  return [{ settlement, feeRecipient, feeBasisPoints, homeChainId }, toHex(saltOf(requestId))];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
