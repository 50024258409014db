import { Injectable } from '@nestjs/common';
import {
  type Hex,
  type RpcRequestError,
  decodeFunctionResult,
  encodeFunctionData,
  parseAbi,
  toHex,
} from 'viem';
import { ChainInspection } from '../../application/chain-inspection.js';
import { type ContractFacts, PROBES, type Probe } from '../../domain/chain-facts.js';
import type { ChainIdentity } from '../../domain/foreign-chain.js';
import { saltOf } from '../../domain/forwarder.js';
import { NetworksSettings } from '../networks-settings.js';
import { ForwarderDerivations } from './forwarder-derivations.js';
import { JsonRpc, MalformedAnswer } from './json-rpc.js';
import { present, readHeaderAt, readQuantity } from './rpc-answers.js';

const ABI = parseAbi([
  'struct Terms { address settlement; address feeRecipient; uint16 feeBasisPoints; uint64 homeChainId; }',
  'function implementation() view returns (address)',
  'function addressOf(Terms terms, bytes32 salt) view returns (address)',
  'function decimals() view returns (uint8)',
]);

@Injectable()
export class RpcChainInspection extends ChainInspection {
  constructor(
    private readonly settings: NetworksSettings,
    private readonly derivations: ForwarderDerivations,
    private readonly rpc: JsonRpc,
  ) {
    super();
  }

  async identity(network: string): Promise<ChainIdentity> {
    const [chainId, genesis] = await Promise.all([
      this.rpc.callOnce(network, {
        method: 'eth_chainId',
        params: [],
        read: (id) => readQuantity(id, 'chain id'),
      }),
      this.rpc.callOnce(network, {
        method: 'eth_getBlockByNumber',
        params: ['0x0', false],
        read: (answer) => present(readHeaderAt(0, answer), 'block 0'),
      }),
    ]);
    return { chainId, genesisHash: genesis.hash };
  }

  async contracts(network: string): Promise<ContractFacts> {
    const derivation = this.derivations.of(network);
    const configuration = this.settings.networks.find((candidate) => candidate.network === network);
    if (derivation === undefined || configuration === undefined)
      throw new Error(`${network} is not configured.`);
    const { factory } = derivation;
    const [implementation, probes, decimals] = await Promise.all([
      this.ask(
        network,
        factory,
        'implementation',
        encodeFunctionData({ abi: ABI, functionName: 'implementation' }),
      ),
      Promise.all(
        PROBES.map((probe) =>
          this.ask(network, factory, 'addressOf', addressOfCall(probe, configuration.chainId)),
        ),
      ),
      Promise.all(
        configuration.assets.map(async ({ token }) => {
          const data = encodeFunctionData({ abi: ABI, functionName: 'decimals' });
          return [token, await this.ask(network, token, 'decimals', data)] as const;
        }),
      ),
    ]);
    return {
      implementation: textOrNull(implementation),
      probes: probes.map(textOrNull),
      decimals: new Map(decimals.map(([token, value]) => [token, typeof value === 'number' ? value : null])),
    };
  }

  /** @returns null where there is no such contract: no code, a revert, or an answer of another shape */
  private ask(
    network: string,
    to: string,
    functionName: 'implementation' | 'addressOf' | 'decimals',
    data: Hex,
  ): Promise<string | number | null> {
    return this.rpc.callOnce(network, {
      method: 'eth_call',
      params: [{ to, data }, 'latest'],
      read: (answer) => {
        if (typeof answer !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(answer)) {
          throw new MalformedAnswer('the call answered no bytes');
        }
        return decoded(functionName, answer as Hex);
      },
      refused: nullIfReverted,
    });
  }
}

function decoded(
  functionName: 'implementation' | 'addressOf' | 'decimals',
  data: Hex,
): string | number | null {
  try {
    return decodeFunctionResult({ abi: ABI, functionName, data }) as string | number;
  } catch {
    return null;
  }
}

function addressOfCall({ terms, requestId }: Probe, chainId: number): Hex {
  const { settlementAddress, feeRecipient, feeBasisPoints } = terms;
  const args = {
    settlement: settlementAddress as Hex,
    feeRecipient: feeRecipient as Hex,
    feeBasisPoints,
    homeChainId: BigInt(chainId),
  };
  return encodeFunctionData({ abi: ABI, functionName: 'addressOf', args: [args, toHex(saltOf(requestId))] });
}

function nullIfReverted(refusal: RpcRequestError): null {
  // Code 3 is geth's for a revert with data; others only say so in words.
  if (refusal.code === 3 || /revert/i.test(refusal.details)) return null;
  throw refusal;
}

function textOrNull(value: string | number | null): string | null {
  return typeof value === 'string' ? value : null;
}
